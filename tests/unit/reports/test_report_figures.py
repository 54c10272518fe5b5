from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.patches import FancyArrowPatch
from matplotlib.text import Text

from linkwl import Graph, create_model
from linkwl.predict import explain_query
from linkwl.reports.report_figures import image, neighbourhood, save_figure


def test_names_in_a_neighbourhood_do_not_overlap(summary):
    for explanation in summary.explanations:
        figure = neighbourhood(summary.graph, explanation)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        boxes = [Text.get_window_extent(text, canvas.get_renderer()) for text in figure.axes[0].texts]
        assert len(boxes) > 2
        for one, other in combinations(boxes, 2):
            assert not one.overlaps(other)


def test_both_nodes_are_named_in_bold(summary):
    explanation = summary.explanations[0]
    texts = neighbourhood(summary.graph, explanation).axes[0].texts
    bold = {text.get_text() for text in texts if text.get_weight() == "bold"}
    assert bold == {str(summary.graph.ids[node]) for node in explanation.pair}


def test_pictures_are_embedded_or_saved_by_their_ending(summary, tmp_path):
    figure = neighbourhood(summary.graph, summary.explanations[0])
    assert image(figure).startswith("data:image/svg+xml;base64,")
    save_figure(figure, tmp_path / "pair.svg")
    save_figure(figure, tmp_path / "pair.png")
    assert (tmp_path / "pair.svg").read_text().startswith("<?xml")
    assert (tmp_path / "pair.png").read_bytes().startswith(b"\x89PNG")


def dots(figure):
    """Where the nodes are: the two in question, then the others."""
    return np.asarray(figure.axes[0].collections[-1].get_offsets())


def distance_to_segment(points, start, end):
    along = np.clip((points - start) @ (end - start) / ((end - start) @ (end - start)), 0, 1)
    return np.linalg.norm(points - (start + along[:, None] * (end - start)), axis=1)


@pytest.mark.parametrize("num_shared", [1, 2, 3, 4, 5, 9, 14])
@pytest.mark.parametrize("num_own", [0, 1, 3])
def test_no_node_covers_the_link_in_question(num_shared, num_own):
    shared = range(2, 2 + num_shared)
    edges = [edge for node in shared for edge in ((0, node), (node, 1))]
    first = 2 + num_shared
    edges += [(end, first + k + end * num_own) for end in (0, 1) for k in range(num_own)]
    graph = Graph.from_pairs(edges, first + 2 * num_own)
    found = dots(neighbourhood(graph, explain_query(create_model("ra"), graph, (0, 1))))
    assert len(found) > 2
    assert distance_to_segment(found[2:], found[0], found[1]).min() >= 0.2
    between = found[2 : 2 + num_shared]
    for k, node in enumerate(between):
        others = np.delete(between, k, axis=0)
        for end in found[:2]:
            assert not len(others) or distance_to_segment(others, node, end).min() > 0.03
    gaps = [np.linalg.norm(one - other) for one, other in combinations(found, 2)]
    assert min(gaps) > 0.05


def test_links_of_a_directed_graph_are_arrows():
    # 0 -> 2 -> 1 and 0 <-> 3, 1 -> 3; the link from 0 to 1 is asked for.
    graph = Graph.from_pairs([(0, 2), (2, 1), (0, 3), (3, 0), (1, 3), (4, 0)], 5, is_directed=True)
    figure = neighbourhood(graph, explain_query(create_model("katz"), graph, (0, 1)))
    arrows = [patch for patch in figure.axes[0].patches if isinstance(patch, FancyArrowPatch)]
    place = dict(enumerate(map(tuple, dots(figure).tolist())))
    assert not figure.axes[0].lines
    assert len(arrows) == 6
    asked = [patch for patch in arrows if patch.get_linestyle() != "solid"]
    assert len(asked) == 1
    start, end = asked[0]._posA_posB
    assert (tuple(start), tuple(end)) == (place[0], place[1])
    both = [patch for patch in arrows if type(patch.get_arrowstyle()).__name__ == "CurveFilledAB"]
    assert len(both) == 1  # between 0 and 3
    assert len({to_hex(patch.get_edgecolor()) for patch in arrows}) >= 2
    assert image(figure).startswith("data:")


def test_links_without_directions_are_lines(summary):
    assert not neighbourhood(summary.graph, summary.explanations[0]).axes[0].patches
