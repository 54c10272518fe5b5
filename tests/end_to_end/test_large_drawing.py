"""A drawing with many edges leaves the page its time: what the browser is asked to draw is counted."""

from __future__ import annotations

import json

import numpy as np
import pytest

import linkwl
import page_server

pytest.importorskip("fastapi", reason="the server needs linkwl[serve]")
pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not page_server.PAGE.exists(), reason="the page is not built; run `make page`, with Node"),
]

NODES, EDGES = 1100, 21_000
# A layout that ends when the test says so, and a count of what WebGL draws: points are nodes, lines are edges.
FIRST = """
window.Worker = class { constructor() { window.layout = this; } postMessage() {} terminate() {} };
window.drawn = { points: 0, lines: 0 };
const { drawArrays } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.drawArrays = function (mode, ...rest) {
  if (mode === this.POINTS) drawn.points += 1;
  if (mode === this.LINES) drawn.lines += 1;
  return drawArrays.call(this, mode, ...rest);
};
"""
STATE = "document.querySelector('.drawing-panel')?.dataset.state"
EXPLAINED = "document.querySelector('.waterfall') !== null"
FINISH = """layout.onmessage({ data: { done: true, positions: Float32Array.from(
  { length: 2 * NODES }, (_, i) => (i % 2 ? Math.sin(i) : Math.cos(i)) * i) } }); true"""


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    pairs = np.random.default_rng(0).integers(NODES, size=(EDGES + 2000, 2))
    graph = linkwl.Graph.from_pairs(pairs[pairs[:, 0] != pairs[:, 1]], NODES, name="large")
    assert graph.num_edges > EDGES
    folder = tmp_path_factory.mktemp("model")
    linkwl.LinkPredictor("ra").fit(graph).save(folder)
    with page_server.serve(tmp_path_factory.mktemp("served"), str(folder)) as running:
        yield running


@pytest.fixture
def page(browser, address):
    """The page while the nodes are laid out, with all names."""
    opened = browser.open(address, still=True, first=FIRST)
    opened.wait_until(f"{STATE} === 'layout' && performance.getEntriesByName('linkwl-drawn').length > 0")
    opened.wait_until("performance.getEntriesByType('resource').some((e) => e.name.includes('/api/names'))")
    opened.pause(0.5)
    yield opened
    assert opened.problems == []


def choose_next(page, row: int) -> None:
    page.press("j")
    page.wait_until(f"document.querySelector('#row-{row}')?.getAttribute('aria-selected') === 'true'")
    page.wait_until(EXPLAINED)
    page.pause(0.3)


def test_edges_are_drawn_when_the_layout_is_over_and_choices_draw_no_nodes_before(page):
    before = page.evaluate("drawn")
    assert before["points"] > 0
    assert before["lines"] == 0
    for row in range(2):
        choose_next(page, row)
    assert page.evaluate("drawn") == before

    page.evaluate(FINISH.replace("NODES", str(NODES)))
    page.wait_until(f"{STATE} === 'ready' && drawn.lines > 0")
    page.pause(0.3)
    after = page.evaluate("drawn")
    choose_next(page, 2)  # the camera moves
    assert page.evaluate("drawn.points") > after["points"]


def test_the_chosen_pair_is_drawn_during_the_layout(page):
    picture = "document.querySelector('.sigma-highlights').toDataURL()"
    blank = page.evaluate(picture)
    choose_next(page, 0)
    page.wait_until(f"{picture} !== {json.dumps(blank)}")
    page.press("Escape")
    page.wait_until(f"{picture} === {json.dumps(blank)}")


def test_a_click_finds_a_node_that_is_a_point(page):
    page.evaluate(FINISH.replace("NODES", str(NODES)))
    page.wait_until(f"{STATE} === 'ready' && drawn.lines > 0")
    page.pause(0.3)
    box = page.evaluate(
        "(() => { const b = document.querySelector('.canvas').getBoundingClientRect();"
        "return [b.x, b.y, b.width, b.height]; })()"
    )
    # The first nodes of the spiral lie in its middle.
    x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
    for step in range(40):
        page.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + step, y=y)
        if page.evaluate("document.querySelector('.canvas').style.cursor") == "pointer":
            break
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=x + step, y=y, button="left", clickCount=1)
    page.wait_until("location.hash.includes('node=') || location.hash.includes('pair=')")
    assert "node=" in page.evaluate("location.hash")
