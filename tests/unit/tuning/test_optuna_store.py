from __future__ import annotations

import os
from importlib import import_module

import pytest

from linkwl.errors import InputError
from linkwl.tuning.optuna_store import OptunaStore
from studies import SPACE, study_of_twelve

optuna = pytest.importorskip("optuna")
store_module = import_module("linkwl.tuning.optuna_store")
STUDY = study_of_twelve()
POSTGRES = os.environ.get("LINKWL_TEST_POSTGRES", "")
"""The URL of an empty database."""


def test_optuna_shows_the_trials_with_their_settings(tmp_path):
    url = f"sqlite:///{tmp_path / 'a.db'}"
    OptunaStore(url, "a study", SPACE).save(STUDY)
    shown = optuna.load_study(study_name="a study", storage=url)
    assert shown.best_value == pytest.approx(STUDY.best.value)
    states = [trial.state.name for trial in shown.trials]
    assert (states.count("FAIL"), states.count("PRUNED"), len(states)) == (1, 1, 12)
    assert shown.trials[2].params["kind"] == "<b>"
    assert shown.trials[0].params["group.rate"] == 0.01
    assert shown.trials[7].intermediate_values == {1: 0.25}


def test_a_study_without_a_record_is_an_empty_one(tmp_path):
    """A kill may come between the creation of a study and its first record."""
    url = f"sqlite:///{tmp_path / 'a.db'}"
    optuna.create_study(study_name="a study", storage=url, direction="maximize")
    store = OptunaStore(url, "a study", SPACE)
    assert store.load() is None
    store.save(STUDY)
    assert store.load() == STUDY


@pytest.mark.parametrize(("name", "content"), [("a.log", b"a,b\nc,d\n"), ("a.db", b"this is not a database" * 50)])
def test_another_file_is_refused_and_stays(tmp_path, name, content):
    file = tmp_path / name
    file.write_bytes(content)
    place = f"sqlite:///{file}" if name == "a.db" else file
    with pytest.raises(InputError, match=f"{name}: (this is not a readable|the database cannot be used)"):
        OptunaStore(place, "a study", SPACE).load()
    assert file.read_bytes() == content


def test_a_missing_driver_is_named(monkeypatch):
    monkeypatch.setattr(store_module, "find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"pip install 'psycopg\[binary\]'") as error:
        OptunaStore("postgresql://me:secret@localhost/x", "a study", SPACE)
    assert "secret" not in str(error.value)
    with pytest.raises(InputError, match="driver asyncpg is not installed"):
        OptunaStore("postgresql+asyncpg://me:secret@localhost/x", "a study", SPACE)


def test_a_url_that_cannot_be_read_does_not_show_its_password():
    with pytest.raises(InputError, match="the URL cannot be read") as error:
        OptunaStore("postgresql://me:secret@localhost:port/x", "a study", SPACE)
    assert "secret" not in str(error.value)


@pytest.mark.skipif(not POSTGRES, reason="LINKWL_TEST_POSTGRES names no database")
def test_postgresql_keeps_studies_and_locks_them():
    name = f"a study of process {os.getpid()}"
    first, second = (OptunaStore(POSTGRES, name, SPACE) for _ in range(2))
    assert first.load() is None
    with first.locked():
        first.save(STUDY)
        with pytest.raises(InputError, match="another run is at work"), second.locked():
            pass
        with OptunaStore(POSTGRES, name + "b", SPACE).locked():
            pass
    with second.locked():
        assert second.load() == STUDY
