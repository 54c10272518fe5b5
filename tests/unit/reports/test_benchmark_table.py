from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from benchmark_tables import SCORES
from linkwl.reports.benchmark_table import (
    SHORT,
    TOLERANCE,
    Score,
    ScoreTable,
    System,
    scores_legend,
    scores_markdown,
    scores_rows_markdown,
    scores_tables,
)


def rows(table=SCORES) -> dict[str, list[str]]:
    lines = [line.strip("| ").split(" | ") for line in scores_rows_markdown(table).splitlines()]
    return {line[0]: line[1:] for line in lines}


def test_the_whole_table():
    assert scores_rows_markdown(SCORES) == (
        "| AUC % | Alpha | Beta |\n"
        "|---|--:|--:|\n"
        f"| 2wl, ours | 94.40 ± 1.25 {SHORT} | **80.00** (1) |\n"
        "| 2-WL, paper | 95.00 ± 0.50 | OOM |\n"
        "| local-2wl, ours | **96.10** ± 0.40 | refused |\n"
        "| 2-WL\\_L, paper | 96.50 ± 0.25 | 79.00 ± 1.00 |\n"
        "| 2fwl, ours | **96.10** ± 0.30 (3) | – |\n"
        "| best heuristic, ours | 93.00 ± 1.00 ra | – |\n"
        "| the same heuristic, in print | 93.21 | – |\n"
        "| best of our networks minus best of paper | -0.40 | -2.00 |\n"
        "| MF\\_x, paper | 91.5 | 82.0 |\n"
        "| SEAL, its own paper | 99.00 ± 0.10 | – |"
    )


def test_other_systems_run_here_may_be_the_best_and_are_not_ours():
    rival = System("boosting", "", {"a": Score(97.0, 0.5, 10), "b": Score(79.5, None, 1)}, is_rival=True)
    found = rows(replace(SCORES, networks=(*SCORES.networks, rival)))
    assert found["boosting, ours"] == ["**97.00** ± 0.50", "79.50 (1)"]
    assert found["local-2wl, ours"][0] == "96.10 ± 0.40"
    assert found["best of our networks minus best of paper"] == ["-0.40", "-2.00"]


def test_means_that_look_equal_are_both_best():
    cells = [row[0] for label, row in rows().items() if label.endswith("ours") and "**" in row[0]]
    assert len(cells) == 2


def test_a_table_without_a_floor_or_printed_rows():
    networks = tuple(replace(system, printed={}) for system in SCORES.networks)
    bare = replace(SCORES, networks=networks, floor=replace(SCORES.floor, ours={}, printed={}), others=())
    assert [label for label in rows(bare) if "heuristic" in label or "best" in label] == []


def test_a_network_may_be_printed_elsewhere():
    networks = (replace(SCORES.networks[0], is_in_paper=False),)
    found = rows(replace(SCORES, networks=networks, others=()))
    assert found["2-WL, its own paper"] == ["95.00 ± 0.50", "OOM"]
    assert "best of our networks minus best of paper" not in found


def test_there_is_a_block_for_every_metric():
    second = replace(SCORES, metric="AP", networks=SCORES.networks[2:])
    table = replace(SCORES, further=(second,))
    assert table.blocks == (table, second)
    first, rest = scores_rows_markdown(table).split("\n\n")
    assert (first, rest) == (scores_rows_markdown(SCORES), scores_rows_markdown(second))
    assert rest.startswith("| AP % | Alpha | Beta |\n|---|--:|--:|\n| 2fwl, ours | **96.10**")
    assert len(scores_tables(table, 120)) == 2
    assert json.loads(json.dumps(table.to_json()))["further"][0]["metric"] == "AP"


def test_a_table_without_heuristics_does_not_mention_them():
    assert "heuristic" in scores_legend(SCORES)
    assert "heuristic" not in scores_legend(replace(SCORES, floor=System("", ""), sources=("toy",)))


def test_the_page_says_what_is_whose():
    page = scores_markdown(SCORES)
    assert page.startswith("# Toy table\n\nOurs: linkwl under protocol `paper`.\n\n| AUC %")
    assert "Rows `ours` are drawn from the records in `toy` and `heuristics`:" in page
    assert "Printed: the numbers of Hu et al., 2022" in page
    assert "Refused: local-2wl on Beta: too large; use 2wl." in page
    assert page.endswith("Left out: 1 record.\n")
    assert "over 10 seeds" in scores_legend(SCORES)


def shown(width: int) -> str:
    stream = io.StringIO()
    console = Console(file=stream, width=width)
    for part in scores_tables(SCORES, width):
        console.print(part)
    return stream.getvalue()


def test_a_terminal_shows_as_many_datasets_as_fit():
    wide, narrow = shown(120), shown(60)
    assert (len(scores_tables(SCORES, 120)), len(scores_tables(SCORES, 60))) == (1, 2)
    for text in (wide, narrow):
        assert "2-WL_L, paper" in text
        assert f"94.40 ± 1.25 {SHORT}" in text
        assert "80.00 (1)" in text
        assert "MF_x" not in text
        assert "…" not in text
    alone = replace(SCORES, networks=SCORES.networks[2:])  # has records of one dataset only
    assert [len(part.columns) for part in scores_tables(alone, 120)] == [2]
    assert narrow.count("2wl, ours") == 2 * wide.count("2wl, ours")


def system(ours, printed, *, is_in_paper=True):
    return System(
        "ours",
        "printed",
        {} if ours is None else {"x": Score(ours)},
        {} if printed is None else {"x": Score(printed)},
        is_in_paper,
    )


@pytest.mark.parametrize(
    ("ours", "printed", "short"),
    [
        (95.0, 95.0 + TOLERANCE, False),
        (94.99, 95.5, True),
        (96.0, 95.0, False),
        (None, 95.0, False),
        (9.0, None, False),
    ],
)
def test_ours_falls_short_beyond_the_tolerance(ours, printed, short):
    assert system(ours, printed).falls_short("x") is short


def test_a_word_is_no_number():
    refused = System("a", "b", {"x": Score(None, word="refused")}, {"x": Score(90.0)})
    out_of_memory = System("a", "b", {"x": Score(90.0)}, {"x": Score(None, word="OOM")})
    assert not refused.falls_short("x")
    assert not out_of_memory.falls_short("x")


def score_table(networks, others=()):
    return ScoreTable("t", "T", "AP", {"x": "X"}, tuple(networks), System("", ""), tuple(others), "", 10)


def test_the_best_of_ours_and_of_the_paper():
    made = score_table(
        [system(90.0, 95.0), system(92.0, None), system(None, 96.0)],
        [system(None, 97.0), system(None, 99.0, is_in_paper=False)],
    )
    assert made.best_of_ours("x") == 92.0
    assert made.best_of_paper("x") == 97.0
    empty = score_table([system(None, None)])
    assert (empty.best_of_ours("x"), empty.best_of_paper("x")) == (None, None)


def test_a_table_can_be_written_as_json():
    values = json.loads(json.dumps(score_table([system(90.0, 95.0)]).to_json()))
    assert values["networks"][0]["ours"]["x"]["mean"] == 90.0
