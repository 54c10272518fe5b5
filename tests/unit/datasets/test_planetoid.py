from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from linkwl.datasets import find_dataset, load_dataset

CITESEER_WITHOUT_FEATURES = [
    2407, 2489, 2553, 2682, 2781, 2953, 3042, 3063, 3212, 3214, 3250, 3292, 3305, 3306, 3309,
]  # fmt: skip

pytestmark = pytest.mark.usefixtures("benchmark_data")


@pytest.mark.parametrize(
    ("name", "nonzeros", "loop_rows", "repeated_rows", "isolated"),
    [
        ("cora", 49216, 0, 302, 0),
        ("citeseer", 105165, 2 * 124, 236 - 124, 48),
        ("pubmed", 988031, 2 * 3, 25 - 3, 0),
    ],
)
def test_counts_are_those_of_the_literature(name, nonzeros, loop_rows, repeated_rows, isolated):
    graph, dataset = load_dataset(name), find_dataset(name)
    assert graph.name == name and not graph.is_directed and graph.ids.is_range
    assert (graph.num_nodes, graph.num_edges, graph.num_features) == (
        dataset.num_nodes,
        dataset.num_edges,
        dataset.num_features,
    )
    assert (graph.degree == 0).sum() == isolated
    assert graph.features.nnz == np.count_nonzero(graph.features.data) == nonzeros
    # A loop is listed twice, and its second copy is among the README's duplicates.
    assert (graph.intake.self_loops, graph.intake.duplicates) == (loop_rows, repeated_rows)


@pytest.mark.parametrize("name", ["cora", "citeseer", "pubmed"])
def test_features_are_sorted_float32_rows(name):
    features = load_dataset(name).features
    assert isinstance(features, sp.csr_array) and features.dtype == np.float32
    assert features.has_sorted_indices
    rows = np.repeat(np.arange(features.shape[0]), np.diff(features.indptr))
    keys = rows * features.shape[1] + features.indices
    assert (np.diff(keys) > 0).all()


def test_feature_values_are_as_stored():
    pubmed = load_dataset("pubmed").features
    assert pubmed.data.min() == pytest.approx(0.0012468165950849652, rel=1e-7)
    assert pubmed.data.max() == pytest.approx(1.2633097171783447, rel=1e-7)


def test_test_rows_go_to_the_nodes_of_the_index(benchmark_data):
    from linkwl.datasets.unpickle import unpickle

    folder = benchmark_data / "planetoid"
    tx = unpickle(folder / "ind.citeseer.tx").toarray()
    index = np.array((folder / "ind.citeseer.test.index").read_text().split(), dtype=int)
    features = load_dataset("citeseer").features.toarray()
    assert (features[index] == tx).all()
    assert (features[:2312] == unpickle(folder / "ind.citeseer.allx").toarray()).all()


def test_nodes_left_out_of_citeseer_have_zero_rows_and_edges():
    graph = load_dataset("citeseer")
    without = np.flatnonzero(np.diff(graph.features.indptr) == 0)
    assert without.tolist() == CITESEER_WITHOUT_FEATURES
    assert (graph.degree[without] > 0).all()
