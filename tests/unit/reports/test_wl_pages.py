from __future__ import annotations

import pytest

from linkwl.reports.wl_pages import OTHERS, TITLES, graph_title, link_style
from linkwl.wl import compare
from linkwl.wl.link_classes import classify_links
from linkwl.wl.witnesses import GRAPHS, WITNESSES


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_compared_links_share_a_colour_iff_the_test_cannot_tell_them_apart(witness):
    verdicts = compare(witness.first, witness.second)
    for test in TITLES:
        classes = classify_links(witness, test)
        ranks = classes.rank[list(classes.compared)].tolist()
        assert classes.verdict == verdicts[test]
        assert ranks == ([0, 0] if classes.verdict.equal else [0, 1])
        one, two = (link_style(rank, classes) for rank in ranks)
        for key in ("color", "linestyle"):
            assert (one[key] == two[key]) is verdicts[test].equal


def test_a_few_other_classes_have_a_colour_each_and_many_are_muted():
    few, many = classify_links(WITNESSES["W4e"], "2-fwl"), classify_links(WITNESSES["W6"], "2-fwl")
    assert [link_style(rank, few)["color"] for rank in range(2, few.rank.max() + 1)] == list(OTHERS)
    muted = {link_style(rank, many)["color"] for rank in range(2, many.rank.max() + 1)}
    assert len(muted) == 1 and muted.isdisjoint(OTHERS)


@pytest.mark.parametrize(
    ("name", "title"),
    [("2k1+k2", "2 K₁ + K₂"), ("k33-e", "K₃₃ − e"), ("prism-rung", "prism − rung"), ("gadget36", "gadget")],
)
def test_graphs_are_named_for_readers(name, title):
    assert graph_title(GRAPHS[name]) == title
