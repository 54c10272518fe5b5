from __future__ import annotations

from dataclasses import replace

import pytest

from linkwl.benchmark import tables
from linkwl.benchmark.grid import FLOOR
from linkwl.benchmark.tables import check_drawable, draw_score_table, draw_time_table, plan_table
from linkwl.benchmark.timing import Clock, TimeRecord, save_times
from linkwl.datasets import load_airports
from linkwl.errors import InputError, OutputError
from linkwl.protocols import PAPER
from linkwl.records import GraphRecord


def plan(grid, out, *models, seeds=None, kind="tuned", open_dataset=lambda _: load_airports()):
    values = {"datasets": grid.datasets, "models": models, "seeds": seeds, "kind": kind, "open_dataset": open_dataset}
    return plan_table(grid, out, **values)


def test_heuristics_come_first(grid, tmp_path):
    found = plan(grid, tmp_path, FLOOR, "2wl", seeds=2, kind="paper")
    tasks = [(task.cell.model, task.cell.seed, task.folder.name, task.kind) for task in found.tasks]
    floor = [(model, seed, "heuristics", "default") for model in grid.floor for seed in range(2)]
    assert tasks == floor + [("2wl", seed, "toy-paper", "default") for seed in range(2)]
    assert (found.num_done, found.num_replaced, found.protocol) == (0, 0, PAPER)


def test_what_is_there_is_counted(grid, save, save_floor, tmp_path):
    graph = load_airports().record
    for seed in range(PAPER.seeds):
        save("cn", seed, folder=FLOOR, graph=graph)
    save_floor(aa=[(0.8, 0.8)])  # on another graph
    found = plan(grid, tmp_path, FLOOR)
    assert (found.num_done, found.num_replaced, len(found.tasks)) == (10, 1, 10)


def test_a_graph_is_opened_once(grid, tmp_path):
    opened = []
    plan(grid, tmp_path, FLOOR, "2wl", open_dataset=lambda name: opened.append(name) or load_airports())
    assert opened == ["airports"]


def test_the_protocol_is_the_table_s(grid, tmp_path):
    other = replace(PAPER, id="other", seeds=3)
    found = plan(replace(grid, protocol=other), tmp_path, FLOOR, "2wl")
    assert found.protocol is other
    assert {task.folder.name for task in found.tasks} == {"heuristics-other", "toy"}
    assert len(found.tasks) == 3 * 3


def test_a_table_is_drawn_from_its_records(grid, save, tmp_path):
    save("2wl", 0, 0.9)
    table = draw_score_table(grid, tmp_path)
    assert table.name == "toy"
    assert "| 2wl, ours | **90.00** (1) ▼ |" in (tmp_path / "toy.md").read_text()
    assert (tmp_path / "toy.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(InputError, match="there is no record of toy"):
        draw_score_table(grid, tmp_path, "paper")


def test_times_are_drawn_from_their_records(tmp_path, monkeypatch):
    record = TimeRecord("cora", GraphRecord("cora", 1, 1, ""), PAPER.to_json(), 1, 2, {"cn": Clock(1.0, (0.5,))})
    save_times(tmp_path, record, "paper")
    monkeypatch.setattr(tables, "draw_times", lambda table, path: path.write_bytes(b"a picture"))
    assert draw_time_table(tmp_path, "paper").name == "time-paper"
    assert "| cn, ours | 0.5 (first 1) |" in (tmp_path / "time-paper.md").read_text()
    assert (tmp_path / "time-paper.png").exists()


def test_no_place_to_draw_is_found_before_the_work(tmp_path):
    check_drawable(tmp_path / "new", "toy")
    (tmp_path / "toy.png").mkdir()
    with pytest.raises(OutputError, match=r"toy\.png: cannot be written \(it is a folder\)"):
        check_drawable(tmp_path, "toy")
