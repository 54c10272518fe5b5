from __future__ import annotations

from dataclasses import replace

import matplotlib.image
import pytest
from matplotlib.figure import Figure

from benchmark_tables import SCORES
from linkwl.errors import OutputError
from linkwl.reports import benchmark_figure
from linkwl.reports.benchmark_figure import best_other, draw_scores, is_far_below
from linkwl.reports.benchmark_table import Score, System


def draw(table, path) -> Figure:
    """Draws a table and gives the figure as well."""
    figures: list[Figure] = []
    save = benchmark_figure.save_png
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(benchmark_figure, "save_png", lambda figure, path: (figures.append(figure), save(figure, path)))
        draw_scores(table, path)
    return figures[0]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("figures")


@pytest.fixture(scope="module")
def figure(folder):
    return draw(SCORES, folder / "toy.png")


def marks(axes) -> list[tuple[float, float, bool]]:
    """Every mark: where it stands, and whether it is hollow."""
    found = []
    for line in axes.lines:
        if line.get_marker() in ("o", "D"):
            (x,), (y,) = line.get_xdata(), line.get_ydata()
            found.append((float(x), float(y), line.get_markerfacecolor() == "white"))
    return found


def test_ours_are_filled_and_printed_ones_hollow(figure):
    alpha, beta = figure.axes
    expected = {(94.4, False), (95.0, True), (96.104, False), (96.5, True), (96.1, False), (93.0, False), (93.21, True)}
    assert {(x, is_hollow) for x, _, is_hollow in marks(alpha)} == expected
    assert {(x, is_hollow) for x, _, is_hollow in marks(beta)} == {(80.0, False), (79.0, True)}
    assert [axes.get_title(loc="left") for axes in figure.axes] == ["Alpha", "Beta"]
    assert figure.get_suptitle() == "Toy table"
    assert "under protocol paper." in figure.get_supxlabel().replace("\n", " ")


def test_both_marks_of_a_system_share_a_row(figure):
    for x, y, _ in marks(figure.axes[0]):
        row = {94.4: 0, 95.0: 0, 96.104: 1, 96.5: 1, 96.1: 2, 93.0: 3, 93.21: 3}[x]
        assert round(y) == row


def test_what_is_no_number_is_a_word(figure):
    texts = {text.get_text(): text.get_position()[1] for text in figure.axes[1].texts}
    assert list(texts) == ["printed: OOM", "ours: refused"]
    # Each stands where its mark would, clear of the other mark of its row.
    heights = {x: y for x, y, _ in marks(figure.axes[1])}
    assert texts["printed: OOM"] > 0 > heights[80.0]
    assert texts["ours: refused"] < 1 < heights[79.0]


def test_the_floor_has_a_name(figure):
    alpha, beta = figure.axes
    assert [text.get_text() for text in alpha.texts] == ["ra"]
    assert "ra" not in [text.get_text() for text in beta.texts]


def test_a_floor_far_below_does_not_crowd_the_networks(tmp_path):
    assert not is_far_below(SCORES, SCORES.floor, "a")
    assert not is_far_below(SCORES, SCORES.floor, "b")
    low = replace(SCORES, floor=replace(SCORES.floor, ours={"a": Score(55.0, detail="ra")}, printed={"a": Score(56.0)}))
    assert is_far_below(low, low.floor, "a")
    axes = draw(low, tmp_path / "low.png").axes[0]
    assert min(x for x, _, _ in marks(axes)) > 90
    assert axes.get_xlim()[0] > 90
    assert [text.get_text() for text in axes.texts] == ["◂ ra: ours 55.0, printed 56.0"]


def test_another_system_far_below_is_written(tmp_path):
    rival = System("vgae", "VGAE", {"a": Score(61.5, 1.0, 10)}, {"a": Score(60.25)}, is_rival=True)
    axes = draw(replace(SCORES, networks=(*SCORES.networks, rival)), tmp_path / "rival.png").axes[0]
    assert "◂ ours 61.5, printed 60.2" in [text.get_text() for text in axes.texts]
    assert axes.get_xlim()[0] > 90


def test_the_line_is_the_best_baseline_in_the_papers_table(figure):
    assert (best_other(SCORES, "a"), best_other(SCORES, "b")) == (91.5, 82.0)
    lines = [line for line in figure.axes[0].lines if list(line.get_xdata()) == [91.5, 91.5]]
    assert len(lines) == 1


def test_every_metric_has_its_own_panels(tmp_path):
    networks = tuple(replace(system, ours={"a": Score(50.0)}, printed={}) for system in SCORES.networks)
    second = replace(SCORES, metric="AP", networks=networks, floor=replace(SCORES.floor, ours={}, printed={}))
    panels = draw(replace(SCORES, further=(second,)), tmp_path / "two.png").axes
    assert [axes.get_title(loc="left") for axes in panels] == ["Alpha, AUC", "Beta, AUC", "Alpha, AP", "Beta, AP"]
    assert [len(marks(axes)) for axes in panels] == [7, 2, 3, 0]


def test_a_table_without_heuristics_has_no_row_for_them(figure, tmp_path):
    assert len(figure.axes[0].get_yticks()) == 4
    alone = draw(replace(SCORES, floor=System("", "")), tmp_path / "alone.png")
    assert [label.get_text() for label in alone.axes[0].get_yticklabels()] == ["2wl", "local-2wl", "2fwl"]


def test_the_same_values_give_the_same_bytes(figure, folder):
    again = folder / "again.png"
    draw_scores(SCORES, again)
    assert again.read_bytes() == (folder / "toy.png").read_bytes()
    height, width, _ = matplotlib.image.imread(again).shape
    assert 1600 >= width > height > 200


def test_a_place_that_cannot_be_written(tmp_path):
    with pytest.raises(OutputError):
        draw_scores(SCORES, tmp_path / "no" / "toy.png")
