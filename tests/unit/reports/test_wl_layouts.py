from __future__ import annotations

import numpy as np
import pytest

from linkwl.graph import Graph
from linkwl.reports.wl_layouts import GAP, LAYOUTS, bend_of, draw_curves, place_nodes, set_scene
from linkwl.wl.witnesses import GRAPHS

MIRROR_X, MIRROR_Y = np.diag([-1.0, 1.0]), np.diag([1.0, -1.0])


def turn(degrees):
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[cos, -sin], [sin, cos]])


@pytest.mark.parametrize("graph", GRAPHS.values(), ids=GRAPHS)
def test_every_named_graph_has_a_layout_with_room_between_nodes(graph):
    assert LAYOUTS[graph.name].shape == (graph.num_nodes, 2)
    place = place_nodes(graph)
    apart = np.linalg.norm(place[:, None] - place[None], axis=2)
    assert apart[~np.eye(len(place), dtype=bool)].min() > 0.15


@pytest.mark.parametrize(
    ("name", "motions"),
    [
        *((name, [MIRROR_X]) for name in ("p3", "p4", "p6", "p3+k2", "c4", "c5", "3k1", "prism", "prism-rung")),
        *((name, [MIRROR_X, MIRROR_Y]) for name in ("2p3", "double-star", "k33", "k33-e", "domino", "barbell")),
        ("c6", [turn(60)]),
        ("2c3", [turn(120), MIRROR_X]),
        ("prism", [turn(120)]),
        ("prism-rung", [MIRROR_Y]),
        ("regular-8", [MIRROR_X, MIRROR_Y]),
        ("chorded-c8", [MIRROR_X, MIRROR_Y]),
        ("rook", [turn(90), MIRROR_X]),
        ("shrikhande", [turn(45)]),
        ("latin-klein", [MIRROR_X, MIRROR_Y]),
        ("gadget36", [turn(120)]),
    ],
)
def test_motions_of_the_drawing_are_symmetries_of_the_graph(name, motions):
    graph, place = GRAPHS[name], place_nodes(GRAPHS[name])
    place = place - [0, place[:, 1].mean()] if name == "p3+k2" else place
    for motion in motions:
        distance = np.linalg.norm((place @ motion.T)[:, None] - place[None], axis=2)
        image = distance.argmin(axis=1)
        assert distance.min(axis=1).max() < 1e-9
        assert sorted(image.tolist()) == list(range(graph.num_nodes))
        assert graph.has_edges(image[graph.edges]).all()


def test_the_path_mirrors_its_ends():
    place = place_nodes(GRAPHS["p6"])
    np.testing.assert_allclose(place[::-1], place * [-1, 1])


def test_a_graph_without_a_layout_goes_on_a_circle():
    graph = Graph.from_pairs([(0, 1)], num_nodes=7, name="p6")  # a name that is known, on other nodes
    np.testing.assert_allclose(np.linalg.norm(place_nodes(graph), axis=1), 1)


def test_lines_bend_around_nodes_only():
    place = place_nodes(GRAPHS["p3"])
    near, far = draw_curves(place, np.array([[0, 1], [2, 0]]), bend=0.5)
    np.testing.assert_allclose(near, [(-1, 0), (-0.5, 0), (0, 0)])
    np.testing.assert_allclose(far, [(1, 0), (0, 1), (-1, 0)])  # upwards, whichever end comes first


def test_lines_of_outer_rows_bend_outwards():
    place = place_nodes(GRAPHS["k33"])
    above, below = draw_curves(place, np.array([[0, 2], [3, 5]]), bend=0.5)
    assert above[1, 1] > place[0, 1] and below[1, 1] < place[3, 1]


def test_only_crowded_graphs_do_without_bends():
    assert bend_of(GRAPHS["p6"]) > bend_of(GRAPHS["k33"]) > bend_of(GRAPHS["rook"]) > bend_of(GRAPHS["gadget36"]) == 0


def test_graphs_stand_side_by_side():
    graphs = [GRAPHS["c4"], GRAPHS["p6"]]
    scene = set_scene(graphs, [np.array([[0, 2]]), np.array([[0, 5]])])
    left, right = scene.place[:4], scene.place[4:]
    assert right[:, 0].min() - left[:, 0].max() == pytest.approx(GAP)
    assert (left[:, 0].min(), right[:, 0].max()) == pytest.approx((0, scene.width))
    assert len(scene.edges) == 9 and len(scene.links) == 2
    top_of_arc = scene.links[1, 1, 1] / 2 + scene.links[1, 0, 1] / 2
    assert top_of_arc == pytest.approx(scene.height / 2)
