from __future__ import annotations

import json
from dataclasses import replace

import pytest

from linkwl.benchmark.floor import check_floor, floor_file, load_floor, measure_floor
from linkwl.datasets import load_airports
from linkwl.errors import InputError, OutputError
from linkwl.models import create_model
from linkwl.splits import PAPER
from linkwl.training import evaluate_models

SHORT = replace(PAPER, seeds=2)


def test_the_floor_is_what_evaluate_says(tmp_path):
    path, runs = floor_file(tmp_path / "new", "airports"), []
    measure_floor(load_airports(), path, ["cn", "aa"], protocol=SHORT, on_run=runs.append)
    assert path == tmp_path / "new/heuristics/airports.json"
    floor = load_floor(path, ["cn", "aa"])
    expected = evaluate_models(load_airports(), [create_model("cn"), create_model("aa")], PAPER, [0, 1])
    assert [(run.model, run.seed, run.metrics, run.valid) for run in floor.runs] == [
        (run.model, run.seed, run.metrics, run.valid) for run in expected.runs
    ]
    assert tuple(runs) == floor.runs
    assert floor.graph == expected.graph


def test_no_place_to_write_is_found_before_the_work(tmp_path):
    (tmp_path / "heuristics").write_text("a file where a folder should be")
    runs = []
    with pytest.raises(OutputError):
        measure_floor(load_airports(), floor_file(tmp_path, "airports"), ["cn"], protocol=SHORT, on_run=runs.append)
    assert runs == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda path: path.write_text(path.read_text()[:-40]),
        lambda path: path.write_bytes(b"\xff\xfe"),
        lambda path: path.write_text("[]"),
        lambda path: path.write_text(path.read_text().replace('"auc"', '"au"')),
        lambda path: path.write_text(path.read_text().replace("0.75", "75.0")),
        lambda path: path.write_text(path.read_text().replace('"paper"', "null")),
    ],
)
def test_a_broken_file_is_one_sentence(save_floor, damage):
    path = save_floor(cn=[(0.75, 0.75)])
    damage(path)
    with pytest.raises(InputError) as caught:
        load_floor(path, ["cn"])
    assert str(caught.value) == (
        f"{path}: this is not a readable record of heuristics; delete it, and run the table with `--models heuristics`."
    )


def test_the_best_of_some_is_no_floor(save_floor):
    path = save_floor(cn=[(0.7, 0.7)])
    with pytest.raises(InputError, match="this record has no run of aa, ppr; delete it, and run"):
        load_floor(path, ["cn", "aa", "ppr"])


def test_a_floor_of_another_measurement_is_one_sentence(save_floor):
    path = save_floor(cn=[(0.7, 0.7)])
    floor = load_floor(path, ["cn"])
    written = json.loads(json.dumps(PAPER.to_json()))
    check_floor(path, floor, floor.graph.digest, written)
    with pytest.raises(InputError, match=f"{path}: these heuristics were measured on another graph than the networks"):
        check_floor(path, floor, "another", written)
    with pytest.raises(InputError, match="measured under another protocol than the networks; delete it"):
        check_floor(path, floor, floor.graph.digest, written | {"test_ratio": 0.2})
