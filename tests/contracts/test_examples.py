"""Every example runs as a script, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pages import ROOT

EXAMPLES = sorted(path.name for path in (ROOT / "examples").glob("*.py"))


def run(name, folder, *arguments):
    script = [sys.executable, "-W", "error", str(ROOT / "examples" / name), *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    return subprocess.run(script, cwd=folder, env=environment, check=True, capture_output=True, text=True).stdout


@pytest.fixture
def edges(tmp_path):
    """A ring of thirty people, each linked with the three next ones on either side."""
    lines = [f"p{i},p{(i + step) % 30}\n" for i in range(30) for step in (1, 2, 3)]
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(lines))
    return "edges.csv"


def test_every_example_has_a_test():
    assert EXAMPLES == ["add_a_model.py", "compare_protocols.py", "missing_facts.py", "rank_missing_links.py"]


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
