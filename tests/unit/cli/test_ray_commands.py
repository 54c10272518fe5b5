"""Commands on Ray leave the records that they leave in one process."""

from __future__ import annotations

import json

import pytest

import ray_clusters
from linkwl.engine.ray_session import disconnect

pytestmark = ray_clusters.MARKS
ENGINES = ("inline", "ray")
_MEASURED = {"seconds", "cpu_seconds", "peak_memory_mb", "elapsed", "date", "versions", "threads"}
"""What differs between two runs of the same work."""


@pytest.fixture(scope="module", autouse=True)
def one_ray():
    """All commands of this file use the same Ray."""
    yield
    disconnect()


@pytest.fixture
def ring(tmp_path):
    """A ring of 60 nodes with chords, as a file."""
    file = tmp_path / "ring.csv"
    file.write_text("".join(f"n{v},n{(v + step) % 60}\n" for v in range(60) for step in (1, 2, 5)))
    return file


def plain(value):
    """A record without what was measured of the machine."""
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items() if name not in _MEASURED}
    return [plain(item) for item in value] if isinstance(value, list) else value


def same(values) -> bool:
    return all(value == values[0] for value in values)


def test_evaluate(linkwl_json, ring):
    found = [
        plain(linkwl_json("evaluate", ring, "-m", "ra,mf", "--seeds", "2", "--engine", engine)) for engine in ENGINES
    ]
    assert len(found[0]["runs"]) == 4
    assert same(found)


def test_predict(linkwl, ring, tmp_path):
    code, _, error = linkwl("train", ring, "-m", "ra", "--out", tmp_path / "model")
    assert code == 0, error
    for question in (("--top-k", "50"), ("--per-node", "2", "--candidates", "hops:2")):
        files = []
        for engine in ENGINES:
            file = tmp_path / f"{engine.replace(':', '')}.csv"
            code, _, error = linkwl("predict", tmp_path / "model", *question, "--engine", engine, "--out", file)
            assert code == 0, error
            files.append(file.read_text())
        assert len(files[0].splitlines()) > 50
        assert same(files)


def test_tune(linkwl_json, ring, tmp_path):
    pytest.importorskip("optuna", reason="searches settings")
    found = []
    for engine in ENGINES:
        folder = tmp_path / engine.replace(":", "")
        call = ("tune", ring, "-m", "mf", "--trials", "4", "--wave", "2", "--confirm", "1", "--engine", engine)
        found.append(plain(linkwl_json(*call, "--out", folder)))
    assert len(found[0]["trials"]) == 4
    assert same(found)


def test_bench(linkwl, benchmark_data, tmp_path):
    found = []
    for engine in ENGINES:
        folder = tmp_path / engine.replace(":", "")
        call = ("bench", "table1", "--datasets", "ns", "--models", "mf", "--seeds", "2", "--out", folder)
        code, _, error = linkwl(*call, "--engine", engine)
        assert code == 0, error
        lines = [line for file in sorted(folder.rglob("*.jsonl")) for line in file.read_text().splitlines()]
        found.append(sorted((plain(json.loads(line)) for line in lines), key=str))
    assert len(found[0]) == 2
    assert same(found)
