from __future__ import annotations

import subprocess
import sys
from statistics import fmean, stdev

import pytest

from linkwl.benchmark.collect import collect_scores
from linkwl.benchmark.grid import GRIDS
from linkwl.errors import InputError


def network(table, name):
    return next(system for system in table.networks if system.name == name)


def test_mean_and_spread_over_seeds(grid, save, tmp_path):
    values = [0.90, 0.94, 0.95]
    for seed, value in enumerate(values):
        save("2wl", seed, value)
    save("local-2wl", 0, 0.97)
    table = collect_scores(grid, tmp_path)
    score = network(table, "2wl").ours["airports"]
    assert score.mean == pytest.approx(100 * fmean(values))
    assert score.std == pytest.approx(100 * stdev(values))
    assert score.num_seeds == 3
    single = network(table, "local-2wl").ours["airports"]
    assert (single.mean, single.std, single.num_seeds) == (pytest.approx(97.0), None, 1)
    assert table.full_seeds == 10


def test_printed_numbers_stand_beside_ours(grid, save, tmp_path):
    save("2wl", 0, 0.9)
    table = collect_scores(grid, tmp_path)
    printed = network(table, "2wl").printed["airports"]
    assert (printed.mean, printed.std, printed.source) == (95.0, 0.5, "a paper, row 2-WL")
    assert network(table, "local-2wl").printed == {}
    assert [(system.printed_name, system.is_in_paper) for system in table.others] == [("A", True), ("B", False)]
    assert table.datasets == {"airports": "Airports"}
    assert "protocol `paper`: 85 % of the edges train, 5 % valid and 10 % test" in table.protocol
    assert "Settings of the networks: tuned." in table.protocol


def test_the_floor_is_chosen_on_validation(grid, save, tmp_path):
    for seed in range(2):
        save("cn", seed, 0.99, valid=0.70)
        save("aa", seed, 0.60 + seed / 10, valid=0.80)
    floor = collect_scores(grid, tmp_path).floor
    assert floor.ours["airports"].detail == "aa"
    assert floor.ours["airports"].mean == pytest.approx(65.0)
    assert floor.printed["airports"].mean == 91.0
    save("cn", 0, 0.99, valid=0.95)
    floor = collect_scores(grid, tmp_path).floor
    assert floor.ours["airports"].detail == "cn"
    assert floor.printed == {}


def test_records_made_otherwise_are_left_out_and_told(grid, save, tmp_path):
    save("2wl", 0, 0.9, config={"channels": 8})
    save("2wl", 1, 0.8, config={"channels": 8})
    assert collect_scores(grid, tmp_path).notes == ()
    save("2wl", 2, 0.1, config={"channels": 4})
    save("2wl", 10, 0.1, config={"channels": 4})
    table = collect_scores(grid, tmp_path)
    assert network(table, "2wl").ours["airports"].mean == pytest.approx(85.0)
    assert table.notes == (
        "Left out: 2 records of 2wl on airports made with other settings, or on another graph, than that of seed 0.",
    )


def test_a_refused_cell_is_a_word(grid, save, tmp_path):
    save("2wl", 0, refusal="2wl takes about 40.0 GB; use local-2wl.")
    table = collect_scores(grid, tmp_path)
    score = network(table, "2wl").ours["airports"]
    assert (score.mean, score.word) == (None, "refused")
    assert table.refusals == {"2wl on Airports": "2wl takes about 40.0 GB; use local-2wl."}
    save("2wl", 1, 0.9)
    assert network(collect_scores(grid, tmp_path), "2wl").ours["airports"].num_seeds == 1


def test_nothing_there_is_one_sentence(grid, tmp_path):
    with pytest.raises(InputError, match=f"{tmp_path}: no record of toy is here; run `linkwl bench toy` first"):
        collect_scores(grid, tmp_path)


def test_a_broken_record_is_one_sentence(grid, save, tmp_path):
    save("2wl", 0)
    path = save("2wl", 1)
    path.write_text(path.read_text()[:-30])
    with pytest.raises(InputError, match=r"seed-1\.json: this is not a readable record"):
        collect_scores(grid, tmp_path)


def test_out_of_memory_is_a_word_of_the_paper(tmp_path):
    from dataclasses import replace

    from linkwl.benchmark.cell_record import CellRecord
    from linkwl.benchmark.grid import Cell
    from linkwl.records import Evaluation, GraphRecord
    from linkwl.splits import PAPER

    cell = Cell("pubmed", "2wl", 0)
    evaluation = Evaluation(GraphRecord("pubmed", 1, 1, ""), PAPER.to_json(), ())
    CellRecord(cell, "tuned", {}, evaluation, "too large").save(tmp_path / cell.place)
    table = collect_scores(GRIDS["table2"], tmp_path)
    score = network(table, "2wl").printed["pubmed"]
    assert (score.mean, score.word) == (None, "OOM")
    best = {dataset: table.best_of_paper(dataset) for dataset in table.datasets}
    rows = [row for row in GRIDS["table2"].published if row.is_in_paper]
    for dataset, value in best.items():
        assert value == max(row.values[dataset].value or 0 for row in rows)
    # SEAL's second row is not in the paper's table, so it does not count as its best.
    first = replace(GRIDS["table1"], datasets=("power",))
    cell = Cell("power", "2wl", 0)
    CellRecord(cell, "tuned", {}, evaluation, "too large").save(tmp_path / "one" / cell.place)
    power = collect_scores(first, tmp_path / "one")
    seal = next(row for row in first.published if not row.is_in_paper)
    assert power.best_of_paper("power") < seal.values["power"].value


def test_drawing_loads_neither_torch_nor_graphs(save, tmp_path):
    save("2wl", 0)
    script = f"""
import sys
from pathlib import Path
from linkwl.benchmark.collect import collect_scores
from linkwl.benchmark.collect_times import collect_times
from linkwl.benchmark.grid import Grid
from linkwl.reports.benchmark_figure import draw_scores
from linkwl.reports.benchmark_table import scores_markdown
from linkwl.reports import benchmark_time
table = collect_scores(Grid("toy", "Toy", ("airports",)), Path({str(tmp_path)!r}))
draw_scores(table, Path({str(tmp_path / "toy.png")!r}))
assert "90.00" in scores_markdown(table)
assert "torch" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", script], check=True)
