from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from linkwl.benchmark import collect_times, floor, gae, grid, paper, runner, timing
from linkwl.benchmark.grid import GRIDS, Grid
from linkwl.benchmark.paper import Published, PublishedRow
from linkwl.cli import bench
from linkwl.errors import InputError, MemoryLimitError
from linkwl.reports import benchmark_figure


@pytest.fixture
def toy(monkeypatch):
    """Table 1 on the airports, so that no file is needed, with heuristics in place of networks, which take longer."""
    rows = (PublishedRow("cn", "a paper", {"airports": Published(95.0, 0.5, "a paper, row cn")}),)
    table = Grid("table1", "Toy table", ("airports",), rows, models=("cn", "aa"), heuristics=("pa", "ra"))
    monkeypatch.setattr(grid, "GRIDS", GRIDS | {"table1": table})
    monkeypatch.setattr(benchmark_figure, "draw_scores", lambda table, path: path.write_bytes(b"a picture"))
    return table


def records(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def test_a_table_is_run_resumed_and_drawn(toy, linkwl, tmp_path):
    out = tmp_path / "new" / "results"
    call = ("bench", "table1", "--out", out)
    code, stdout, stderr = linkwl(*call, "--seeds", "2")
    assert (code, stdout) == (0, ""), stderr
    assert "heuristics first, once: 2 of them over 10 splits of airports" in stderr
    assert f"wrote {out}/heuristics/airports.json" in stderr
    assert "0 of 4 runs are there, 4 to do" in stderr
    assert "cn on airports, seed 1: AUC" in stderr
    assert f"wrote {out}/table1.md and .png" in stderr
    assert "protocol `paper`" in stderr
    before = records(out)
    cells = [f"table1/{model}/airports/seed-{seed}.json" for model in ("aa", "cn") for seed in (0, 1)]
    assert sorted(before) == ["heuristics/airports.json", *cells]
    code, _, stderr = linkwl(*call, "--seeds", "3")
    assert code == 0
    assert "heuristics first" not in stderr
    assert "4 of 6 runs are there, 2 to do" in stderr
    after = records(out)
    assert {name: after[name] for name in before} == before
    assert len(after) == 7
    assert (out / "table1.png").read_bytes() == b"a picture"
    assert "(3)" in (out / "table1.md").read_text()


def test_only_what_is_asked_for_is_run(toy, linkwl, linkwl_json, tmp_path):
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path / "cells")
    assert (code, list(records(tmp_path / "cells"))) == (0, ["table1/cn/airports/seed-0.json"]), stderr
    run = linkwl_json("bench", "table1", "--models", "heuristics", "--out", tmp_path)
    assert list(records(tmp_path / "heuristics")) == ["airports.json"]
    assert not (tmp_path / "table1").exists()
    assert linkwl_json("bench", "table1", "--draw-only", "--out", tmp_path) == run
    best = run["floor"]["ours"]["airports"]
    runs = json.loads((tmp_path / "heuristics/airports.json").read_text())["runs"]
    valid = {model: sum(r["valid"]["auc"] for r in runs if r["model"] == model) for model in toy.floor}
    assert best["detail"] == max(valid, key=valid.get)
    aucs = [r["metrics"]["auc"] for r in runs if r["model"] == best["detail"]]
    assert best["mean"] == pytest.approx(100 * sum(aucs) / 10)
    assert f"{best['mean']:.2f} ± {best['std']:.2f} {best['detail']}" in (tmp_path / "table1.md").read_text()


def test_evaluate_writes_the_same_floor(toy, linkwl, tmp_path):
    path = tmp_path / "heuristics/airports.json"
    path.parent.mkdir()
    linkwl("evaluate", "airports", "--model", "pa,ra", "--seeds", "2", "--json", path)
    before = path.read_bytes()
    code, _, stderr = linkwl("bench", "table1", "--models", "heuristics", "--out", tmp_path)
    assert (code, path.read_bytes()) == (0, before), stderr
    assert "(2)" in (tmp_path / "table1.md").read_text()


def test_a_floor_of_another_graph_is_found_before_anything_is_run(toy, linkwl, tmp_path):
    path = tmp_path / "heuristics/airports.json"
    linkwl("bench", "table1", "--models", "heuristics", "--out", tmp_path)
    record = json.loads(path.read_text())
    record["graph"]["digest"] = "another"
    path.write_text(json.dumps(record))
    code, stdout, stderr = linkwl("bench", "table1", "--models", "cn", "--out", tmp_path)
    assert (code, stdout) == (2, "")
    assert stderr == (
        f"error: {path}: these heuristics were measured on another graph than the networks; delete it, and run the "
        "table with `--models heuristics`.\n"
    )
    assert not (tmp_path / "table1").exists()


def test_other_settings_replace_no_tuned_record(toy, linkwl, tmp_path):
    call = ("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path)
    linkwl(*call)
    before = records(tmp_path)
    code, _, stderr = linkwl(*call, "--settings", "paper")
    assert code == 0
    assert "0 of 1 runs are there, 1 to do" in stderr
    after = records(tmp_path)
    assert sorted(after) == ["table1-paper/cn/airports/seed-0.json", *before]
    assert {name: after[name] for name in before} == before
    assert (tmp_path / "table1-paper.md").exists()
    assert (tmp_path / "table1-paper.png").exists()


def fail(monkeypatch, *seeds: int) -> None:
    """Lets training of these seeds diverge."""
    evaluate = runner.evaluate_models

    def run(graph, models, protocol, chosen, **values):
        if chosen[0] in seeds:
            raise InputError(f"the loss is nan with seed {chosen[0]}; lower the learning rate.")
        return evaluate(graph, models, protocol, chosen, **values)

    monkeypatch.setattr(runner, "evaluate_models", run)


def test_what_fails_is_told_at_the_end_and_the_rest_is_kept(toy, linkwl, tmp_path, monkeypatch):
    fail(monkeypatch, 1)
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "3", "--out", tmp_path)
    assert code == 2
    assert stderr.endswith(
        "error: 1 run failed and has no record, the rest is kept: cn on airports, seed 1: the loss is nan with seed 1; "
        "lower the learning rate.\n"
    )
    assert "cn on airports, seed 1: failed: the loss is nan" in stderr
    assert sorted(records(tmp_path)) == [f"table1/cn/airports/seed-{seed}.json" for seed in (0, 2)]
    assert "(2)" in (tmp_path / "table1.md").read_text()


def test_where_everything_fails_the_reason_is_told(toy, linkwl, tmp_path, monkeypatch):
    fail(monkeypatch, *range(5))
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "5", "--out", tmp_path)
    last = stderr.splitlines()[-1]
    assert (code, records(tmp_path)) == (2, {})
    assert last.startswith(
        "error: 5 runs failed and have no record, the rest is kept: cn on airports, seed 0: the loss"
    )
    assert last.endswith("; and 2 more")


def test_a_floor_that_fails_stops_no_network(toy, linkwl, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise MemoryLimitError("ra takes about 40.0 GB; leave it out.")

    monkeypatch.setattr(floor, "evaluate_models", refuse)
    code, _, stderr = linkwl("bench", "table1", "--models", "heuristics,cn", "--seeds", "1", "--out", tmp_path)
    assert (code, list(records(tmp_path))) == (2, ["table1/cn/airports/seed-0.json"])
    assert "heuristics on airports: ra takes about 40.0 GB; leave it out." in stderr.splitlines()[-1]


def test_a_refused_cell_is_shown_as_such(toy, linkwl, tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise MemoryLimitError("cn takes about 40.0 GB; use aa.")

    monkeypatch.setattr(runner, "evaluate_models", refuse)
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path)
    assert code == 0
    assert "cn on airports, seed 0: refused: cn takes about 40.0 GB; use aa." in stderr
    page = (tmp_path / "table1.md").read_text()
    assert "| cn, ours | refused |" in page
    assert "Refused: cn on Airports: cn takes about 40.0 GB; use aa." in page


def test_drawing_changes_no_record_and_needs_no_torch(toy, linkwl, tmp_path):
    linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path / "toy")
    record = json.loads((tmp_path / "toy/table1/cn/airports/seed-0.json").read_text())
    record["cell"] |= {"dataset": "usair", "model": "2fwl"}
    record["runs"][0]["model"] = "2fwl"
    path = tmp_path / "table1/2fwl/usair/seed-0.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(record))
    before = records(tmp_path)
    script = (
        "import sys\nfrom linkwl.cli.main import app\n"
        "from linkwl.benchmark.collect_times import collect_times\n"
        f"app(['bench', 'table1', '--draw-only', '--out', {str(tmp_path)!r}], standalone_mode=False)\n"
        "assert 'torch' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert records(tmp_path) == before
    printed = next(row for row in paper.TABLE1 if row.system == "2-FWL_L").values["usair"]
    assert f"| 2-FWL\\_L, paper | {printed.value:.2f} ± {printed.std:.2f} |" in (tmp_path / "table1.md").read_text()
    assert (tmp_path / "table1.png").read_bytes().startswith(b"\x89PNG")


def test_jobs_are_processes(toy, linkwl, tmp_path, monkeypatch):
    seen = []

    def run_here(function, tasks, num_processes):
        seen.append(num_processes)
        yield from map(function, tasks)

    monkeypatch.setattr(runner, "run_in_processes", run_here)
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "3", "--jobs", "2", "--out", tmp_path)
    assert (code, seen, len(records(tmp_path))) == (0, [2], 3), stderr


@pytest.mark.parametrize("options", [(), ("--draw-only",)])
def test_a_broken_record_is_one_sentence(toy, linkwl, tmp_path, options):
    linkwl("bench", "table1", "--models", "cn", "--seeds", "2", "--out", tmp_path)
    path = tmp_path / "table1/cn/airports/seed-1.json"
    path.write_text('{"cell": ')
    before = records(tmp_path)
    code, stdout, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "3", "--out", tmp_path, *options)
    assert (code, stdout) == (2, "")
    assert stderr == f"error: {path}: this is not a readable record of a run; delete it, and the cell is run again.\n"
    assert records(tmp_path) == before


def test_records_made_otherwise_are_counted(toy, linkwl, tmp_path):
    call = ("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path)
    linkwl(*call)
    path = tmp_path / "table1/cn/airports/seed-0.json"
    record = json.loads(path.read_text())
    record["cell"]["config"] = {"beta": 0.002}
    path.write_text(json.dumps(record))
    _, _, stderr = linkwl(*call)
    assert "0 of 1 runs are there, 1 to do, 1 of them in place of records made otherwise" in stderr
    assert json.loads(path.read_text())["cell"]["config"] == {}


@pytest.fixture
def toy_times(monkeypatch):
    monkeypatch.setattr(paper, "CITATION", ("airports",))
    # First runs here: processes of their own take seconds to start.
    monkeypatch.setattr(timing, "run_in_processes", lambda function, tasks, _: map(function, tasks))
    collect = collect_times.collect_times
    monkeypatch.setattr(collect_times, "collect_times", lambda folder: collect(folder, ("airports",)))


def test_times_are_measured_and_drawn(toy_times, linkwl, linkwl_json, tmp_path):
    code, stdout, stderr = linkwl("bench", "time", "--models", "cn,aa", "--runs", "2", "--out", tmp_path)
    assert (code, stdout) == (0, ""), stderr
    assert "PyG GAE" in stderr
    assert (tmp_path / "time.png").read_bytes().startswith(b"\x89PNG")
    record = json.loads((tmp_path / "time/airports.json").read_text())
    assert {len(clock["seconds"]) for clock in record["clocks"].values()} == {2}
    page = (tmp_path / "time.md").read_text()
    table = linkwl_json("bench", "time", "--draw-only", "--out", tmp_path)
    assert (tmp_path / "time.md").read_text() == page
    ours = {system["name"]: system["ours"] for system in table["systems"]}
    assert ours["cn"]["airports"]["first"] == record["clocks"]["cn"]["first"]


def test_times_without_pyg(toy_times, linkwl, tmp_path, monkeypatch):
    monkeypatch.setattr(gae, "has_gae", lambda: False)
    monkeypatch.setattr(timing, "has_gae", lambda: False)
    code, _, stderr = linkwl("bench", "time", "--models", "cn", "--runs", "1", "--out", tmp_path)
    assert code == 0
    assert "PyG GAE was left out: torch_geometric is not installed; it comes with `pip install linkwl[pyg]`." in stderr


@pytest.mark.parametrize("command", ["table1", "table2", "time"])
def test_help_shows_examples(linkwl, command):
    code, out, _ = linkwl("bench", command, "--help")
    assert code == 0
    assert f"linkwl bench {command}" in out


def test_the_commands_are_the_tables():
    assert {command.name for command in bench.app.registered_commands} == {*GRIDS, collect_times.TIME}
