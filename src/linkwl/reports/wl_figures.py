"""The witnesses as pictures: how each test classifies the two links and all other links."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from linkwl.files import check_writable, make_folder
from linkwl.graph import Graph
from linkwl.reports.verdicts import describe_comparison
from linkwl.reports.wl_pages import TITLES, Page, Panel, draw_page, graph_title, is_large, with_subscripts
from linkwl.wl.link_classes import graphs_of
from linkwl.wl.witnesses import WITNESSES, Witness


def draw_figures(out: Path, *, on_progress: Callable[[int, int, Path], None] | None = None) -> list[Path]:
    """Draws every witness as each test sees it, and the figures composed of witnesses.

    Args:
        out: The folder to write ``w1.svg``, ``w1.png``, ..., ``figure-1.svg``, ... into.
        on_progress: Called after every picture with the number drawn, the total and the last file.

    Returns:
        The files.

    Raises:
        OutputError: If a file cannot be written.
    """
    folder = make_folder(out)
    pages = {id.lower(): witness_page(witness) for id, witness in WITNESSES.items()} | FIGURES
    files = {name: (folder / f"{name}.svg", folder / f"{name}.png") for name in pages}
    paths = [path for both in files.values() for path in both]
    for path in paths:
        check_writable(path)
    for number, (name, page) in enumerate(pages.items(), start=1):
        draw_page(page, *files[name])
        if on_progress is not None:
            on_progress(number, len(pages), files[name][0])
    return paths


def witness_page(witness: Witness) -> Page:
    """All tests on one witness; a local test is above or beside the corresponding test over all nodes."""
    title, tests = with_subscripts(witness.title[0].upper() + witness.title[1:]), list(TITLES)
    pairs = [[Panel(witness, test) for test in tests[i : i + 2]] for i in range(0, len(tests), 2)]
    rows = pairs if len(graphs_of(witness)) > 1 and is_large(witness) else list(zip(*pairs, strict=True))
    names = _the(witness.first[0]), _the(witness.second[0])
    return Page(witness.id, title, [describe_comparison(witness.first, witness.second, names)], rows)


def _the(graph: Graph) -> str:
    title = graph_title(graph)
    return title if re.search("[₀-₉−]", title) else f"the {title}"


def _panels(id: str, *tests: str, names: dict[int, str] | None = None) -> list[Panel]:
    return [Panel(WITNESSES[id], test, names) for test in tests]


FIGURES = {
    "figure-1": Page(
        "Figure 1",
        "Links between like nodes need not be alike",
        [
            "v₂ and v₃ are mirror images, so colours of nodes cannot tell (v₁, v₂) from (v₁, v₃), though one spans two",
            "steps and the other three. (v₁, v₂) and (v₄, v₃) are mirror images, and equal for every test.",
        ],
        [_panels("W1", "1-wl", "2-wl", "2-fwl", names={0: "v₁", 2: "v₂", 3: "v₃", 5: "v₄"})],
    ),
    "figure-3": Page(
        "Figure 3",
        "2-WL sees the size of the graph, and what lies apart",
        ["2-WL hears from every node, and so counts them. Tests that hear along edges miss what no path leads to."],
        list(zip(*[_panels(id, "1-wl", "2-wl", "local-2-fwl") for id in ("W2", "W2c", "W2b", "W2a")], strict=True)),
    ),
    "figure-4": Page(
        "Figure 4",
        "Pairs of regular graphs, and what is left of them without an edge",
        [
            "Above, 2-WL gives the links of both graphs one colour. 2-FWL counts common neighbours, three or two.",
            "Below, the two chords cross or run side by side. 1-WL misses this even with the ends of the link marked.",
        ],
        [_panels(id, "2-wl", "local-2-fwl", "1-wl+01") for id in ("W3", "W4")],
    ),
    "figure-5": Page(
        "Figure 5",
        "Strongly regular graphs, which 2-FWL cannot tell apart",
        [
            "In both, any two nodes without an edge have two common neighbours, and 2-FWL sees no more than that.",
            "Those of the second link are adjacent, those of the first are not: 1-WL sees it once the ends are marked.",
        ],
        [_panels("W5", "2-fwl", "1-wl+01")],
    ),
}
"""The figures of the paper, on graphs for which their statements are true."""
