from __future__ import annotations

import json
from dataclasses import replace
from statistics import fmean, stdev

import pytest

from linkwl.benchmark import collect
from linkwl.benchmark.cell_record import CellRecord, save_cell
from linkwl.benchmark.collect import collect_scores
from linkwl.benchmark.grid import GRIDS, Grid, TableCell
from linkwl.benchmark.published import Published, PublishedRow
from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.models.registry import ROWS
from linkwl.protocols import PAPER, find_protocol
from linkwl.records import Evaluation, GraphRecord
from linkwl.reports.benchmark_table import scores_rows_markdown


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
    assert [system.name for system in table.networks] == ["2wl"]  # others have no record
    assert [(system.printed_name, system.is_in_paper) for system in table.others] == [("A", True), ("B", False)]
    assert table.datasets == {"airports": "Airports"}
    assert "protocol `paper`: 85 % of the edges train, 5 % valid and 10 % test" in table.protocol
    assert "Settings of the networks: tuned." in table.protocol


def test_the_printed_name_of_a_model_is_that_of_the_table(grid, save, tmp_path):
    save("2wl", 0, 0.9)
    row = replace(grid.published[2], system="2-WL (other)")
    beside = []
    for names in ("2-WL", ("2-WL (other)", "2-WL"), "2-WL (third)"):
        with pytest.MonkeyPatch.context() as patch:
            patch.setitem(ROWS, "2wl", replace(ROWS["2wl"], published=names))
            beside.append(
                [
                    network(collect_scores(table, tmp_path), "2wl").printed_name
                    for table in (grid, replace(grid, published=(row,)))
                ]
            )
    assert beside == [["2-WL", ""], ["2-WL", "2-WL (other)"], ["", ""]]


def test_the_floor_is_chosen_on_validation(grid, save_floor, tmp_path):
    save_floor(cn=[(0.70, 0.99), (0.70, 0.99)], aa=[(0.80, 0.60), (0.80, 0.70)])
    table = collect_scores(grid, tmp_path)
    best = table.floor.ours["airports"]
    assert (best.detail, best.mean, best.num_seeds) == ("aa", pytest.approx(65.0), 2)
    assert table.floor.printed["airports"].mean == 91.0
    assert all(system.ours == {} for system in table.networks)
    save_floor(cn=[(0.95, 0.99)], aa=[(0.80, 0.60)])
    floor = collect_scores(grid, tmp_path).floor
    assert floor.ours["airports"].detail == "cn"
    assert floor.printed == {}


def test_the_floor_was_measured_as_the_networks_were(grid, save, save_floor, tmp_path):
    save("2wl", 0)
    save_floor(cn=[(0.7, 0.7)], aa=[(0.8, 0.8)])
    assert collect_scores(grid, tmp_path).floor.ours
    save("aa", 0, folder="heuristics", graph=GraphRecord("airports", 3, 2, "another"))
    table = collect_scores(grid, tmp_path)
    assert table.floor.ours == {}
    assert table.notes == ("Left out: the heuristics on airports, measured on another graph than the networks.",)
    save("aa", 0, folder="heuristics", protocol=replace(PAPER, metrics=("auc",)))
    table = collect_scores(grid, tmp_path)
    assert table.floor.ours == {}
    assert table.notes[0].startswith("Left out: 1 record of aa on airports, made with other settings")
    assert table.notes[1] == "Left out: the heuristics on airports, without a run of aa."


def test_the_best_of_some_is_no_floor(grid, save, save_floor, tmp_path):
    save("2wl", 0)
    save_floor(cn=[(0.7, 0.7)])
    table = collect_scores(grid, tmp_path)
    assert (table.floor.ours, table.notes) == ({}, ("Left out: the heuristics on airports, without a run of aa.",))
    save("aa", 0, folder="heuristics", refusal="too large.")
    assert collect_scores(grid, tmp_path).floor.ours == {}


def test_another_metric_and_protocol(grid, save, save_floor, tmp_path):
    """Both the metric that is shown and the one that chooses the floor are the protocol's."""
    other = replace(PAPER, id="other", metrics=("ap", "auc"))
    grid = replace(grid, protocol=other)
    save("2wl", 0, 0.7)
    save("2wl", 1, 0.9, protocol=other)
    for model in grid.floor:
        save(model, 0, 0.8, folder="heuristics-other", protocol=other)
    table = collect_scores(grid, tmp_path)
    assert (table.title, table.metric) == ("Toy table, test AP %", "AP")
    assert network(table, "2wl").ours["airports"].mean == pytest.approx(90.0)
    assert table.floor.ours["airports"].mean == pytest.approx(80.0)
    assert table.sources == ("toy", "heuristics-other")
    assert scores_rows_markdown(table).startswith("| AP % | Airports |")


def test_every_kind_of_settings_has_a_table_of_its_own(grid, save, tmp_path):
    save("2wl", 0, 0.9)
    save("2wl", 0, 0.7, folder="toy-paper")
    for kind, name, mean in (("tuned", "toy", 90.0), ("paper", "toy-paper", 70.0)):
        table = collect_scores(grid, tmp_path, kind)
        assert (table.name, table.sources) == (name, (name, "heuristics"))
        assert network(table, "2wl").ours["airports"].mean == pytest.approx(mean)
    with pytest.raises(
        InputError, match="toy-default: there is no record of toy; run `linkwl bench toy --settings def"
    ):
        collect_scores(grid, tmp_path, "default")


def test_records_made_otherwise_are_left_out_and_told(grid, save, tmp_path):
    save("2wl", 0, 0.9, config={"channels": 8})
    save("2wl", 1, 0.8, config={"channels": 8})
    assert collect_scores(grid, tmp_path).notes == ()
    save("2wl", 2, 0.1, config={"channels": 4})
    save("2wl", 10, 0.1, config={"channels": 4})
    table = collect_scores(grid, tmp_path)
    assert network(table, "2wl").ours["airports"].mean == pytest.approx(85.0)
    assert table.notes == (
        "Left out: 2 records of 2wl on airports, made with other settings, on another graph or under another protocol "
        "than the rest.",
    )


def test_a_setting_that_came_after_a_record_counts_as_its_default(grid, save, tmp_path):
    save("2wl", 0, 0.9, config={"encoder": {"layers": 5}})
    save("2wl", 1, 0.8, config=create_model("2wl", encoder={"layers": 5}).config.model_dump(mode="json"))
    table = collect_scores(grid, tmp_path)
    assert network(table, "2wl").ours["airports"].num_seeds == 2
    assert table.notes == ()


def test_the_settings_of_today_count_for_more_than_the_many(grid, save, tmp_path, monkeypatch):
    monkeypatch.setattr(collect, "bundled_settings", lambda *_: {"encoder": {"channels": 4}})
    save("2wl", 0, 0.9, config={"encoder": {"channels": 4, "layers": 2}})
    save("2wl", 1, 0.1, config={"encoder": {"channels": 8, "layers": 2}})
    save("2wl", 2, 0.1, config={"encoder": {"channels": 8, "layers": 2}})
    assert network(collect_scores(grid, tmp_path), "2wl").ours["airports"].mean == pytest.approx(90.0)


def test_records_under_another_protocol_are_left_out_and_told(grid, save, tmp_path):
    path = save("2wl", 0, 0.1)
    record = json.loads(path.read_text())
    record["protocol"]["test_ratio"] = 0.5
    path.write_text(json.dumps(record))
    save("2wl", 1, 0.8)
    table = collect_scores(grid, tmp_path)
    assert network(table, "2wl").ours["airports"].mean == pytest.approx(80.0)
    assert table.notes[0].startswith("Left out: 1 record of 2wl on airports")


def test_a_refused_cell_is_a_word(grid, save, tmp_path):
    save("2wl", 0, refusal="2wl takes about 40.0 GB; use local-2wl.")
    table = collect_scores(grid, tmp_path)
    score = network(table, "2wl").ours["airports"]
    assert (score.mean, score.word) == (None, "refused")
    assert table.refusals == {"2wl on Airports": "2wl takes about 40.0 GB; use local-2wl."}
    save("2wl", 1, 0.9)
    assert network(collect_scores(grid, tmp_path), "2wl").ours["airports"].num_seeds == 1


def test_nothing_there_is_one_sentence(grid, tmp_path):
    with pytest.raises(InputError, match=f"{tmp_path}/toy: there is no record of toy; run `linkwl bench toy` first"):
        collect_scores(grid, tmp_path)


def test_a_broken_record_is_one_sentence(grid, save, tmp_path):
    save("2wl", 0)
    path = save("2wl", 1)
    path.write_text(path.read_text()[:-30])
    with pytest.raises(InputError, match=r"2wl\.jsonl, line 2: this is not a readable record"):
        collect_scores(grid, tmp_path)


def test_out_of_memory_is_a_word_of_the_paper(tmp_path):
    table2, table1 = GRIDS["table2"], replace(GRIDS["table1"], datasets=("power",))
    evaluation = Evaluation(GraphRecord("any", 1, 1, ""), PAPER.to_json(), ())
    for name, cell in (("table2", TableCell("pubmed", "2wl", 0)), ("table1", TableCell("power", "2wl", 0))):
        save_cell(tmp_path / name, CellRecord(cell, "tuned", {}, evaluation, "too large"))
    table = collect_scores(table2, tmp_path)
    score = network(table, "2wl").printed["pubmed"]
    assert (score.mean, score.word) == (None, "OOM")
    for dataset in table.datasets:
        values = [row.values[dataset].value or 0 for row in table2.published if row.is_in_paper]
        assert table.best_of_paper(dataset) == max(values)
    # SEAL's second row is not in the paper's table, so it does not count as its best.
    seal = next(row for row in table1.published if not row.is_in_paper)
    assert collect_scores(table1, tmp_path).best_of_paper("power") < seal.values["power"].value


def test_cells_without_a_record_are_dashes_and_models_without_one_have_no_row(save, tmp_path):
    save("local-2wl", 0, 0.9, folder="table1")
    table = collect_scores(replace(GRIDS["table1"], datasets=("usair", "airports"), published=()), tmp_path)
    rows = scores_rows_markdown(table).splitlines()
    assert "| local-2wl, ours | – | **90.00** (1) |" in rows
    assert not any(row.startswith("| 2fwl") for row in rows)


@pytest.fixture
def triples():
    """A table of two metrics, without a floor."""
    rows = tuple(
        PublishedRow(system, "a paper", {"wn18rr_v1": Published(value, None, "")}, is_in_paper, metric)
        for system, metric, value, is_in_paper in (
            ("2-FWL_L", "acc", 80.0, True),
            ("2-FWL_L", "auc", 95.0, True),
            ("NBFNet", "auc", 99.0, False),
        )
    )
    protocol = find_protocol("indigo")
    settings = {"models": ("floor", "local-2fwl"), "task": "triples", "metrics": ("acc", "auc"), "settings": "default"}
    return Grid("facts", "Facts", ("wn18rr_v1",), rows, protocol=protocol, **settings)


@pytest.fixture
def save_fact(make_record, triples, tmp_path):
    def write(model, acc, auc, seed=0):
        record = make_record(model, seed, protocol=triples.protocol)
        metrics = dict.fromkeys(triples.protocol.metrics, 0.5) | {"acc": acc, "auc": auc}
        run = replace(record.run, metrics=metrics)
        cell = TableCell("wn18rr_v1", model, seed)
        save_cell(tmp_path / "facts", replace(record, cell=cell, evaluation=replace(record.evaluation, runs=(run,))))

    return write


def test_every_metric_has_a_block_and_its_own_printed_numbers(triples, save_fact, tmp_path):
    save_fact("floor", 0.6, 0.7)
    save_fact("local-2fwl", 0.85, 0.9)
    table = collect_scores(triples, tmp_path, "default")
    assert [block.metric for block in table.blocks] == ["ACC", "AUC"]
    assert scores_rows_markdown(table) == (
        "| ACC % | WN v1 |\n|---|--:|\n"
        "| floor, ours | 60.00 (1) |\n"
        "| local-2fwl, ours | **85.00** (1) |\n"
        "| 2-FWL\\_L, paper | 80.0 |\n"
        "| best of our networks minus best of paper | +5.00 |\n"
        "\n"
        "| AUC % | WN v1 |\n|---|--:|\n"
        "| floor, ours | 70.00 (1) |\n"
        "| local-2fwl, ours | **90.00** (1) ▼ |\n"
        "| 2-FWL\\_L, paper | 95.0 |\n"
        "| best of our networks minus best of paper | -5.00 |\n"
        "| NBFNet, its own paper | 99.0 |"
    )
    assert (table.title, table.sources, table.floor.name) == ("Facts, test %", ("facts",), "")
    assert "under protocol `indigo`: the benchmark's own division" in table.protocol


def test_a_system_that_was_not_run_is_printed_alone(triples, save_fact, tmp_path):
    save_fact("floor", 0.6, 0.7)
    table = collect_scores(triples, tmp_path, "default")
    assert [system.name for system in table.networks] == ["floor"]
    assert [system.printed_name for system in table.others] == ["2-FWL_L"]
    assert table.best_of_paper("wn18rr_v1") == 80.0
