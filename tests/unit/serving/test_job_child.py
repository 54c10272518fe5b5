from __future__ import annotations

import json
import subprocess
import sys

import pytest

from linkwl.errors import InputError, MemoryLimitError, UnknownNameError
from linkwl.graph import Reading
from linkwl.serving.job_child import TASK, _load, _sentence

MOST = {"rows": 10, "edges": 10, "nodes": 10}


@pytest.fixture
def task(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "graph.csv").write_text("a,b\nb,a\nb,c\n")
    return {"path": "graph.csv", "file": "mine.csv", "name": "mine", "most": MOST}


@pytest.mark.parametrize(("what", "count"), [("rows", 3), ("edges", 2), ("nodes", 3)])
def test_limits_of_size(task, what, count):
    assert _load(task, Reading()).name == "mine"
    with pytest.raises(InputError, match=f"it has {count} {what}, and this page takes 1 at most"):
        _load(task | {"most": MOST | {what: 1}}, Reading())


def test_sentences_call_the_file_by_its_own_name(task):
    assert _sentence(InputError("no.", path="graph.csv", line=3), task) == "mine.csv, line 3: no."
    assert _sentence(InputError("no."), task) == "no."
    assert _sentence(UnknownNameError("model", "x", []), task) == "unknown model 'x'."
    assert _sentence(MemoryLimitError("graph.csv: its graph is large."), task) == "mine.csv: its graph is large."


def test_it_ends_when_its_server_has_ended(tmp_path):
    settings = {"training": {"max_steps": 10**6, "patience": 10**6}}
    task = {"kind": "train", "path": "graph.csv", "file": "mine.csv", "name": "mine", "memory": None}
    task |= {"options": {}, "model": "local-2wl", "settings": settings, "decisions": None}
    task["most"] = {"rows": 1000, "edges": 1000, "nodes": 1000}
    (tmp_path / TASK).write_text(json.dumps(task))
    (tmp_path / "graph.csv").write_text("".join(f"{k},{k + 1}\n{k},{k + 2}\n" for k in range(40)))
    child = subprocess.Popen(
        [sys.executable, "-P", "-m", "linkwl.serving.job_child", str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        assert json.loads(child.stdout.readline())["event"] == "progress"
        child.stdin.close()  # as the system does when the server is killed
        assert child.wait(60) != 0
    finally:
        child.kill()
        child.wait()
        child.stdout.close()
