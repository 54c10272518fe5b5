from __future__ import annotations

import pytest

from linkwl.predict.explain_triple import explain_triple
from linkwl.reports.report_figures import image, save_figure
from linkwl.reports.triple_figure import _free_point, _short, fact_paths


def texts(figure):
    """Everything that is written in a figure."""
    return [text.get_text() for text in figure.axes[0].texts]


def test_entities_and_relations_are_named(fact_predictor):
    graph = fact_predictor.graph_
    found = fact_predictor.explain((2, "child of", 0))
    written = texts(fact_paths(graph, found))
    paths = [path for part in found.parts for path in part.group.paths]
    for node in {node for path in paths for node in path.nodes}:
        assert written.count(str(graph.ids[node])) == 1
    steps = {step for path in paths for step in path.steps}
    relations = [str(graph.relations[step[0][1]]) for step in steps]
    for relation in set(relations):
        assert written.count(relation) == relations.count(relation) + (relation == "child of")


def test_arrows_point_from_head_to_tail(fact_predictor):
    graph = fact_predictor.graph_
    figure = fact_paths(graph, fact_predictor.explain((2, "child of", 0)))
    spot = {text.get_text(): text.xy for text in figure.axes[0].texts if hasattr(text, "xy") and text.get_text()}
    arrows = [(text.xyann, text.xy) for text in figure.axes[0].texts if getattr(text, "arrow_patch", None) is not None]
    assert (spot["2"], spot["0"]) in arrows
    down = [(start, end) for start, end in arrows if start[0] == 1.0 and end[0] == 0.0]
    assert len(down) == 1  # 0 -parent of-> 2, below the triple


@pytest.mark.parametrize(("name", "start"), [("why.svg", b"<?xml"), ("why.png", b"\x89PNG")])
def test_pictures_are_written(fact_predictor, tmp_path, name, start):
    save_figure(fact_paths(fact_predictor.graph_, fact_predictor.explain((2, "sibling of", 3))), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_pictures_are_the_same_every_time(fact_predictor):
    found = fact_predictor.explain((2, "sibling of", 3))
    assert image(fact_paths(fact_predictor.graph_, found)) == image(fact_paths(fact_predictor.graph_, found))


def test_a_triple_without_paths_is_drawn_as_well(fact_predictor):
    graph = fact_predictor.graph_
    found = explain_triple(fact_predictor.model_, graph, (2, 0, 20))
    assert all(part.group.is_background for part in found.parts)
    assert texts(fact_paths(graph, found)) == ["", "child of", "2", "20"]


def test_long_names_are_cut():
    assert _short("official language") == "official language"
    assert _short("Democratic Republic of the Congo") == "Democratic Republic of …"
    assert _short("/people/person/places_lived./people/place") == "…ces_lived./people/place"


def test_names_of_relations_move_aside():
    assert _free_point((0.0, 0.0), (1.0, 1.0), []) == (0.5, 0.5)
    assert _free_point((0.0, 0.0), (1.0, 0.0), [(0.5, 0.1)]) == pytest.approx((0.3, 0.0))
    everywhere = [(x / 10, 0.0) for x in range(11)]
    assert _free_point((0.0, 0.0), (1.0, 0.0), everywhere) == (0.5, 0.0)
