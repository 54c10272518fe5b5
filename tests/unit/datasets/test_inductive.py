"""The counts and properties of the benchmark files that published results rest on."""

from __future__ import annotations

import numpy as np
import pytest

from linkwl import load_dataset
from linkwl.datasets import benchmark_names

COUNTS = {
    "fb237_v1": (180, 4245, 489, 1594, 1993, 205, 1093, 67),
    "fb237_v2": (200, 9739, 1166, 2608, 4145, 478, 1660, 197),
    "fb237_v3": (215, 17986, 2194, 3668, 7406, 865, 2501, 299),
    "fb237_v4": (219, 27203, 3352, 4707, 11714, 1424, 3051, 501),
    "wn18rr_v1": (9, 5410, 630, 2746, 1618, 188, 922, 118),
    "wn18rr_v2": (10, 15262, 1838, 6954, 4011, 441, 2757, 268),
    "wn18rr_v3": (11, 25901, 3097, 12078, 6327, 605, 5084, 171),
    "wn18rr_v4": (9, 7940, 934, 3861, 12334, 1429, 7084, 829),
}
"""Relations, facts of train and valid, entities; facts observed and to predict in the other graph, its entities, and
facts whose entities are already linked there."""


@pytest.fixture(scope="module", params=list(COUNTS))
def graph(request, benchmark_data):
    return load_dataset(request.param)


def test_the_benchmarks_are_in_the_catalogue():
    assert benchmark_names("triples") == list(COUNTS)


def test_counts(graph):
    division, unseen = graph.division, graph.division.unseen
    linked = unseen.links.has_edges(division.unseen_test[:, [0, 2]]).sum()
    sizes = (graph.num_relations, len(division.train), len(division.valid), graph.num_nodes)
    assert (*sizes, unseen.num_facts, len(division.unseen_test), unseen.num_nodes, linked) == COUNTS[graph.name]
    assert graph.num_facts == len(division.train) + len(division.valid) + len(division.test)


def test_entities_and_relations_are_covered(graph):
    division, unseen = graph.division, graph.division.unseen
    for facts, trained in (
        (graph.triples, division.train),
        (np.concatenate([unseen.triples, division.unseen_valid, division.unseen_test]), unseen.triples),
    ):
        assert (facts[:, 0] != facts[:, 2]).all()
        assert np.isin(facts[:, [0, 2]], trained[:, [0, 2]]).all()
        assert np.isin(facts[:, 1], trained[:, 1]).all()
    assert len(np.unique(division.train[:, 1])) == graph.num_relations == unseen.num_relations
    shared = (graph.ids.find(unseen.ids.to_arrow()) >= 0).sum()
    assert shared == (8 if graph.name == "wn18rr_v3" else 0)


def test_labelled_samples(graph):
    division, unseen = graph.division, graph.division.unseen
    known = unseen.with_(np.concatenate([division.unseen_valid, division.unseen_test]))
    assert len(division.labels) == 10
    for k, sample in enumerate(division.labels):
        assert np.array_equal(sample.positives, division.labels[0].positives)
        assert len(sample.negatives) == len(sample.positives) == len(division.unseen_test)
        assert not known.contains(sample.negatives).any()
        assert len(sample.negatives) - len(np.unique(sample.negatives, axis=0)) <= 14
        assert len(np.unique(sample.negatives[:, [0, 2]])) <= 100 * (k + 1)
        assert np.isin(sample.negatives[:, 1], unseen.triples[:, 1]).all()
