from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

import triple_model
from linkwl.benchmark import gae, grid, published, runner, tables, timing
from linkwl.benchmark.grid import GRIDS, Grid
from linkwl.benchmark.published import Published, PublishedRow
from linkwl.cli import bench_tables
from linkwl.engine import InlineEngine
from linkwl.errors import InputError, MemoryLimitError


@pytest.fixture
def toy(monkeypatch):
    """Table 1 on the airports, so that no file is needed, with heuristics in place of networks, which take longer."""
    rows = (PublishedRow("cn", "a paper", {"airports": Published(95.0, 0.5, "a paper, row cn")}),)
    table = Grid("table1", "Toy table", ("airports",), rows, models=("cn", "aa"), heuristics=("pa", "ra"))
    monkeypatch.setattr(grid, "GRIDS", GRIDS | {"table1": table})
    monkeypatch.setattr(tables, "draw_scores", lambda table, path: path.write_bytes(b"a picture"))
    return table


@pytest.fixture
def triples(monkeypatch):
    """Table 3 on the world, with a model that trains in a moment."""
    triple_model.register(monkeypatch)
    table = replace(GRIDS["table3"], datasets=("world",), published=(), usual=("toy-triple",))
    monkeypatch.setattr(grid, "GRIDS", GRIDS | {"table3": table})
    monkeypatch.setattr(tables, "draw_scores", lambda table, path: path.write_bytes(b"a picture"))


def records(folder: Path) -> dict[str, str]:
    """Every record as it is written, by folder, model and seed."""
    found = {}
    for path in sorted(folder.rglob("*.jsonl")):
        for line in path.read_text().splitlines():
            found[f"{path.parent.name}/{path.stem}/{json.loads(line)['cell']['seed']}"] = line
    return found


def rewrite(path: Path, change) -> None:
    """Changes the only line of a file."""
    row = json.loads(path.read_text())
    change(row)
    path.write_text(json.dumps(row) + "\n")


def test_a_table_is_run_resumed_and_drawn(toy, linkwl, tmp_path):
    out = tmp_path / "new" / "results"
    call = ("bench", "table1", "--out", out)
    code, stdout, stderr = linkwl(*call, "--seeds", "2")
    assert (code, stdout) == (0, ""), stderr
    assert "0 of 8 runs are done, 8 remain" in stderr
    assert "ra on airports, seed 1: AUC" in stderr
    assert "cn on airports, seed 1: AUC" in stderr
    assert f"wrote {out}/table1.md and .png" in stderr
    assert "protocol `paper`" in stderr
    before = records(out)
    floor = [f"heuristics/{model}/{seed}" for model in ("pa", "ra") for seed in (0, 1)]
    assert sorted(before) == [*floor, *(f"table1/{model}/{seed}" for model in ("aa", "cn") for seed in (0, 1))]
    code, _, stderr = linkwl(*call, "--seeds", "3")
    assert code == 0
    assert "8 of 12 runs are done, 4 remain" in stderr
    after = records(out)
    assert {name: after[name] for name in before} == before
    assert len(after) == 12
    assert (out / "table1.png").read_bytes() == b"a picture"
    assert "(3)" in (out / "table1.md").read_text()


def test_only_what_is_asked_for_is_run(toy, linkwl, linkwl_json, tmp_path):
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path / "cells")
    assert (code, list(records(tmp_path / "cells"))) == (0, ["table1/cn/0"]), stderr
    run = linkwl_json("bench", "table1", "--models", "heuristics", "--out", tmp_path / "floor")
    found = records(tmp_path / "floor")
    assert len(found) == 20
    assert not (tmp_path / "floor/table1").exists()
    assert linkwl_json("bench", "table1", "--draw-only", "--out", tmp_path / "floor") == run
    best = run["floor"]["ours"]["airports"]
    runs = [json.loads(line)["runs"][0] for line in found.values()]
    valid = {model: sum(r["valid"]["auc"] for r in runs if r["model"] == model) for model in toy.floor}
    assert best["detail"] == max(valid, key=valid.get)
    aucs = [r["metrics"]["auc"] for r in runs if r["model"] == best["detail"]]
    assert best["mean"] == pytest.approx(100 * sum(aucs) / 10)
    page = (tmp_path / "floor/table1.md").read_text()
    assert f"{best['mean']:.2f} ± {best['std']:.2f} {best['detail']}" in page


def test_a_table_of_triples_is_run_resumed_and_drawn(triples, linkwl, linkwl_json, tmp_path):
    call = ("bench", "table3", "--out", tmp_path, "--seeds")
    code, _, stderr = linkwl(*call, "1")
    assert code == 0, stderr
    assert "0 of 1 runs are done, 1 remain" in stderr
    (before,) = records(tmp_path).items()
    run = json.loads(before[1])["runs"][0]
    values = [f"{100 * run['metrics'][metric]:.2f}" for metric in ("acc", "auc", "relation-hits@3")]
    shown = "ACC {} %, AUC {} %, relation Hits@3 {} %".format(*values)
    assert f"toy-triple on world, seed 0: {shown}" in stderr
    table = linkwl_json(*call, "2")
    after = records(tmp_path)
    assert (sorted(after), after[before[0]]) == (["table3/toy-triple/0", "table3/toy-triple/1"], before[1])
    assert [block["metric"] for block in table["further"]] == ["AUC", "relation Hits@3"]
    assert linkwl_json("bench", "table3", "--draw-only", "--out", tmp_path) == table
    page = (tmp_path / "table3.md").read_text()
    assert page.count("| toy-triple, ours |") == 3
    assert "heuristic" not in page


def test_a_table_of_triples_has_no_best_heuristic(triples, linkwl, tmp_path):
    code, _, stderr = linkwl("bench", "table3", "--models", "heuristics", "--out", tmp_path)
    assert code == 2
    assert "unknown model 'heuristics'" in stderr
    code, _, stderr = linkwl("bench", "table3", "--models", "2wl", "--out", tmp_path)
    assert code == 2
    assert "unknown model '2wl'" in stderr


def test_heuristics_are_what_evaluate_says(toy, linkwl, linkwl_json, tmp_path):
    linkwl("bench", "table1", "--models", "heuristics", "--out", tmp_path)
    measured = linkwl_json("evaluate", "airports", "--model", "pa,ra", "--seeds", "2")
    for run in measured["runs"]:
        row = json.loads(records(tmp_path)[f"heuristics/{run['model']}/{run['seed']}"])
        assert (row["graph"], row["protocol"]) == (measured["graph"], measured["protocol"])
        for name in ("metrics", "valid", "split", "config", "method"):
            assert row["runs"][0][name] == run[name]


def test_heuristics_of_another_graph_are_left_out_and_replaced(toy, linkwl, tmp_path):
    linkwl("bench", "table1", "--models", "heuristics", "--out", tmp_path)
    path = tmp_path / "heuristics/ra.jsonl"
    path.write_text(path.read_text().replace('"digest": "', '"digest": "not'))
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path)
    assert code == 0
    assert "Left out: the heuristics on airports, measured on another graph than the networks." in stderr
    _, _, stderr = linkwl("bench", "table1", "--models", "heuristics", "--out", tmp_path)
    assert "10 of 20 runs are done, 10 remain, 10 of them to replace outdated records" in stderr
    assert "Left out" not in stderr


def test_other_settings_replace_no_tuned_record(toy, linkwl, tmp_path):
    call = ("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path)
    linkwl(*call)
    before = records(tmp_path)
    code, _, stderr = linkwl(*call, "--settings", "paper")
    assert code == 0
    assert "0 of 1 runs are done, 1 remain" in stderr
    after = records(tmp_path)
    assert sorted(after) == ["table1-paper/cn/0", *before]
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
    assert sorted(records(tmp_path)) == [f"table1/cn/{seed}" for seed in (0, 2)]
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


def test_heuristics_that_fail_stop_no_network(toy, linkwl, tmp_path, monkeypatch):
    evaluate = runner.evaluate_models

    def fail(graph, models, *rest, **values):
        if models[0].id == "ra":
            raise InputError("ra cannot be computed; leave it out.")
        return evaluate(graph, models, *rest, **values)

    monkeypatch.setattr(runner, "evaluate_models", fail)
    code, _, stderr = linkwl("bench", "table1", "--models", "heuristics,cn", "--seeds", "1", "--out", tmp_path)
    assert code == 2
    assert "table1/cn/0" in records(tmp_path)
    assert "ra on airports, seed 0: ra cannot be computed; leave it out." in stderr.splitlines()[-1]
    assert "Left out: the heuristics on airports, without a run of ra." in stderr


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


@pytest.mark.thorough
def test_drawing_changes_no_record_and_needs_no_torch(toy, linkwl, tmp_path):
    linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path / "toy")
    record = json.loads((tmp_path / "toy/table1/cn.jsonl").read_text())
    record["cell"] |= {"dataset": "usair", "model": "2fwl"}
    record["runs"][0]["model"] = "2fwl"
    path = tmp_path / "table1/2fwl.jsonl"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(record) + "\n")
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
    printed = next(row for row in published.TABLE1 if row.system == "2-FWL_L").values["usair"]
    assert f"| 2-FWL\\_L, paper | {printed.value:.2f} ± {printed.std:.2f} |" in (tmp_path / "table1.md").read_text()
    assert (tmp_path / "table1.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("options", [("--jobs", "2"), ("--engine", "processes:2")])
def test_runs_are_made_where_it_is_asked_for(toy, linkwl, tmp_path, monkeypatch, options):
    seen, run = [], runner.run_plan

    def spy(plan, engine, **values):
        seen.append(str(engine))
        return run(plan, InlineEngine(), **values)

    monkeypatch.setattr(runner, "run_plan", spy)
    call = ("bench", "table1", "--models", "cn", "--out", tmp_path, "--seeds")
    code, _, stderr = linkwl(*call, "3", *options)
    assert (code, seen, len(records(tmp_path))) == (0, ["processes:2"], 3), stderr
    linkwl(*call, "4")
    linkwl(*call, "5", "--engine", "inline")
    assert seen == ["processes:2", "inline", "inline"]


@pytest.mark.parametrize("options", [(), ("--draw-only",)])
def test_a_broken_record_is_one_sentence(toy, linkwl, tmp_path, options):
    linkwl("bench", "table1", "--models", "cn", "--seeds", "2", "--out", tmp_path)
    path = tmp_path / "table1/cn.jsonl"
    before = path.read_text().splitlines()[0] + '\n{"cell": '
    path.write_text(before)
    code, stdout, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "3", "--out", tmp_path, *options)
    assert (code, stdout) == (2, "")
    assert stderr == (
        f"error: {path}, line 2: this is not a readable record of a run; delete the line, and measure again.\n"
    )
    assert path.read_text() == before


def test_records_made_otherwise_are_counted(toy, linkwl, tmp_path):
    call = ("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path)
    linkwl(*call)
    path = tmp_path / "table1/cn.jsonl"
    rewrite(path, lambda row: row["cell"].update(config={"beta": 0.002}))
    _, _, stderr = linkwl(*call)
    assert "0 of 1 runs are done, 1 remain, 1 of them to replace outdated records" in stderr
    assert json.loads(path.read_text())["cell"]["config"] == {}


@pytest.fixture
def toy_times(monkeypatch):
    monkeypatch.setattr(published, "CITATION", ("airports",))
    # First runs here: processes of their own take seconds to start.
    monkeypatch.setattr(timing, "ProcessEngine", lambda _: InlineEngine())
    collect = tables.collect_times
    monkeypatch.setattr(tables, "collect_times", lambda out, kind: collect(out, kind, datasets=("airports",)))


def test_times_are_measured_and_drawn(toy_times, linkwl, linkwl_json, tmp_path):
    code, stdout, stderr = linkwl("bench", "time", "--models", "cn,aa", "--runs", "2", "--out", tmp_path)
    assert (code, stdout) == (0, ""), stderr
    assert "PyG GAE" in stderr
    assert (tmp_path / "time.png").read_bytes().startswith(b"\x89PNG")
    record = json.loads((tmp_path / "time.jsonl").read_text())
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
    assert "PyG GAE was skipped: torch_geometric is not installed; install it with `pip install linkwl[pyg]`." in stderr


@pytest.mark.parametrize("command", ["table1", "table2", "table3", "entities-50", "time"])
def test_help_shows_examples(linkwl, command):
    code, out, _ = linkwl("bench", command, "--help")
    assert code == 0
    assert f"linkwl bench {command}" in out


def test_the_commands_are_the_tables():
    assert {command.name for command in bench_tables.app.registered_commands} == {*GRIDS, timing.TIME}
