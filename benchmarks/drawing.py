"""The page of `linkwl serve` with 4000 nodes and 88,000 edges in a real browser.

Measured is what is painted when, and how long keys take while the nodes are laid out and afterwards. It needs Chromium
and the page (`make page`). The browser draws in software, as on a machine without a graphics card.

    python benchmarks/run.py drawing
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from power_law import power_law_graph
from serving import Figure, serving

import linkwl

HERE = Path(__file__).parent
NODES, EDGES, COMMUNITIES = 4000, 88_000, 20
INSIDE = 0.75
"""Share of the edges inside communities."""
VISITS = 3
KEYS_DURING, KEYS_AFTER = 30, 15
"""At most so many keys before the layout is over, and so many after it: together fewer than the rows of the list."""
BETWEEN_SECONDS = 0.2
SHORTEST = 16.0
"""Milliseconds: the browser does not tell how long a shorter answer took."""
MEDIAN, WORST = 250.0, 1000.0
"""Milliseconds from a key to the painted row, with which the page is usable."""


@dataclass(frozen=True)
class Visit:
    """What a visitor saw, in milliseconds since navigation started."""

    row: float
    drawing: float
    arranged: float
    presses: list[tuple[float, float]]
    """Start of each key, and how long it took until the chosen row was painted."""
    tasks: list[tuple[float, float]]
    """Start and length of each long task of the main thread."""
    problems: list[str]


def community_graph(num_nodes: int, num_edges: int, num_communities: int, generator: np.random.Generator) -> Any:
    """A graph of power-law graphs, with hubs inside communities and between them.

    A few edges between communities are also inside one, so there are a little fewer than ``num_edges``.
    """
    size, inside = num_nodes // num_communities, int(INSIDE * num_edges) // num_communities
    parts = [power_law_graph(size, inside, generator).edges + size * i for i in range(num_communities)]
    between = power_law_graph(num_nodes, num_edges - inside * num_communities, generator).edges
    edges = np.concatenate([*parts, generator.permutation(num_nodes)[between]])
    return linkwl.Graph.from_pairs(edges, num_nodes, name="communities")


def visit(browser: Any, address: str, *, with_keys: bool) -> Visit:
    """Opens the page and waits for the layout; with keys, goes down the list meanwhile and afterwards."""
    page = browser.open(address, width=1280, height=860, first=(HERE / "drawing.js").read_text(encoding="utf-8"))
    page.wait_until("seen.row !== null")
    pressed = 0
    while with_keys and pressed < KEYS_DURING and page.evaluate("seen.arranged") is None:
        press(page)
        pressed += 1
    page.wait_until("seen.arranged !== null")
    page.pause(2)  # until all edges are drawn
    for _ in range(KEYS_AFTER if with_keys else 0):
        press(page)
    page.pause(1)  # the browser tells of painted frames a little later
    return read_visit(page.evaluate("seen"), page.problems)


def press(page: Any) -> None:
    """Goes to the next row after a while, and waits for it."""
    # Between this and the key the page is asked for nothing, which would wait until it has time for the key, too.
    time.sleep(BETWEEN_SECONDS)
    page.press("j")
    page.wait_until("seen.presses.at(-1)?.changed")


def read_visit(seen: dict[str, Any], problems: list[str]) -> Visit:
    """What the script in the page has noted."""
    presses = []
    for key in seen["presses"]:
        painted = key["start"] + SHORTEST if key["painted"] is None else key["painted"]
        presses.append((key["start"], max(key["changed"], painted) - key["start"]))
    tasks = [tuple(task) for task in seen["tasks"]]
    return Visit(seen["row"], seen["drawing"], seen["arranged"], presses, tasks, list(problems))


def figures(quiet: list[Visit], busy: list[Visit]) -> list[Figure]:
    """The figures of visits without and with keys."""
    found: list[Figure] = []
    for name, what in (
        ("row", "the first row is painted"),
        ("drawing", "the drawing is painted"),
        ("arranged", "the layout is over"),
    ):
        times = [getattr(one, name) for one in quiet]
        what = f"milliseconds until {what}: median of {len(quiet)} visits"
        found.append({"what": what, "name": name, "value": median(times), "milliseconds": times})
    is_first = all(one.row < one.drawing for one in [*quiet, *busy])
    found.append({"what": "first row before the drawing: 1 if always", "value": int(is_first), "at_least": 1})
    keys: dict[str, list[float]] = {"before": [], "after": []}
    for one in busy:
        for start, took in one.presses:
            keys["before" if start < one.arranged else "after"].append(took)
    for name, times in keys.items():
        who = f"milliseconds from a key to the painted row, {name} the layout is over"
        found += [
            {"what": f"{who}: median of {len(times)} keys", "name": name, "value": median(times), "at_most": MEDIAN},
            {"what": f"{who}: worst", "name": f"{name}, worst", "value": max(times), "at_most": WORST}
            | {"milliseconds": times},
        ]
    longest = max(
        (length for one in quiet for start, length in one.tasks if one.row <= start < one.arranged), default=0
    )
    what = "milliseconds of the longest task between the first row and the end of the layout"
    found.append({"what": what, "name": "task", "value": longest})
    problems = [problem for one in [*quiet, *busy] for problem in one.problems]
    return [*found, {"what": "problems in the console", "value": len(problems), "at_most": 0, "problems": problems}]


def markdown(record: list[Figure]) -> str:
    """The table of the page about the server."""
    value = {figure["name"]: figure["value"] for figure in record if "name" in figure}
    rows = [
        ("the first row is painted", f"{value['row']:.0f}"),
        ("the drawing is painted, without edges yet", f"{value['drawing']:.0f}"),
        ("the layout is over, all edges are painted", f"{value['arranged']:.0f}"),
        ("a key before that: median, worst", f"{value['before']:.0f}, {value['before, worst']:.0f}"),
        ("a key after that: median, worst", f"{value['after']:.0f}, {value['after, worst']:.0f}"),
    ]
    return "| | milliseconds |\n|---|--:|\n" + "".join(f"| {what} | {text} |\n" for what, text in rows)


def main() -> None:
    """Writes the figures to standard output."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    from browser import Browser, find_browser

    program = find_browser()
    if program is None:
        raise SystemExit("there is no browser here; install Debian's chromium.")
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    graph = community_graph(NODES, EDGES, COMMUNITIES, np.random.default_rng(0))
    with tempfile.TemporaryDirectory() as folder:
        linkwl.LinkPredictor("ra").fit(graph).save(folder)
        with serving(folder) as (port, _), Browser(program) as browser:
            address = f"http://127.0.0.1:{port}/"
            visit(browser, address, with_keys=False)  # the first one also starts the browser's other processes
            quiet, busy = ([visit(browser, address, with_keys=keys) for _ in range(VISITS)] for keys in (False, True))
    size = {"what": "edges of the graph", "value": graph.num_edges, "nodes": graph.num_nodes}
    print(json.dumps([size, *figures(quiet, busy)]))


if __name__ == "__main__":
    main()
