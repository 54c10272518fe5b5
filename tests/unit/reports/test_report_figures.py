from __future__ import annotations

from itertools import combinations

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

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
