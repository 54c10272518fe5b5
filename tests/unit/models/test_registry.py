from __future__ import annotations

import pytest

from linkwl.errors import InputError, UnknownNameError
from linkwl.models import MODELS, create_model


def test_models_by_name():
    assert list(MODELS) == ["cn", "aa", "ra", "pa", "jaccard", "katz", "ppr", "simrank"]


def test_published_settings():
    assert create_model("katz").config.model_dump() == {"beta": 0.001}
    assert create_model("ppr").config.model_dump() == {"alpha": 0.85}
    assert create_model("simrank").config.model_dump() == {"gamma": 0.8, "iterations": 5}


def test_settings_may_come_as_text():
    assert create_model("katz", beta="0.01").config.beta == 0.01
    assert repr(create_model("simrank", iterations="3")) == "SimRank(gamma=0.8, iterations=3)"


def test_unknown_model_gets_near_names():
    with pytest.raises(UnknownNameError, match=r"unknown model 'kats'; did you mean 'katz'\?"):
        create_model("kats")


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("katz", {"bta": 1}, "unknown katz setting 'bta'; did you mean 'beta'?"),
        ("cn", {"beta": 1}, "cn has no settings, got 'beta'."),
        ("katz", {"beta": "abc"}, "katz setting 'beta' must be a valid number, got 'abc'."),
        ("katz", {"beta": 0}, "katz setting 'beta' must be greater than 0, got 0."),
        ("katz", {"beta": "nan"}, "katz setting 'beta' must be a finite number, got 'nan'."),
        ("katz", {"beta": "inf"}, "katz setting 'beta' must be a finite number, got 'inf'."),
        ("ppr", {"alpha": "1"}, "ppr setting 'alpha' must be less than 1, got '1'."),
        ("simrank", {"iterations": 2.5}, "simrank setting 'iterations' must be a valid integer, got 2.5."),
    ],
)
def test_bad_settings_get_one_sentence(name, settings, sentence):
    with pytest.raises(InputError) as error:
        create_model(name, **settings)
    assert str(error.value) == sentence
