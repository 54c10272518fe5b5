from __future__ import annotations

import dataclasses
import json
from importlib import metadata

import pytest

from linkwl.errors import OutputError
from linkwl.records import Evaluation, GraphRecord, RunRecord, TrainingRecord, peak_memory_mb, versions


def run(model: str, seed: int, auc: float) -> RunRecord:
    seconds = {"prepare": 0.1, "fit": 0.0, "predict": 0.2}
    return RunRecord(
        model, seed, {"auc": auc, "ap": 0.5}, {"auc": 0.4}, seconds, 0, 12.5, "abc", {"beta": 0.1}, "exact"
    )


def evaluation(*runs: RunRecord) -> Evaluation:
    return Evaluation(GraphRecord("g", 3, 2, "d"), {"id": "paper"}, runs)


def test_summary_is_mean_and_sample_deviation_by_model():
    summary = evaluation(run("cn", 0, 0.5), run("cn", 1, 0.7), run("aa", 0, 0.9), run("cn", 2, 0.6)).summary
    assert list(summary) == ["cn", "aa"]
    assert summary["cn"]["auc"] == pytest.approx({"mean": 0.6, "std": 0.1})
    assert summary["cn"]["ap"] == {"mean": 0.5, "std": 0.0}
    assert summary["aa"]["auc"] == {"mean": 0.9, "std": 0.0}


def test_json_has_the_promised_shape():
    values = json.loads(evaluation(run("cn", 0, 0.5)).to_json())
    assert {"graph", "protocol", "runs", "summary", "versions"} <= set(values)
    assert values["graph"] == {"name": "g", "nodes": 3, "edges": 2, "digest": "d"}
    assert {"model", "seed", "metrics", "valid", "seconds", "steps", "peak_memory_mb", "split"} <= set(
        values["runs"][0]
    )
    assert values["summary"]["cn"]["auc"]["mean"] == 0.5


def test_round_trip(tmp_path):
    record = evaluation(run("cn", 0, 0.5), run("aa", 0, 1 / 3))
    record.save(tmp_path / "r.json")
    text = (tmp_path / "r.json").read_text()
    assert text.endswith("}\n")
    assert Evaluation.from_json(text) == record


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_json_cannot_say_is_refused(tmp_path, value):
    with pytest.raises(ValueError, match="JSON"):
        evaluation(run("cn", 0, value)).save(tmp_path / "r.json")
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_place(tmp_path):
    with pytest.raises(OutputError):
        evaluation(run("cn", 0, 0.5)).save(tmp_path / "no" / "r.json")


def test_records_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        run("cn", 0, 0.5).seed = 1


def test_versions_say_what_ran(monkeypatch):
    monkeypatch.setenv("NUMBA_NUM_THREADS", "3")
    found = versions()
    assert found["linkwl"] == metadata.version("linkwl")
    assert found["threads"] == "3"
    assert {"python", "machine", "numpy", "scipy", "numba", "pyarrow", "torch"} <= set(found)


def training_record() -> TrainingRecord:
    return TrainingRecord(
        model="toy",
        graph=GraphRecord("g", 3, 2, "d"),
        source={"graph": "g.csv", "features": None},
        seed=1,
        config={"training": {"max_steps": 3}},
        split="abc",
        valid={"auc": 1 / 3},
        test={"auc": 0.25},
        seconds={"prepare": 0.1, "fit": 0.2, "predict": 0.3},
        steps=3,
        training={"best_step": 2, "stopped": "max_steps"},
        history={"losses": [0.1, 0.2, 0.3]},
        peak_memory_mb=12.5,
        method="a toy",
        protocol={"id": "paper"},
        selects="auc",
    )


def test_a_training_record_comes_back():
    record = training_record()
    assert TrainingRecord.from_json(record.to_json()) == record
    assert record.to_json().endswith("}\n")
    assert record.versions["torch"] == metadata.version("torch")


def test_a_training_record_of_release_0_1_is_understood():
    values = json.loads(training_record().to_json())
    del values["protocol"], values["selects"]
    values["history"] = {"losses": [0.1], "valid_auc": [[5, 0.75]]}
    found = TrainingRecord.from_json(json.dumps(values))
    assert (found.selects, found.protocol) == ("auc", {})
    assert found.history == {"losses": [0.1], "valid": [[5, 0.75]]}


def test_early_records_have_no_training():
    values = json.loads(evaluation(run("cn", 0, 0.5)).to_json())
    del values["runs"][0]["training"]
    assert Evaluation.from_json(json.dumps(values)).runs[0].training == {}


def test_peak_memory_is_in_megabytes_and_never_falls():
    before = peak_memory_mb()
    block = bytearray(200_000_000)
    block[::4096] = b"x" * len(block[::4096])
    after = peak_memory_mb()
    del block
    assert 20 < before <= after
    assert after > 200
    assert peak_memory_mb() >= after


def test_runs_by_place():
    runs = run("cn", 0, 0.5), run("cn", 1, 0.7), run("aa", 0, 0.9)
    record = evaluation(*runs)
    assert (len(record), list(record), record[0], record[-2:]) == (3, list(runs), runs[0], runs[1:])


def test_a_frame_has_a_row_for_each_run():
    frame = evaluation(run("cn", 0, 0.5), run("aa", 1, 0.9)).to_pandas()
    names = ["model", "seed", "auc", "ap", "valid_auc", "prepare_seconds", "fit_seconds", "predict_seconds"]
    assert list(frame.columns) == names
    assert frame["auc"].tolist() == [0.5, 0.9]
    assert len(evaluation().to_pandas()) == 0


def test_a_notebook_shows_means_and_deviations():
    record = evaluation(run("cn", 0, 0.5), run("cn", 1, 0.7), run("<aa>", 0, 0.9))
    record = dataclasses.replace(record, refusals={"seal": "too <large>"})
    assert repr(record) == "Evaluation('g', protocol 'paper', 2 models, 2 splits)"
    made = record._repr_html_()
    assert "60.00 ± 14.14" in made
    assert "90.00<" in made
    assert "<aa>" not in made
    assert "seal was left out: too &lt;large&gt;" in made
