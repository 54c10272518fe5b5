from __future__ import annotations

import io

from rich.console import Console

from benchmark_tables import TIMES
from linkwl.reports import benchmark_time
from linkwl.reports.benchmark_time import draw_times, times_markdown, times_rows_markdown, times_table


def test_the_whole_table():
    assert times_rows_markdown(TIMES) == (
        "| seconds | Alpha | Beta |\n"
        "|---|--:|--:|\n"
        "| local-2wl, ours | 0.0123 (first 0.5, 1.3 x GAE) | – |\n"
        "| 2-WL\\_L, paper's GPU | 0.007 | 0.05 |\n"
        "| PyG GAE | 0.01 (first 0.02) | – |\n"
        "| SEAL, paper's GPU | 2.3 | 15.4 |"
    )


def test_the_page_says_how_it_was_measured():
    page = times_markdown(TIMES)
    assert page.startswith("# Seconds\n\n| seconds |")
    assert page.endswith("Ours: linkwl on a CPU.\n\nRefused: 2fwl on Beta: too large.\n")


def test_the_terminal_shows_the_same():
    stream = io.StringIO()
    Console(file=stream, width=100).print(times_table(TIMES))
    assert "0.0123 (first 0.5, 1.3 x GAE)" in stream.getvalue()
    assert "2-WL_L, paper's GPU" in stream.getvalue()


def test_times_are_drawn_on_a_logarithmic_scale(monkeypatch, tmp_path):
    figures = []
    save = benchmark_time.save_png
    monkeypatch.setattr(benchmark_time, "save_png", lambda figure, path: (figures.append(figure), save(figure, path)))
    draw_times(TIMES, tmp_path / "time.png")
    assert (tmp_path / "time.png").read_bytes().startswith(b"\x89PNG")
    alpha, beta = figures[0].axes
    assert alpha.get_xscale() == "log"
    filled = {float(line.get_xdata()[0]) for line in alpha.lines if line.get_marker() == "o"}
    hollow = {float(line.get_xdata()[0]) for line in alpha.lines if line.get_marker() == "D"}
    assert (filled, hollow) == ({0.01234, 0.01}, {0.007, 2.3})
    assert {float(line.get_xdata()[0]) for line in beta.lines} == {0.05, 15.4}
    assert [label.get_text() for label in alpha.get_yticklabels()] == ["local-2wl", "PyG GAE", "SEAL"]
