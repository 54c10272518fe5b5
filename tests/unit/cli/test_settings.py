from __future__ import annotations

from pathlib import Path

import pytest

from linkwl import InputError, UnknownNameError
from linkwl.cli import settings
from linkwl.cli.settings import create_models
from toy_model import register


def settings_of(models):
    return {model.id: model.config.model_dump() for model in models}


def test_models_are_listed_once_and_in_order():
    assert [model.id for model in create_models("ra, cn,ra", None, [])] == ["ra", "cn"]


def test_a_plain_setting_goes_to_every_model_that_has_it():
    models = create_models("katz,cn", None, ["beta=0.002"])
    assert settings_of(models) == {"katz": {"beta": 0.002}, "cn": {}}


def test_a_file_may_hold_settings_of_models_that_are_not_wanted(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text("[ppr]\nalpha = 0.5\n[katz]\nbeta = 0.003\n")
    assert settings_of(create_models("katz", file, [])) == {"katz": {"beta": 0.003}}


def test_the_command_line_wins_over_the_file(tmp_path):
    file = tmp_path / "settings.yml"
    file.write_text("beta: 0.003\n")
    assert settings_of(create_models("katz", file, ["katz.beta=0.004"])) == {"katz": {"beta": 0.004}}


def test_an_unknown_setting_is_looked_for_in_all_models():
    with pytest.raises(UnknownNameError, match=r"unknown setting of cn, katz: 'bta'; did you mean 'beta'"):
        create_models("cn,katz", None, ["bta=1"])


@pytest.mark.parametrize("text", ["1: 2\n", "katz: {1: 2}\n", "- beta\n", "0.5\n"])
def test_a_file_that_does_not_name_settings(tmp_path, text):
    file = tmp_path / "settings.yaml"
    file.write_text(text)
    with pytest.raises(InputError, match="expected settings by name"):
        create_models("katz", file, [])


@pytest.mark.parametrize("names", ["", " , "])
def test_no_model(names):
    with pytest.raises(InputError, match="no model named; choose from cn, aa"):
        create_models(names, None, [])


@pytest.fixture
def toy(monkeypatch):
    register(monkeypatch)


@pytest.mark.usefixtures("toy")
class TestGroups:
    def test_settings_in_groups_have_dots(self):
        (model,) = create_models("toy", None, ["encoder.channels=5", "toy.training.max_steps=7"])
        assert (model.config.encoder.channels, model.config.training.max_steps) == (5, 7)
        assert (model.config.encoder.dropout, model.config.training.evaluate_every) == (0.3, 4)

    def test_a_plain_group_goes_to_every_model_that_has_it(self):
        toy, katz = create_models("toy,katz", None, ["training.max_steps=7", "beta=0.002"])
        assert toy.config.training.max_steps == 7
        assert katz.config.beta == 0.002

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("s.toml", "[encoder]\nchannels = 5\n[toy.training]\nmax_steps = 7\n[katz]\nbeta = 0.1\n[2wl.x]\ny = 1\n"),
            ("s.toml", "encoder.channels = 5\ntoy.training.max_steps = 7\n"),
            ("s.yaml", "encoder:\n  channels: 5\ntoy:\n  training:\n    max_steps: 7\n"),
        ],
    )
    def test_a_file_has_tables_in_tables(self, tmp_path, name, text):
        (tmp_path / name).write_text(text)
        (model,) = create_models("toy", tmp_path / name, ["encoder.dropout=0.1"])
        assert model.config.encoder.model_dump() == {"channels": 5, "dropout": 0.1}
        assert model.config.training.max_steps == 7

    def test_the_command_line_wins_within_a_group(self, tmp_path):
        file = tmp_path / "s.toml"
        file.write_text("[toy.encoder]\nchannels = 5\ndropout = 0.4\n")
        (model,) = create_models("toy", file, ["encoder.channels=6"])
        assert model.config.encoder.model_dump() == {"channels": 6, "dropout": 0.4}

    @pytest.mark.parametrize(
        ("names", "assignment", "sentence"),
        [
            ("toy", "encoder.chanels=1", "unknown toy setting 'encoder.chanels'; did you mean 'encoder.channels'"),
            ("toy", "toy.encoder.chanels=1", "unknown toy setting 'encoder.chanels'; did you mean 'encoder.channels'"),
            ("toy,cn", "encoder.chanels=1", "unknown setting of toy, cn: 'encoder.chanels'; did you mean 'encoder.cha"),
            ("toy", "encoder=1", "toy setting 'encoder' is a group of settings and takes no value, got '1'"),
            ("toy", "training.max_steps=x", "toy setting 'training.max_steps' must be a valid integer"),
            ("toy", "katz.beta=1", "unknown toy setting 'katz.beta'"),
            ("katz", "beta.x=1", "unknown katz setting 'beta.x'; did you mean 'beta'?"),
        ],
    )
    def test_mistakes_get_a_sentence(self, names, assignment, sentence):
        with pytest.raises(InputError) as error:
            create_models(names, None, [assignment])
        assert sentence in str(error.value)

    @pytest.mark.parametrize("kind", ["tuned", "paper"])
    def test_settings_that_come_with_the_package(self, monkeypatch, kind):
        asked = []

        def published(model, dataset, word):
            asked.append((model, dataset, word))
            return {"encoder": {"channels": 5}, "training": {"max_steps": 7}}

        monkeypatch.setattr(settings, "bundled_settings", published)
        monkeypatch.setattr(settings, "has_bundled_settings", lambda *_: True)
        toy, katz = create_models("toy,katz", Path(kind), ["training.max_steps=8"], dataset="usair")
        assert (toy.config.encoder.channels, toy.config.training.max_steps) == (5, 8)
        assert katz.config.beta == 0.001  # its defaults are the published settings
        assert asked == [("toy", "usair", kind)]

    @pytest.mark.parametrize("dataset", ["my_edges.csv", "usair", "../usair", ""])
    def test_settings_that_do_not_come_with_the_package(self, dataset):
        with pytest.raises(
            InputError, match="--config tuned: the package has no such settings of toy for .*omit --config"
        ):
            create_models("toy", Path("tuned"), [], dataset=dataset)
