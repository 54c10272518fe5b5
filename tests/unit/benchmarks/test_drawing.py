"""The benchmark of the drawing: its graph, what it notes in the page, and what it makes of that."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
PAGE = """<!doctype html><title>rows</title><section class="drawing-panel"><canvas></canvas></section>
<table class="ranked"><tbody></tbody></table>
<script>
  const row = () => document.querySelector('tr');
  setTimeout(() => { document.querySelector('tbody').innerHTML = '<tr id="row-0"><td>one</td></tr>'; }, 20);
  setTimeout(() => { document.querySelector('section').dataset.state = 'layout'; }, 200);
  const busy = (ms) => { const stop = performance.now() + ms; while (performance.now() < stop); };
  addEventListener('keydown', () => { busy(120); row().setAttribute('aria-selected', 'true'); });
</script>"""


@pytest.fixture
def drawing(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("drawing")


@pytest.fixture
def visit(drawing):
    def make(row=100.0, presses=((150.0, 40.0), (600.0, 20.0)), problems=()):
        return drawing.Visit(row, 300.0, 500.0, list(presses), [(50.0, 90.0), (310.0, 70.0)], list(problems))

    return make


def test_the_graph_has_hubs_and_communities_and_is_always_the_same(drawing):
    one, other = (drawing.community_graph(400, 4000, 4, np.random.default_rng(0)) for _ in range(2))
    assert np.array_equal(one.edges, other.edges)
    assert one.num_nodes == 400
    assert 3800 < one.num_edges <= 4000
    assert one.degree.max() > 3 * np.median(one.degree)
    assert (one.edges[:, 0] // 100 == one.edges[:, 1] // 100).mean() > 0.7


def test_the_figures_of_visits(drawing, visit):
    found = drawing.figures([visit()], [visit(), visit(presses=[(200.0, 80.0), (700.0, 30.0)])])
    value = {figure["name"]: figure["value"] for figure in found if "name" in figure}
    assert (value["row"], value["drawing"], value["arranged"]) == (100, 300, 500)
    assert (value["before"], value["before, worst"], value["after"], value["after, worst"]) == (60, 80, 25, 30)
    assert value["task"] == 70  # the longer one was over before the first row
    assert [figure["value"] for figure in found if "at_least" in figure] == [1]
    assert found[-1]["value"] == 0
    assert "| a key before that: median, worst | 60, 80 |" in drawing.markdown(found)


def test_a_drawing_before_the_list_and_problems_of_the_page_are_seen(drawing, visit):
    found = drawing.figures([visit()], [visit(row=350.0, problems=["it failed"])])
    assert [figure["value"] for figure in found if "at_least" in figure] == [0]
    assert (found[-1]["value"], found[-1]["problems"]) == (1, ["it failed"])


@pytest.mark.parametrize(
    ("changed", "painted", "took"),
    [(15.0, 42.0, 32.0), (15.0, None, 16.0), (90.0, 42.0, 80.0)],
    ids=["painted", "too short to be told", "changed after the first frame"],
)
def test_how_long_a_key_takes(drawing, changed, painted, took):
    key = {"start": 10.0, "changed": changed, "painted": painted}
    seen = {"row": 1.0, "drawing": 2.0, "arranged": 3.0, "presses": [key], "tasks": [[4.0, 60.0]]}
    assert drawing.read_visit(seen, []).presses == [(10.0, took)]


@pytest.mark.thorough
def test_the_script_notes_what_is_painted_and_how_long_a_key_takes(browser, tmp_path):
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    page = browser.open(tmp_path / "page.html", first=(BENCHMARKS / "drawing.js").read_text(encoding="utf-8"))
    page.wait_until("seen.row && seen.drawing")
    page.press("j")
    page.wait_until("seen.presses[0]?.painted && seen.tasks.length")
    seen = page.evaluate("seen")
    assert seen["row"] < seen["drawing"]
    assert seen["arranged"] is None
    (key,) = seen["presses"]
    assert key["start"] + 110 < key["changed"] < key["painted"] + 8  # the browser rounds to eight milliseconds
    assert max(length for _, length in seen["tasks"]) > 110
