from __future__ import annotations

import pytest

from linkwl import Graph
from linkwl.graph.direction import build_directed

ONCE = [(k, k + 1) for k in range(20)]
SOME = [*ONCE, (1, 0), (2, 1)]
BOTH = [*ONCE, *((q, p) for p, q in ONCE)]


@pytest.mark.parametrize(
    ("asked", "declared", "names", "pairs", "answer", "words"),
    [
        (None, None, None, ONCE, False, ""),
        (None, None, None, BOTH, False, ""),
        (None, None, None, [(k, (k + j) % 21) for k in range(21) for j in range(1, 6)] + [(1, 0), (2, 1)], False, ""),
        (None, None, None, SOME, False, "10% of the edges are listed both ways"),
        (None, None, ("from", "to"), ONCE, False, "directions from `from` to `to` not used"),
        (None, None, ("source", "target"), ONCE, False, ""),
        (True, None, None, SOME, True, ""),
        (False, None, ("from", "to"), SOME, False, ""),
        (None, True, None, ONCE, True, ""),
        (False, True, None, ONCE, False, "directions dropped, as requested"),
        ("auto", None, None, ONCE, False, "undirected, because no edge is listed both ways"),
        ("auto", None, None, SOME, True, "directed, because 10%"),
        ("auto", None, None, BOTH, False, "undirected, because 100%"),
        ("auto", None, ("follower_id", "followee_id"), ONCE, True, "directed, because the columns are called"),
    ],
)
def test_decisions(asked, declared, names, pairs, answer, words):
    graph = build_directed(
        lambda is_directed: Graph.from_pairs(pairs, 21, is_directed=is_directed), asked, declared=declared, names=names
    )
    assert graph.is_directed is answer
    assert words in "; ".join(graph.intake.notes)
    assert bool(words) == bool(graph.intake.notes)


def test_the_reason_of_a_declaration():
    graph = build_directed(lambda d: Graph.from_pairs(ONCE, 21, is_directed=d), None, declared=True, reason="it says")
    assert graph.intake.notes == ("directed, as it says",)
