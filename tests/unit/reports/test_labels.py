from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from linkwl.reports.labels import place_labels


def labelled(points, texts, **options):
    figure = Figure(figsize=(5, 4), layout="constrained")
    axes = figure.add_subplot()
    axes.set(xlim=(0, 1), ylim=(0, 1))
    axes.set_axis_off()
    labels = place_labels(axes, np.asarray(points, dtype=float).reshape(-1, 2), texts, **options)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    boxes = [super(type(label), label).get_window_extent(canvas.get_renderer()) for label in labels]
    return figure, axes, labels, boxes


@pytest.mark.parametrize("seed", range(4))
def test_labels_overlap_neither_each_other_nor_the_edge(seed):
    generator = np.random.default_rng(seed)
    points = np.concatenate([generator.random((12, 2)), 0.5 + 0.03 * generator.random((8, 2))])
    figure, _, _, boxes = labelled(points, [f"node {k}" for k in range(20)])
    for one, other in combinations(boxes, 2):
        assert not one.overlaps(other)
    for box in boxes:
        assert figure.bbox.x0 <= box.x0
        assert box.x1 <= figure.bbox.x1
        assert figure.bbox.y0 <= box.y0
        assert box.y1 <= figure.bbox.y1


def test_a_label_with_room_is_beside_its_point_and_has_no_line():
    _, axes, (label,), (box,) = labelled([(0.5, 0.5)], ["a"])
    x, y = axes.transData.transform((0.5, 0.5))
    assert 0 < box.x0 - x < 12
    assert box.y0 < y < box.y1
    assert label.arrow_patch is None


def test_one_that_moved_away_has_a_line():
    _, _, labels, _ = labelled([(0.5, 0.5)] * 12, [f"{k}" for k in range(12)])
    assert [label.arrow_patch is not None for label in labels].count(True) >= 4
    assert labels[0].arrow_patch is None


def test_dots_are_avoided():
    _, axes, _, (box,) = labelled([(0.5, 0.5)], ["label"], dots=np.array([(0.53, 0.5), (0.54, 0.5)]))
    x, _ = axes.transData.transform((0.5, 0.5))
    assert box.x1 < x


def test_nothing_to_label():
    assert labelled(np.empty((0, 2)), [])[2] == []
