from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, KnowledgeGraph, UnknownNameError, load_dataset
from linkwl.datasets import load_airports
from linkwl.errors import SplitError
from linkwl.protocols import PAPER, PROTOCOLS, find_protocol, protocol_for
from linkwl.splits import audit_split
from triple_graphs import random_triples, relatives

ENTITIES = ["entities", "entities-50", "entities-roles", "entities-unseen"]


def test_the_paper_protocol_says_what_it_does():
    assert PAPER.to_json() == {
        "id": "paper",
        "valid_ratio": 0.05,
        "test_ratio": 0.10,
        "metrics": ["auc", "ap"],
        "negatives": "one uniform non-edge per positive, distinct, disjoint between folds",
        "test_observes": ["train", "valid"],
    }


def test_directed_edges_are_split_one_way():
    rows = [(v, (v + 1) % 30) for v in range(30)]
    both_ways = rows + [(q, p) for p, q in rows]
    split = PAPER.apply(Graph.from_pairs(both_ways, 30, is_directed=True), 0)
    assert [len(fold.positives) for fold in split.folds.values()] == [51, 3, 6]
    assert split.test.observed.has_edges(split.test.positives[:, ::-1]).any()  # the reverse of a target is no secret
    assert not split.test.observed.has_edges(split.test.positives).any()


def test_protocols_by_name():
    of_pairs, of_triples = ["paper", "hits", "heart", "temporal"], ["indigo", "facts", *ENTITIES]
    assert list(PROTOCOLS) == of_pairs + of_triples
    selections = ["auc", "hits@100", "mrr", "auc", "acc+auc+relation-hits@3", "acc+auc", *["mrr"] * 4]
    assert [protocol.selection.id for protocol in PROTOCOLS.values()] == selections
    assert all(protocol.to_json()["id"] == name for name, protocol in PROTOCOLS.items())


def test_an_unknown_protocol_is_refused():
    with pytest.raises(UnknownNameError, match=r"unknown protocol 'papers'; did you mean 'paper'"):
        find_protocol("papers")


def test_triples_are_measured_by_relations_too_if_there_are_enough():
    assert protocol_for(load_airports()).id == "paper"
    four = relatives()  # each pair of people has one relation, and three are left
    assert protocol_for(four).id == "indigo"
    two_between = four.with_(np.array([(0, 2, 1)]))  # 0 is married to 1 and its parent
    assert protocol_for(two_between).id == "facts"
    unused = KnowledgeGraph.from_triples(random_triples(20, 3, 90).triples, 20, 9)
    assert protocol_for(unused).id == "facts"
    for graph in (four, two_between):
        assert protocol_for(graph).apply(graph, 0).test.positives.shape[1] == 3


@pytest.mark.parametrize("name", ["indigo", "facts", *ENTITIES])
def test_pairs_are_refused_by_protocols_of_triples(name):
    with pytest.raises(
        SplitError, match=r"airports: .* for triples, and this is a graph of pairs; use another protocol"
    ):
        PROTOCOLS[name].apply(load_airports(), 0)


def test_what_is_observed_at_test_time_is_said():
    assert PROTOCOLS["indigo"].to_json()["test_observes"][:2] == ["train", "valid"]
    assert "other entities" in PROTOCOLS["indigo"].to_json()["test_observes"][2]
    assert PROTOCOLS["entities-unseen"].to_json()["test_observes"] == [
        "the facts among the entities of the test that are not held out"
    ]


@pytest.mark.parametrize("name", ["indigo", *ENTITIES])
@pytest.mark.parametrize("dataset", ["fb237_v1", "wn18rr_v1"])
def test_splits_of_benchmarks_are_clean(name, dataset, benchmark_data):
    graph = load_dataset(dataset)
    split = PROTOCOLS[name].apply(graph, 0)
    audit = audit_split(split, graph)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    assert split.is_inductive
    assert PROTOCOLS[name].apply(graph, 0).digest == split.digest


@pytest.mark.parametrize("name", ["indigo", *ENTITIES])
def test_splits_of_any_triples_are_clean(name):
    graph = relatives()
    split = PROTOCOLS[name].apply(graph, 0)
    audit = audit_split(split, graph)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    assert split.is_inductive == (name == "entities-unseen")
    assert PROTOCOLS[name].apply(graph, 1).digest != split.digest


def test_edges_with_times_are_trained_for_the_future():
    graph = Graph.from_pairs([(0, 1), (1, 2)], 3, time=[1, 2])
    assert protocol_for(graph).id == "temporal"
    assert protocol_for(Graph.from_pairs([(0, 1), (1, 2)], 3, time=[2, 2])).id == "paper"
