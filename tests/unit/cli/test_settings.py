from __future__ import annotations

import pytest

from linkwl import InputError, UnknownNameError
from linkwl.cli.settings import create_models


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
