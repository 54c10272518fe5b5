"""Every example runs: scripts in a process of their own, notebooks cell by cell."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from pages import ROOT, read_page

FOLDER = ROOT / "examples"
NOTEBOOKS = ["countries.ipynb", "missing_routes.ipynb", "what_a_test_can_see.ipynb"]
SCRIPTS = [
    "add_a_model.py",
    "bipartite_events.py",
    "citation_features.py",
    "compare_protocols.py",
    "directed_imports.py",
    "layers_in_pyg.py",
    "missing_facts.py",
    "rank_missing_links.py",
    "social_network.py",
    "tune_settings.py",
]


def run(name, folder, *arguments, warnings=("error",)):
    filters = [word for each in warnings for word in ("-W", each)]
    script = [sys.executable, *filters, str(FOLDER / name), *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(script, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def edges(tmp_path):
    """A ring of thirty people, each linked with the three next ones on either side."""
    lines = [f"p{i},p{(i + step) % 30}\n" for i in range(30) for step in (1, 2, 3)]
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(lines))
    return "edges.csv"


def test_every_example_has_a_test_and_a_line_on_the_page():
    assert sorted(path.name for path in FOLDER.iterdir() if path.is_file()) == sorted([*SCRIPTS, *NOTEBOOKS])
    page = read_page("docs/examples.md")
    assert [name for name in (*SCRIPTS, *NOTEBOOKS) if f"(../examples/{name})" not in page] == []


def test_ranking_the_missing_links_of_a_file(tmp_path, edges):
    printed = run("rank_missing_links.py", tmp_path, edges, "missing.csv", "ra")
    assert printed.startswith("AUC on hidden links: ")
    header, *rows = (tmp_path / "missing.csv").read_text().splitlines()
    assert header.replace('"', "") == "source,target,score,probability,rank"
    assert len(rows) == 100


def test_comparing_models_under_protocols(tmp_path):
    lines = run("compare_protocols.py", tmp_path, "processes:2", "cn", "ra").splitlines()
    assert [line.split()[:3] for line in lines] == [
        [protocol, model, metric] for protocol, metric in (("paper", "AUC"), ("heart", "MRR")) for model in ("cn", "ra")
    ]


@pytest.mark.thorough
def test_the_missing_facts_of_a_file(tmp_path):
    pairs = [(f"c{i}", f"c{(i + step) % 40}") for i in range(40) for step in (1, 2)]
    lines = [f"{a}\tborders\t{b}\n{b}\tborders\t{a}\n" for a, b in pairs]
    lines += [f"c{i}\tspeaks\tl{i // 8}\nc{i}\tin\tk{i // 20}\nk{i // 20}\thas\tc{i}\n" for i in range(40)]
    (tmp_path / "facts.tsv").write_text("".join(lines))
    printed = run("missing_facts.py", tmp_path, "facts.tsv", "10").splitlines()
    assert printed[0].startswith("AUC on hidden facts: ")
    assert len([line for line in printed[1:11] if "-> " in line]) == 10
    assert any("baseline: the score without all of this" in line for line in printed)
    assert any("=>" in line for line in printed[-5:])


def test_adding_a_model(tmp_path):
    lines = run("add_a_model.py", tmp_path).splitlines()
    assert [line.split()[0] for line in lines] == ["smaller-degree", "pa"]


@pytest.mark.thorough
def test_a_social_network(tmp_path):
    lines = run("social_network.py", tmp_path, "walk-2fwl", "5").splitlines()
    assert [line.split()[0] for line in lines[:2]] == ["walk-2fwl", "pa"]
    assert len([line for line in lines if " and member " in line]) == 5


@pytest.mark.thorough
@pytest.mark.usefixtures("benchmark_data")
def test_features_of_papers(tmp_path):
    lines = run("citation_features.py", tmp_path, "cora", "30").splitlines()
    links, features = (float(line.split()[-2]) for line in lines[1:3])
    assert features > links + 5
    assert len(lines) == 6


def test_a_graph_with_two_sides(tmp_path):
    lines = run("bipartite_events.py", tmp_path).splitlines()
    assert lines[0].endswith("two sides)")
    assert len([line for line in lines if " at E" in line]) == 5
    assert len([line for line in lines if ": E" in line]) == 18


def test_directed_imports(tmp_path):
    lines = run("directed_imports.py", tmp_path).splitlines()
    assert lines[0].endswith("directed edges)")
    assert len([line for line in lines[2:7] if " -> " in line]) == 5
    there, back = (float(part.split()[-1]) for part in lines[7].split(","))
    assert there > back


@pytest.mark.thorough
def test_layers_in_a_network_of_pyg(tmp_path):
    pyg = "ignore:`torch.jit:DeprecationWarning"  # when it is imported
    lines = run("layers_in_pyg.py", tmp_path, "40", warnings=("error", pyg)).splitlines()
    assert [line.split()[1] for line in lines[:2]] == ["0", "20"]
    assert float(lines[-1].split()[-1]) > 0.9


@pytest.mark.thorough
def test_tuning(tmp_path):
    lines = run("tune_settings.py", tmp_path, "mf", "2").splitlines()
    assert [line.split()[0] for line in lines] == ["default", "drawn", "default", "tuned"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_is_stored_without_outputs(name):
    notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    assert notebook["nbformat"] == 4
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert [cell for cell in cells if cell["outputs"] or cell["execution_count"] is not None] == []


@pytest.mark.thorough
@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_runs_from_top_to_bottom(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    notebook = json.loads((FOLDER / name).read_text(encoding="utf-8"))
    names = {"__name__": "__main__"}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), name, "exec", dont_inherit=True), names)
    assert capsys.readouterr().out
