from __future__ import annotations

import json

import pytest
import torch

from fitting import train_model
from linkwl import InputError, create_model
from linkwl.datasets import load_airports
from linkwl.metrics import brier_score, calibration_error
from linkwl.models.calibration import Calibration
from linkwl.predict import LinkPredictor
from linkwl.protocols import PAPER, target_scores
from linkwl.storage.model_folder import load_model
from linkwl.training import Trainer
from linkwl.training.evaluate import fold_scores
from linkwl.training.train import train_for_use
from toy_model import register


@pytest.fixture(autouse=True)
def known(monkeypatch):
    register(monkeypatch)


@pytest.fixture(scope="module")
def airports():
    return load_airports()


def measure(model, fold):
    return PAPER.measure(fold.targets, fold_scores(model, fold))


def stop_at(step):
    def on_step(report):
        if report.step == step:
            raise MemoryError

    return on_step


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_the_record_says_what_was_done(toy, airports, tmp_path):
    source = {"graph": "airports", "features": None}
    model, _, _, record = train_model(toy(), airports, tmp_path / "m", seed=3, origin=source)
    split = PAPER.apply(airports, 3)
    assert (record.model, record.seed, record.steps) == ("toy", 3, 40)
    assert record.graph == airports.record
    assert record.split == split.digest
    assert record.valid == measure(model, split.valid)
    assert record.test.items() >= measure(model, split.test).items()
    assert record.valid["auc"] == max(auc for _, auc in record.history["valid"])
    assert record.training["stopped"] == "max_steps"
    assert record.training["threads"] == torch.get_num_threads()
    assert record.versions["torch"].startswith(torch.__version__.split("+")[0])
    written = json.loads((tmp_path / "m" / "record.json").read_text())
    assert written["config"]["training"]["max_steps"] == 40
    assert written["source"]["graph"] == "airports"


def test_a_killed_run_is_resumed_and_ends_with_the_same_files(toy, airports, tmp_path):
    train_model(toy(), airports, tmp_path / "whole")
    with pytest.raises(MemoryError):
        train_model(toy(), airports, tmp_path / "part", checkpoint_seconds=0, on_step=stop_at(20))
    assert names(tmp_path / "part") == {"checkpoint.safetensors"}
    with pytest.raises(InputError, match="holds an unfinished run; continue it with --resume, or choose another"):
        train_model(toy(), airports, tmp_path / "part")
    steps = []
    train_model(toy(), airports, tmp_path / "part", resume=True, on_step=lambda report: steps.append(report.step))
    assert steps[0] == 20
    assert names(tmp_path / "part") == names(tmp_path / "whole")
    for name in ("config.json", "nodes.parquet", "graph.safetensors", "calibration.json", "model.safetensors"):
        assert (tmp_path / "part" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_killed_while_the_model_was_saved(toy, airports, tmp_path, monkeypatch):
    """Weights are there and the checkpoint is too: the end is done once more."""
    folder = tmp_path / "m"
    train_model(toy(), airports, folder)
    weights = (folder / "model.safetensors").read_bytes()
    with monkeypatch.context() as patch, pytest.raises(MemoryError):
        patch.setattr("linkwl.predict.predictor.save_model", lambda *_: (_ for _ in ()).throw(MemoryError))
        train_model(toy(), airports, tmp_path / "n")
    (folder / "checkpoint.safetensors").write_bytes((tmp_path / "n" / "checkpoint.safetensors").read_bytes())
    train_model(toy(), airports, folder, resume=True, on_step=lambda _: pytest.fail("a step was taken"))
    assert (folder / "model.safetensors").read_bytes() == weights
    assert "checkpoint.safetensors" not in names(folder)


def test_a_folder_with_a_model_is_not_touched(toy, airports, tmp_path):
    folder = tmp_path / "m"
    record = train_model(toy(), airports, folder).record
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    with pytest.raises(InputError, match="already holds a trained model; choose another folder"):
        train_model(toy(), airports, folder)
    with pytest.raises(InputError, match="trained model of another run: seed was 0 and is 1 now; choose another"):
        train_model(toy(), airports, folder, seed=1, resume=True)
    with pytest.raises(InputError, match=r"training.max_steps was 40 and is 41 now"):
        train_model(toy(max_steps=41), airports, folder, resume=True)
    with pytest.raises(InputError, match="its train pairs are not those of this graph and seed"):
        train_model(toy(), airports.without(airports.edges[:1]), folder, resume=True)
    again = train_model(toy(), airports, folder, resume=True, on_step=lambda _: pytest.fail("a step was taken"))
    assert again.record.to_json() == record.to_json()
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_without_anything_to_resume_it_starts(toy, airports, tmp_path):
    train_model(toy(), airports, tmp_path / "a" / "b", resume=True)
    assert load_model(tmp_path / "a" / "b").id == "toy"


def test_a_folder_made_for_nothing_is_gone_again(toy, airports, tmp_path):
    def fail(report):
        raise InputError("no")

    (tmp_path / "old").mkdir()
    for name in ("new", "old"):
        with pytest.raises(InputError, match="no"):
            train_model(toy(), airports, tmp_path / name, on_step=fail)
    with pytest.raises(InputError, match="no"):
        train_model(toy(), airports, tmp_path / "kept", checkpoint_seconds=0, on_step=stop_late(fail))
    assert names(tmp_path) == {"old", "kept"}
    assert names(tmp_path / "kept") == {"checkpoint.safetensors"}


def scores_of(model, fold):
    return target_scores(fold.targets, fold_scores(model, fold))[:2]


def stop_late(fail):
    return lambda report: fail(report) if report.step == 5 else None


def test_probabilities_are_fitted_on_validation_and_measured_on_test(toy, airports, tmp_path):
    saved = train_model(toy(), airports, tmp_path / "m")
    split, record = PAPER.apply(airports, 0), saved.record
    assert saved.calibration == Calibration.fit(
        *scores_of(saved.model, split.valid), prior=airports.num_edges / airports.num_pairs
    )
    told = [saved.calibration.probability(scores, 0.5) for scores in scores_of(saved.model, split.test)]
    assert (record.test["brier"], record.test["ece"]) == (brier_score(*told), calibration_error(*told))


def test_a_prior_of_ones_own(toy, airports, tmp_path):
    for prior in (0.25, 0.25, None):
        found = train_model(toy(max_steps=2), airports, tmp_path / "m", prior=prior, resume=True)
        assert found.calibration.prior == 0.25
    with pytest.raises(InputError, match=r"trained with the prior 0.25; `linkwl predict` takes another one"):
        train_model(toy(max_steps=2), airports, tmp_path / "m", prior=0.5, resume=True)


def test_a_config_of_something_else_is_not_touched(toy, airports, tmp_path):
    (tmp_path / "config.json").write_text("[]")
    with pytest.raises(InputError, match="holds something other than a model"):
        train_model(toy(), airports, tmp_path)
    assert (tmp_path / "config.json").read_text() == "[]"


def test_a_formula_is_calibrated_as_well(airports):
    saved = train_for_use(create_model("ra"), airports, Trainer())
    assert saved.record.steps == 0
    assert saved.record.test["auc"] > 0.9
    assert saved.calibration.slope > 0


def test_a_formula_is_saved_in_the_same_way(airports, tmp_path):
    saved = train_model(create_model("ra"), airports, tmp_path / "m")
    assert load_model(tmp_path / "m").id == "ra"
    again = train_model(create_model("ra"), airports, tmp_path / "m", resume=True)
    assert again.record.to_json() == saved.record.to_json()


def test_several_models_are_compared_and_a_killed_comparison_is_resumed(airports, tmp_path, monkeypatch):
    monkeypatch.setattr("linkwl.predict.predictor.auto_models", lambda task: ["toy", "ra", "cn"])
    folder = tmp_path / "m"
    with pytest.raises(MemoryError):
        LinkPredictor("auto").fit(airports, folder=folder, checkpoint_seconds=0, on_step=stop_at(20))
    assert names(folder) == {"checkpoint.toy.safetensors"}
    steps = []
    predictor = LinkPredictor("auto").fit(
        airports, folder=folder, resume=True, on_step=lambda report: steps.append(report.step)
    )
    assert steps[0] == 20
    assert not any(name.startswith("checkpoint") for name in names(folder))
    assert {row.model for row in predictor.compared_} == {"toy", "ra", "cn"}
    assert predictor.model_.id == predictor.compared_[0].model == load_model(folder).id
    assert "none has a higher AUC on validation links" in predictor.choice_
