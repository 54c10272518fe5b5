from __future__ import annotations

import pytest

from linkwl.datasets import CATALOGUE, load_dataset

LARGEST_DEGREE = {
    "usair": 139, "ns": 34, "pb": 351, "yeast": 118, "celegans": 134, "power": 19, "router": 106, "ecoli": 1030,
}  # fmt: skip


@pytest.mark.usefixtures("benchmark_data")
@pytest.mark.parametrize("name", LARGEST_DEGREE)
def test_counts_are_those_of_the_literature(name):
    graph, dataset = load_dataset(name), CATALOGUE[name]
    assert graph.name == name and not graph.is_directed and graph.features is None
    assert (graph.num_nodes, graph.num_edges) == (dataset.num_nodes, dataset.num_edges)
    assert graph.degree.max() == LARGEST_DEGREE[name]
    assert (graph.degree == 0).sum() == (128 if name == "ns" else 0)
    assert (graph.intake.self_loops, graph.intake.duplicates) == (0, 0)
