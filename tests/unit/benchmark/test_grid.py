from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from linkwl.benchmark.grid import FEWER_SEEDS, GRIDS, TableCell, choose, table_name
from linkwl.datasets import CATALOGUE
from linkwl.errors import InputError, UnknownNameError
from linkwl.models.registry import ROWS, ModelRow, find_rows, model_ids


def test_every_name_is_known():
    for grid in GRIDS.values():
        assert set(grid.datasets) <= set(CATALOGUE)
        systems = {row.system for row in grid.published}
        networks = {row.published for row in find_rows("network", task=grid.task)}
        assert grid.protocol.id not in ("paper", "indigo") or networks <= systems
        assert {row.metric for row in grid.published} <= ({*grid.metrics} or {""})
        assert all(set(row.values) == set(grid.datasets) for row in grid.published)
        assert {row.system for row in grid.published_heuristics} <= set(model_ids("heuristic"))
        assert {CATALOGUE[dataset].task for dataset in grid.datasets} == {grid.task}


def test_ten_seeds_and_fewer_where_a_run_is_dear():
    counts = Counter((cell.model, cell.dataset) for cell in GRIDS["table2"].cells())
    assert counts["2wl", "pubmed"] == counts["2fwl", "pubmed"] == 1
    assert {count for place, count in counts.items() if place not in FEWER_SEEDS} == {10}
    assert len(counts) == 3 * len(model_ids("network", "own", "baseline", task="pairs"))
    asked = Counter((cell.model, cell.dataset) for cell in GRIDS["table2"].cells(seeds=3))
    assert set(asked.values()) == {3}


def test_some_cells_in_order():
    cells = GRIDS["table1"].cells(datasets=["ns", "pb"], models=["2fwl", "2wl"], seeds=2)
    assert [(cell.dataset, cell.model, cell.seed) for cell in cells] == [
        (dataset, model, seed) for dataset in ("ns", "pb") for model in ("2fwl", "2wl") for seed in (0, 1)
    ]
    assert str(TableCell("pb", "2wl", 1)) == "2wl on pb, seed 1"


def test_names_are_chosen_from_a_list():
    assert choose(" b , a,b", ["a", "b", "c"], "thing") == ["a", "b"]
    with pytest.raises(UnknownNameError, match=r"unknown thing 'usiar'; did you mean 'usair'"):
        choose("usiar", ["usair"], "thing")
    with pytest.raises(InputError, match="no thing named; choose from a, b"):
        choose(", ,", ["a", "b"], "thing")


def test_settings_that_were_not_tuned_are_kept_apart():
    assert [table_name("table1", kind) for kind in ("tuned", "paper", "default")] == [
        "table1",
        "table1-paper",
        "table1-default",
    ]
    assert [GRIDS["hits"].file_name(kind) for kind in ("default", "tuned")] == ["hits", "hits-tuned"]


def test_a_table_shows_a_metric_of_its_protocol():
    for grid in GRIDS.values():
        assert set(grid.metric_titles) <= set(grid.protocol.metrics)
        assert set(grid.selects.split("+")) <= set(grid.protocol.metrics)
    titles = [list(GRIDS[name].metric_titles.values()) for name in ("table1", "hits", "heart", "table3", "entities")]
    ranked = ["MRR", "Hits@1", "Hits@10"]
    assert titles == [["AUC"], ["Hits@100"], ["MRR"], ["ACC", "AUC", "relation Hits@3"], ranked]


def test_the_tables_of_a_protocol_share_the_records_of_heuristics():
    table = GRIDS["table1"]
    assert table.floor_folder == GRIDS["table2"].floor_folder == "heuristics"
    assert replace(table, protocol=replace(table.protocol, id="other")).floor_folder == "heuristics-other"


def test_columns_have_short_titles():
    assert list(GRIDS["table1"].dataset_titles.values())[:2] == ["USAir", "NS"]
    versions = [f"{family} v{k}" for family in ("FB", "WN") for k in (1, 2, 3, 4)]
    assert list(GRIDS["table3"].dataset_titles.values()) == versions


def test_every_model_of_triples_has_a_row_and_none_is_a_floor():
    for grid in GRIDS.values():
        if grid.task == "triples":
            assert (grid.networks, grid.floor) == (model_ids(task="triples"), [])


def test_slow_models_of_triples_have_fewer_seeds(monkeypatch):
    for name in ("indigo", "grail", "toy"):
        monkeypatch.setitem(ROWS, name, ModelRow(name, name, "none:None", "baseline", task="triples"))
    counts = {name: Counter(cell.model for cell in GRIDS[name].cells()) for name in ("table3", "entities-50")}
    found = [[counts[name][model] for model in ("toy", "indigo", "grail")] for name in counts]
    assert found == [[80, 24, 8], [24, 24, 8]]


def test_some_models_are_run_only_when_they_are_named(monkeypatch):
    for name in ("floor", "toy"):
        monkeypatch.setitem(ROWS, name, ModelRow(name, name, "none:None", "baseline", task="triples"))
    grid = GRIDS["entities"]
    usual = grid.usual_models("default")
    assert {"floor", "walk-2fwl"} <= set(usual)
    assert "toy" not in usual
    assert "toy" in grid.networks
    assert "toy" in GRIDS["table3"].usual_models("default")


def test_other_settings_are_for_models_that_have_them():
    table = GRIDS["table1"]
    assert table.usual_models("tuned") == table.usual_models("default") == table.networks
    published = table.usual_models("paper")
    assert published == [name for name in table.networks if name in published]
    assert {*model_ids("network", task="pairs"), "mf", "node2vec", "vgae", "svgae"} <= set(published)
    assert not {"walk-2fwl", "gcn"} & set(published)
