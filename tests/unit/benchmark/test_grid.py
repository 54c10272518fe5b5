from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from linkwl.benchmark.grid import FEWER_SEEDS, GRIDS, TableCell, choose, table_name
from linkwl.datasets import CATALOGUE
from linkwl.errors import InputError, UnknownNameError
from linkwl.models.registry import find_rows, model_ids


def test_every_name_is_known():
    for grid in GRIDS.values():
        assert set(grid.datasets) <= set(CATALOGUE)
        systems = {row.system for row in grid.published}
        assert grid.name in ("hits", "heart") or {row.published for row in find_rows("network")} <= systems
        assert all(set(row.values) == set(grid.datasets) for row in grid.published)
        assert {row.system for row in grid.published_heuristics} <= set(model_ids("heuristic"))


def test_ten_seeds_and_fewer_where_a_run_is_dear():
    counts = Counter((cell.model, cell.dataset) for cell in GRIDS["table2"].cells())
    assert counts["2wl", "pubmed"] == counts["2fwl", "pubmed"] == 1
    assert {count for place, count in counts.items() if place not in FEWER_SEEDS} == {10}
    assert len(counts) == 3 * len(model_ids("network", "own"))
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
        assert grid.metric in grid.protocol.metrics
        assert grid.selects in grid.protocol.metrics
    assert [GRIDS[name].metric_title for name in ("table1", "hits", "heart")] == ["AUC", "Hits@100", "MRR"]


def test_the_tables_of_a_protocol_share_the_records_of_heuristics():
    table = GRIDS["table1"]
    assert table.floor_folder == GRIDS["table2"].floor_folder == "heuristics"
    assert replace(table, protocol=replace(table.protocol, id="other")).floor_folder == "heuristics-other"
