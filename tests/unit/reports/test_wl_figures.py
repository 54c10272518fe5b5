from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from linkwl.errors import OutputError
from linkwl.reports import wl_figures
from linkwl.reports.wl_figures import FIGURES, draw_figures, witness_page
from linkwl.reports.wl_pages import TITLES, draw_page
from linkwl.wl import TESTS
from linkwl.wl.link_classes import classify_links
from linkwl.wl.witnesses import WITNESSES


def test_every_test_has_a_panel():
    assert {*TITLES, "local-2-wl"} == set(TESTS)
    for witness in WITNESSES.values():
        assert {panel.test for row in witness_page(witness).rows for panel in row} == set(TITLES)


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


@pytest.fixture
def few_pages(monkeypatch):
    monkeypatch.setattr(wl_figures, "WITNESSES", {id: WITNESSES[id] for id in ("W1", "W5")})
    monkeypatch.setattr(wl_figures, "FIGURES", {"figure-1": FIGURES["figure-1"]})


@pytest.mark.thorough
def test_two_runs_write_the_same_bytes(tmp_path, few_pages):
    seen = []
    paths = draw_figures(tmp_path / "new" / "one", on_progress=lambda *step: seen.append(step))
    assert seen == [(number, 3, path) for number, path in enumerate(paths[::2], start=1)]
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
