from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

from linkwl.errors import OutputError
from linkwl.reports import wl_figures
from linkwl.reports.wl_figures import (
    FIGURES,
    OTHERS,
    TITLES,
    classify_links,
    draw_figures,
    draw_page,
    graph_title,
    link_style,
    witness_page,
)
from linkwl.wl import TESTS, compare
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


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_1_wl_and_local_2_wl_can_share_a_panel(witness):
    one, two = classify_links(witness, "1-wl"), classify_links(witness, "local-2-wl")
    np.testing.assert_array_equal(one.rank, two.rank)
    assert one.verdict == two.verdict


def test_every_test_has_a_panel():
    assert {*TITLES, "local-2-wl"} == set(TESTS)
    for witness in WITNESSES.values():
        assert {panel.test for row in witness_page(witness).rows for panel in row} == set(TITLES)


def test_all_links_are_drawn_with_the_two_compared_ones_among_them():
    classes = classify_links(WITNESSES["W2c"], "1-wl")
    assert [pairs.tolist() for pairs in classes.links] == [
        [[0, 2], [1, 3]],
        [[0, 2], [0, 3], [1, 3], [1, 4], [2, 4]],
    ]
    assert classes.compared == (0, 2)
    assert classes.rank.tolist() == [0] * 7


def test_links_are_coloured_whichever_way_they_are_read():
    classes = classify_links(WITNESSES["W1"], "1-wl")
    rank = {tuple(pair): rank for pair, rank in zip(classes.links[0].tolist(), classes.rank.tolist(), strict=True)}
    assert rank[0, 4] == rank[1, 5]  # an end and the neighbour of an end, in either order


def test_a_few_other_classes_have_a_colour_each_and_many_are_muted():
    few, many = classify_links(WITNESSES["W4e"], "2-fwl"), classify_links(WITNESSES["W6"], "2-fwl")
    assert [link_style(rank, few)["color"] for rank in range(2, few.rank.max() + 1)] == list(OTHERS)
    muted = {link_style(rank, many)["color"] for rank in range(2, many.rank.max() + 1)}
    assert len(muted) == 1 and muted.isdisjoint(OTHERS)


@pytest.mark.parametrize(
    ("name", "equal"),
    [
        ("figure-1", [[True, True, False]]),
        ("figure-3", [[True] * 4, [False] * 4, [True, False, True, True]]),
        ("figure-4", [[True, False, False], [True, False, True]]),
        ("figure-5", [[True, False]]),
    ],
)
def test_figures_show_what_their_captions_say(name, equal):
    rows = FIGURES[name].rows
    assert [[classify_links(panel.witness, panel.test).verdict.equal for panel in row] for row in rows] == equal


@pytest.mark.parametrize(
    ("name", "title"),
    [("2k1+k2", "2 K₁ + K₂"), ("k33-e", "K₃₃ − e"), ("prism-rung", "prism − rung"), ("gadget36", "gadget")],
)
def test_graphs_are_named_for_readers(name, title):
    assert graph_title(GRAPHS[name]) == title


@pytest.fixture
def few_pages(monkeypatch):
    monkeypatch.setattr(wl_figures, "WITNESSES", {id: WITNESSES[id] for id in ("W1", "W5")})
    monkeypatch.setattr(wl_figures, "FIGURES", {"figure-1": FIGURES["figure-1"]})


def test_two_runs_write_the_same_bytes(tmp_path, few_pages):
    seen = []
    paths = draw_figures(tmp_path / "new" / "one", on_progress=seen.append)
    assert seen == paths
    assert {path.name for path in paths} == {f"{n}.{kind}" for n in ("w1", "w5", "figure-1") for kind in ("svg", "png")}
    assert {path.name for path in (tmp_path / "new" / "one").iterdir()} == {path.name for path in paths}
    for path, again in zip(paths, draw_figures(tmp_path / "two"), strict=True):
        assert path.read_bytes() == again.read_bytes()
        check_file(path)


def check_file(path):
    if path.suffix == ".svg":
        assert ET.parse(path).getroot().tag == "{http://www.w3.org/2000/svg}svg"
        assert path.stat().st_size < (400_000 if path.stem.startswith("w6") else 110_000)
    else:
        assert path.read_bytes().startswith(b"\x89PNG")


def test_verdicts_are_told_in_words(tmp_path):
    draw_page(witness_page(WITNESSES["W1"]), tmp_path / "w1.svg", tmp_path / "w1.png")
    text = (tmp_path / "w1.svg").read_text(encoding="utf-8")
    assert (text.count("cannot tell them apart"), text.count("different in round")) == (2, 4)
    assert all(title in text for title in TITLES.values())


def test_a_place_that_cannot_be_written_stops_all(tmp_path, few_pages):
    (tmp_path / "w5.png").mkdir()
    with pytest.raises(OutputError, match=r"w5\.png"):
        draw_figures(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["w5.png"]


@pytest.mark.slow
def test_every_witness_and_figure_is_drawn(tmp_path):
    paths = draw_figures(tmp_path)
    assert {path.stem for path in paths} == {*map(str.lower, WITNESSES), *FIGURES}
    for path in paths:
        check_file(path)
