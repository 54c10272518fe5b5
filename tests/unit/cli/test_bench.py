from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from linkwl.benchmark import collect_times, gae, grid, paper, timing
from linkwl.benchmark.grid import GRIDS, Grid
from linkwl.benchmark.paper import Published, PublishedRow
from linkwl.cli import bench


@pytest.fixture
def toy(monkeypatch):
    """Table 1 on the airports, so that no file is needed."""
    rows = (PublishedRow("2-WL", "a paper", {"airports": Published(95.0, 0.5, "a paper, row 2-WL")}),)
    monkeypatch.setattr(grid, "GRIDS", GRIDS | {"table1": Grid("table1", "Toy table", ("airports",), rows)})


def records(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*.json"))}


def test_a_table_is_run_resumed_and_drawn(toy, linkwl, tmp_path):
    out = tmp_path / "new" / "results"
    call = ("bench", "table1", "--models", "cn,aa", "--out", out)
    code, stdout, stderr = linkwl(*call, "--seeds", "2")
    assert (code, stdout) == (0, ""), stderr
    assert "0 of 4 runs are there, 4 to do" in stderr
    assert "cn on airports, seed 1: AUC" in stderr
    assert f"wrote {out}/table1.md and {out}/table1.png" in stderr
    assert "protocol `paper`" in stderr
    before = records(out)
    assert sorted(before) == [f"table1/{model}/airports/seed-{seed}.json" for model in ("aa", "cn") for seed in (0, 1)]
    code, _, stderr = linkwl(*call, "--seeds", "3")
    assert code == 0
    assert "4 of 6 runs are there, 2 to do" in stderr
    after = records(out)
    assert {name: after[name] for name in before} == before
    assert len(after) == 6
    assert (out / "table1.png").read_bytes().startswith(b"\x89PNG")
    assert "(3)" in (out / "table1.md").read_text()


def test_what_is_drawn_is_in_the_records(toy, linkwl_json, tmp_path):
    run = linkwl_json("bench", "table1", "--models", "heuristics", "--seeds", "2", "--out", tmp_path)
    assert linkwl_json("bench", "table1", "--draw-only", "--out", tmp_path) == run
    best = run["floor"]["ours"]["airports"]
    found = [json.loads(text) for text in records(tmp_path / "table1").values()]
    runs = [record["runs"][0] for record in found]
    valid = {model: sum(r["valid"]["auc"] for r in runs if r["model"] == model) for model in {r["model"] for r in runs}}
    assert best["detail"] == max(valid, key=valid.get)
    aucs = [r["metrics"]["auc"] for r in runs if r["model"] == best["detail"]]
    assert best["mean"] == pytest.approx(100 * sum(aucs) / 2)
    assert f"{best['mean']:.2f} ± {best['std']:.2f} (2) {best['detail']}" in (tmp_path / "table1.md").read_text()


def test_drawing_changes_no_record_and_needs_no_torch(toy, linkwl, tmp_path):
    cell = Path("cn/usair/seed-0.json")
    linkwl("bench", "table1", "--models", "cn", "--seeds", "1", "--out", tmp_path / "toy")
    record = json.loads((tmp_path / "toy/table1/cn/airports/seed-0.json").read_text())
    record["cell"]["dataset"] = "usair"
    path = tmp_path / "table1" / cell
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(record))
    before = records(tmp_path)
    script = (
        "import sys\nfrom linkwl.cli.main import app\n"
        f"app(['bench', 'table1', '--draw-only', '--out', {str(tmp_path)!r}], standalone_mode=False)\n"
        "assert 'torch' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert records(tmp_path) == before
    printed = next(row for row in paper.TABLE1 if row.system == "2-FWL_L").values["usair"]
    assert f"| 2-FWL\\_L, paper | {printed.value:.2f} ± {printed.std:.2f} |" in (tmp_path / "table1.md").read_text()


def test_processes(toy, linkwl, tmp_path):
    code, _, stderr = linkwl("bench", "table1", "--models", "cn", "--seeds", "2", "--jobs", "2", "--out", tmp_path)
    assert code == 0, stderr
    assert len(records(tmp_path)) == 2


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


def test_records_made_otherwise_are_counted(toy, linkwl, tmp_path, monkeypatch):
    from linkwl.benchmark import runner

    call = ("bench", "table1", "--models", "katz", "--seeds", "1", "--out", tmp_path)
    linkwl(*call)
    monkeypatch.setattr(runner, "settings_for", lambda *_: {"beta": 0.002})
    _, _, stderr = linkwl(*call)
    assert "0 of 1 runs are there, 1 to do, 1 of them in place of records made otherwise" in stderr
    assert json.loads((tmp_path / "table1/katz/airports/seed-0.json").read_text())["runs"][0]["config"] == {
        "beta": 0.002
    }


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
