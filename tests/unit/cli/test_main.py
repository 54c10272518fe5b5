from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pytest

import triple_model
from linkwl import LinkPredictor
from linkwl.datasets import load_airports


@pytest.mark.thorough
def test_demo_writes_its_report(linkwl, tmp_path):
    code, _, err = linkwl("demo", "--out", tmp_path / "demo")
    assert code == 0
    assert "The likeliest missing routes:" in err
    assert (tmp_path / "demo" / "index.html").is_file()


@pytest.mark.thorough
def test_demo_of_a_knowledge_graph(linkwl, tmp_path, monkeypatch):
    triple_model.register(monkeypatch)
    monkeypatch.setattr(LinkPredictor.__init__, "__defaults__", ("toy-triple",))
    code, out, err = linkwl("demo", "--graph", "world", "--out", tmp_path / "demo", "--json", "-")
    assert code == 0
    assert "the likeliest missing facts:" in err
    assert "the likeliest missing fact of each relation:" in err
    assert json.loads(out)["graph"]["name"] == "world"
    assert (tmp_path / "demo" / "index.html").is_file()
    assert LinkPredictor.load(tmp_path / "demo" / "model").graph_.num_facts == 4035


def test_an_unknown_demo_is_refused(linkwl, tmp_path):
    code, _, err = linkwl("demo", "--graph", "moon", "--out", tmp_path / "demo")
    assert code == 2
    assert "airports" in err
    assert not (tmp_path / "demo").exists()


def test_without_a_command_help_is_shown(linkwl):
    _, out, _ = linkwl()
    assert "demo" in out
    assert "evaluate" in out


def test_the_memory_can_be_limited(linkwl, tmp_path, monkeypatch):
    monkeypatch.setenv("LINKWL_MAX_MEMORY", "100GB")  # restored after the test
    path = tmp_path / "edges.csv"
    path.write_text("a,b\nb,c\n")
    code, _, err = linkwl("--max-memory", "4GB", "inspect", path)
    assert code == 0, err
    assert os.environ["LINKWL_MAX_MEMORY"] == "4000000000"
    code, _, err = linkwl("--max-memory", "some", "inspect", path)
    assert (code, err) == (2, "error: 'some' is not an amount of memory; write it like 4GB or 512MB.\n")


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        pa.ArrowMemoryError("malloc of size 9 failed"),
        RuntimeError(
            "[enforce fail at alloc_cpu.cpp:124] DefaultCPUAllocator: can't allocate memory: you tried to ..."
        ),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
    ],
)
def test_memory_that_runs_out_is_one_sentence(linkwl, tmp_path, monkeypatch, error):
    def fail(*_, **__):
        raise error

    path = tmp_path / "edges.csv"
    path.write_text("a,b\nb,c\n")
    monkeypatch.setattr("linkwl.cli.inspect.open_graph", fail)
    code, out, err = linkwl("inspect", path)
    assert code == 2
    assert out == ""
    assert err.startswith("error: the memory that is free does not suffice, and no file was damaged; ")
    assert err.count("\n") == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    "arguments", [["--help"], ["datasets", "list", "--json", "-"], ["predict", "m", "--top-k", "9999"]]
)
def test_a_closed_pipe_is_no_error(tmp_path, arguments):
    """As in `linkwl ... | head -1`, but closed before anything is written."""
    if "m" in arguments:
        LinkPredictor("cn").fit(load_airports()).save(tmp_path / "m")
    code = "from linkwl.cli.main import run; run()"
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], stdout=writing, stderr=subprocess.PIPE, cwd=tmp_path, check=False
    )
    os.close(writing)
    assert done.returncode == 0, done.stderr
    assert b"BrokenPipe" not in done.stderr
    assert b"Exception" not in done.stderr


@pytest.mark.thorough
def test_the_work_goes_on_if_nobody_reads_the_log(tmp_path):
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-m", "linkwl", "inspect", "airports", "--json", "out.json"]
    done = subprocess.run(command, stderr=writing, stdout=subprocess.PIPE, cwd=tmp_path, check=False)
    os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"")
    assert json.loads((tmp_path / "out.json").read_text())


@pytest.mark.thorough
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_ranking_that_cannot_be_written_is_one_sentence(tmp_path):
    LinkPredictor("cn").fit(load_airports()).save(tmp_path / "m")
    command = [sys.executable, "-m", "linkwl", "predict", "m", "--top-k", "9", "--quiet"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("error: standard output: cannot be written (no space left on device)")
    assert done.stderr.count("\n") == 1


def test_other_errors_are_not_hidden(linkwl, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("shapes differ")

    monkeypatch.setattr("linkwl.cli.inspect.open_graph", fail)
    with pytest.raises(RuntimeError, match="shapes differ"):
        linkwl("inspect", tmp_path)
