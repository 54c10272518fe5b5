from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from benchmark_toy import Toy
from linkwl.benchmark import cell_record, runner
from linkwl.benchmark.cell_record import load_cells
from linkwl.benchmark.grid import TableCell
from linkwl.benchmark.runner import SETTINGS, CellTask, Outcome, failure_sentence, find_kind, plan_cells, run_plan
from linkwl.datasets import load_airports, load_dataset
from linkwl.engine import ProcessEngine
from linkwl.errors import InputError, MemoryLimitError, OutputError, TaskError, UnknownNameError
from linkwl.models import create_model
from linkwl.protocols import PAPER


def make_cells(*models: str, seeds: int) -> list[TableCell]:
    """Cells of heuristics, which stand in for networks here because they take no time."""
    return [TableCell("airports", model, seed) for model in models for seed in range(seeds)]


def lines(folder: Path) -> dict[TableCell, str]:
    """Every record as it is written; what a kill left half done does not count."""
    found = {}
    for path in folder.rglob("[!.]*.jsonl"):
        for line in path.read_text().splitlines():
            cell = json.loads(line)["cell"]
            found[TableCell(cell["dataset"], cell["model"], cell["seed"])] = line
    return found


def load(folder: Path, cell: TableCell):
    return load_cells(folder, cell.model)[cell]


def test_cells_are_run_once(tmp_path):
    cells = make_cells("cn", "aa", seeds=2)
    seen, started = [], []
    run_plan(plan_cells(cells, tmp_path), on_start=started.append, on_done=seen.append)
    assert started == [outcome.cell for outcome in seen] == cells
    records = [load(tmp_path, cell) for cell in cells]
    assert [record.run for record in records] == [outcome.record.run for outcome in seen]
    assert {record.settings for record in records} == {"default"}
    before = lines(tmp_path)
    plan = plan_cells(cells, tmp_path)
    assert (plan.tasks, plan.num_done, plan.num_replaced) == ((), 4, 0)
    run_plan(plan)
    assert lines(tmp_path) == before
    assert [task.cell for task in plan_cells(make_cells("cn", seeds=3), tmp_path).tasks] == [replace(cells[0], seed=2)]


def test_a_run_is_what_evaluate_says(tmp_path):
    from linkwl.training import evaluate_models

    cells = make_cells("aa", seeds=2)
    run_plan(plan_cells(cells, tmp_path))
    expected = evaluate_models(load_dataset("airports"), [create_model("aa")], PAPER, [0, 1])
    for cell, run in zip(cells, expected.runs, strict=True):
        found = load(tmp_path, cell)
        assert (found.run.metrics, found.run.valid, found.run.split) == (run.metrics, run.valid, run.split)
        assert found.evaluation.graph == expected.graph


SCRIPT = """
import sys
from pathlib import Path
from linkwl.benchmark.grid import TableCell
from linkwl.benchmark.runner import plan_cells, run_plan
from linkwl.engine import ProcessEngine
plan = plan_cells([TableCell("airports", "cn", seed) for seed in range(400)], Path(sys.argv[1]))
run_plan(plan, ProcessEngine(2), on_done=lambda outcome: print(outcome.cell, flush=True))
"""


@pytest.mark.thorough
def test_a_killed_run_ends_its_processes_and_goes_on(tmp_path):
    with subprocess.Popen([sys.executable, "-c", SCRIPT, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        for _ in range(3):
            process.stdout.readline()
        process.kill()
        process.stdout.read()  # its workers write there too: the pipe closes when the last of them is gone
    before = lines(tmp_path)
    assert 3 <= len(before) < 400
    cells = make_cells("cn", seeds=400)
    missing = [cell for cell in cells if cell not in before]
    plan = plan_cells(cells, tmp_path)
    assert (plan.num_done, [task.cell for task in plan.tasks]) == (len(before), missing)
    run_plan(replace(plan, tasks=plan.tasks[:2]))
    after = lines(tmp_path)
    assert len(after) == len(before) + 2
    assert {cell: after[cell] for cell in before} == before


@pytest.fixture
def train_toy(monkeypatch):
    """Has the toy trained in place of every model, with the settings that a test wants."""
    monkeypatch.setattr(runner, "create_model", lambda name, task=None, **values: Toy(Toy.Config(**values)))
    monkeypatch.setattr(cell_record, "recreate_model", lambda name, task, values: Toy(Toy.Config(**values)))

    def use(**training):
        monkeypatch.setattr(runner, "bundled_settings", lambda *_: {"training": training})

    return use


def test_a_record_with_other_settings_is_replaced(tmp_path, train_toy):
    cells = make_cells("2wl", seeds=2)
    train_toy(max_steps=1)
    run_plan(plan_cells(cells, tmp_path))
    before = lines(tmp_path)
    train_toy(max_steps=2)
    plan = plan_cells(cells[:1], tmp_path)
    assert (plan.num_done, plan.num_replaced, len(plan.tasks)) == (0, 1, 1)
    run_plan(plan)
    after = lines(tmp_path)
    assert load(tmp_path, cells[0]).config["training"]["max_steps"] == 2
    assert after[cells[0]] != before[cells[0]]
    assert after[cells[1]] == before[cells[1]]


@pytest.mark.parametrize("what", ["graph", "protocol"])
def test_a_record_of_another_measurement_is_replaced(tmp_path, what):
    cells = make_cells("cn", seeds=1)
    run_plan(plan_cells(cells, tmp_path))
    other = load_airports().without(load_airports().edges[:1])
    if what == "graph":
        plan = plan_cells(cells, tmp_path, open_dataset=lambda _: other)
    else:
        plan = plan_cells(cells, tmp_path, protocol=replace(PAPER, id="other"))
    assert (plan.num_done, plan.num_replaced) == (0, 1)


def test_a_setting_that_came_after_the_record_counts_as_its_default(tmp_path):
    (cell,) = make_cells("katz", seeds=1)
    run_plan(plan_cells([cell], tmp_path))
    file = tmp_path / "katz.jsonl"
    record = json.loads(file.read_text())
    del record["cell"]["config"]["beta"]
    file.write_text(json.dumps(record))
    assert plan_cells([cell], tmp_path).num_done == 1
    record["cell"]["config"]["beta"] = 0.5
    file.write_text(json.dumps(record))
    assert plan_cells([cell], tmp_path).num_replaced == 1


def test_a_broken_record_stops_before_anything_is_run(tmp_path):
    cells = make_cells("cn", seeds=3)
    run_plan(plan_cells(cells[:2], tmp_path))
    path = tmp_path / "cn.jsonl"
    before = path.read_text()[:-40]
    path.write_text(before)
    with pytest.raises(InputError, match=r"cn\.jsonl, line 2: this is not a readable record of a run; delete the line"):
        plan_cells(cells, tmp_path)
    assert path.read_text() == before


def test_a_refused_cell_is_recorded_and_tried_again(tmp_path, monkeypatch):
    def refuse(*_):
        raise MemoryLimitError("cn takes about 40.0 GB, and 16.0 GB is free; use aa.")

    cells = make_cells("cn", "aa", seeds=1)
    outcomes = []
    with monkeypatch.context() as patch:
        evaluate = runner.evaluate_models
        patch.setattr(
            runner, "evaluate_models", lambda g, m, *rest, **_: refuse() if m[0].id == "cn" else evaluate(g, m, *rest)
        )
        run_plan(plan_cells(cells, tmp_path), on_done=outcomes.append)
    assert [(o.cell.model, o.record.run is None) for o in outcomes] == [("cn", True), ("aa", False)]
    record = load(tmp_path, cells[0])
    assert record.run is None
    assert record.refusal == outcomes[0].record.refusal == "cn takes about 40.0 GB, and 16.0 GB is free; use aa."
    plan = plan_cells(cells, tmp_path)
    assert ([task.cell for task in plan.tasks], plan.num_done, plan.num_replaced) == (cells[:1], 1, 0)
    run_plan(plan)
    assert load(tmp_path, cells[0]).refusal is None


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (InputError("the loss is nan at step 3; lower it."), "the loss is nan at step 3; lower it."),
        (RuntimeError("can't allocate memory"), "RuntimeError: can't allocate memory"),
    ],
)
def test_what_fails_otherwise_stops_nothing_and_leaves_no_record(tmp_path, monkeypatch, error, sentence):
    evaluate = runner.evaluate_models

    def fail(graph, models, protocol, seeds, **_):
        if seeds == [1]:
            raise error
        return evaluate(graph, models, protocol, seeds)

    cells, seen = make_cells("cn", seeds=3), []
    with monkeypatch.context() as patch:
        patch.setattr(runner, "evaluate_models", fail)
        failed = run_plan(plan_cells(cells, tmp_path), on_done=seen.append)
    assert [(outcome.cell, outcome.failure) for outcome in failed] == [(cells[1], sentence)]
    assert [outcome.cell for outcome in seen] == cells
    assert sorted(lines(tmp_path)) == [cells[0], cells[2]]
    plan = plan_cells(cells, tmp_path)
    assert [task.cell for task in plan.tasks] == cells[1:2]
    assert run_plan(plan) == []


def test_what_cannot_be_kept_is_not_run(tmp_path):
    plan = plan_cells(make_cells("cn", seeds=2), tmp_path / "records")
    (tmp_path / "records").write_text("a file where a folder should be")
    seen = []
    with pytest.raises(OutputError, match="records: cannot be written"):
        run_plan(plan, on_start=seen.append)
    assert seen == make_cells("cn", seeds=1)


@pytest.mark.thorough
def test_processes_give_the_same_records_and_pass_failures_on(tmp_path):
    cells = make_cells("cn", seeds=2)
    run_plan(plan_cells(cells, tmp_path / "one"))
    plan = plan_cells(cells, tmp_path / "two")
    lost = TableCell("nowhere", "cn", 0)
    plan = replace(plan, tasks=(CellTask(lost, tmp_path / "two", "tuned", {}), *plan.tasks))
    seen = []
    failed = run_plan(plan, ProcessEngine(2), on_done=seen.append)
    assert sorted(outcome.cell for outcome in seen) == sorted([lost, *cells])
    assert [outcome.cell for outcome in failed] == [lost]
    assert "unknown dataset 'nowhere'" in failed[0].failure
    for cell in cells:
        one, two = (load(tmp_path / name, cell) for name in ("one", "two"))
        assert (one.run.metrics, one.run.split, one.identity) == (two.run.metrics, two.run.split, two.identity)
        share = max(1, int(one.evaluation.versions["threads"]) // 2)
        assert two.evaluation.versions["threads"] == str(share)


@pytest.mark.thorough
def test_a_killed_worker_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setattr(runner, "run_task", end_process)
    with pytest.raises(
        TaskError, match=r"killed with 1 task running \(cn on airports, seed 0\).* Finished runs are kept"
    ):
        run_plan(plan_cells(make_cells("cn", seeds=1), tmp_path), ProcessEngine(1))


def end_process(protocol, task):
    os._exit(9)


def test_a_network_is_trained(tmp_path, train_toy):
    train_toy(max_steps=64, learning_rate=0.1)
    cells = make_cells("2wl", seeds=2)
    run_plan(plan_cells(cells, tmp_path, "tuned"))
    records = [load(tmp_path, cell) for cell in cells]
    assert [record.run.steps for record in records] == [64, 64]
    assert all(record.settings == "tuned" and record.run.metrics["auc"] > 0.7 for record in records)
    assert records[0].config["training"]["max_steps"] == 64
    assert plan_cells(cells, tmp_path).tasks == ()


class Diverging(Toy):
    def logits(self, observed, pairs):
        return super().logits(observed, pairs) * float("nan")


def test_a_network_that_diverges_is_no_end(tmp_path, monkeypatch):
    monkeypatch.setattr(
        runner, "create_model", lambda name, *_, **__: Diverging() if name == "2wl" else create_model(name)
    )
    cells = [*make_cells("2wl", seeds=1), *make_cells("cn", seeds=1)]
    failed = run_plan(plan_cells(cells, tmp_path))
    assert [outcome.cell for outcome in failed] == cells[:1]
    assert "the loss is nan at step 1" in failed[0].failure
    assert list(lines(tmp_path)) == cells[1:]


def test_the_record_says_where_its_settings_come_from(tmp_path, monkeypatch):
    cells = make_cells("2wl", seeds=1)
    for settings, kind in (({}, "default"), ({"training": {"max_steps": 3}}, "paper")):
        monkeypatch.setattr(runner, "bundled_settings", lambda *_, settings=settings: settings)
        assert [task.kind for task in plan_cells(cells, tmp_path, "paper").tasks] == [kind]


def test_kinds_of_settings_have_names():
    assert [find_kind(kind) for kind in SETTINGS] == ["tuned", "paper", "default"]
    with pytest.raises(UnknownNameError, match="unknown kind of settings 'papr'; did you mean 'paper'"):
        find_kind("papr")


def test_graphs_come_from_the_catalogue():
    assert runner._graph("airports").digest == load_dataset("airports").digest


def test_failures_are_one_sentence():
    failed = [Outcome(cell, 0.0, failure="it is bad") for cell in make_cells("cn", seeds=5)]
    assert failure_sentence([]) is None
    assert failure_sentence(failed[:1]) == (
        "1 run failed and has no record, the rest is kept: cn on airports, seed 0: it is bad"
    )
    assert failure_sentence(failed).startswith("5 runs failed and have no record, the rest is kept: cn on airports")
    assert failure_sentence(failed).endswith("seed 2: it is bad; and 2 more")
