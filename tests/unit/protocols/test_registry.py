from __future__ import annotations

import pytest

from linkwl import Graph, UnknownNameError
from linkwl.errors import LinkwlWarning
from linkwl.protocols import PAPER, PROTOCOLS, find_protocol


def test_the_paper_protocol_says_what_it_does():
    assert PAPER.to_json() == {
        "id": "paper",
        "valid_ratio": 0.05,
        "test_ratio": 0.10,
        "metrics": ["auc", "ap"],
        "negatives": "one uniform non-edge per positive, distinct, disjoint between folds",
        "test_observes": ["train", "valid"],
    }


def test_directions_are_dropped_before_splitting_and_it_is_said():
    rows = [(v, (v + 1) % 30) for v in range(30)]
    both_ways = rows + [(q, p) for p, q in rows]
    directed = Graph.from_pairs(both_ways, 30, is_directed=True)
    with pytest.warns(LinkwlWarning, match="directions of the edges are dropped, because protocol `paper`"):
        split = PAPER.apply(directed, 0)
    assert split.digest == PAPER.apply(Graph.from_pairs(rows, 30), 0).digest


def test_protocols_by_name():
    assert list(PROTOCOLS) == ["paper", "hits", "heart", "temporal"]
    assert [protocol.selection.id for protocol in PROTOCOLS.values()] == ["auc", "hits@100", "mrr", "auc"]
    assert all(protocol.to_json()["id"] == name for name, protocol in PROTOCOLS.items())


def test_an_unknown_protocol_is_refused():
    with pytest.raises(UnknownNameError, match=r"unknown protocol 'papers'; did you mean 'paper'"):
        find_protocol("papers")
