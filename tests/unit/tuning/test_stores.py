from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from linkwl.errors import InputError, OutputError
from linkwl.tuning.optuna_store import OptunaStore
from linkwl.tuning.stores import RecordStore, StudyName, joined, open_store
from studies import SPACE, study_of_twelve

pytest.importorskip("optuna")
STUDY = study_of_twelve()
NAME = StudyName("toy", STUDY.graph, "paper", 3)
PLACES = ("trials.jsonl", "trials.db", "trials.log", "sqlite:///{folder}/trials.sqlite")


@pytest.fixture(params=PLACES)
def storage(request, tmp_path):
    place = request.param.format(folder=tmp_path)
    return place if "://" in place else str(tmp_path / place)


def test_a_study_comes_back_as_it_was(storage):
    store = open_store(storage, NAME, SPACE)
    assert store.load() is None
    store.save(STUDY)
    assert open_store(storage, NAME, SPACE).load() == STUDY
    store.save(STUDY)
    assert store.load() == STUDY


def test_trials_are_added_in_any_order(storage):
    store = open_store(storage, NAME, SPACE)
    for kept in ((2, 0), (2, 0, 7), (2, 0, 7, 1)):
        store.save(replace(STUDY, trials=tuple(STUDY.trials[k] for k in sorted(kept)), confirmation=None))
    assert [trial.number for trial in store.load().trials] == [0, 1, 2, 7]
    store.save(STUDY)
    assert store.load() == STUDY


def test_a_store_holds_other_studies_too(storage):
    others = StudyName("other", STUDY.graph, "paper", 3)
    open_store(storage, NAME, SPACE).save(STUDY)
    store = open_store(storage, others, SPACE)
    assert store.load() is None
    store.save(replace(STUDY, model="other", trials=()))
    assert store.load().trials == ()
    assert open_store(storage, NAME, SPACE).load() == STUDY


def test_one_driver_at_a_time(storage, monkeypatch):
    first, second = (open_store(storage, NAME, SPACE) for _ in range(2))
    with first.locked(), pytest.raises(InputError, match="another run"), second.locked():
        pass
    with second.locked():
        pass
    assert [path.name for path in Path(storage.removeprefix("sqlite:///")).parent.iterdir() if path.is_dir()] == []


def test_the_ending_of_a_file_says_what_it_is(tmp_path):
    assert isinstance(open_store(str(tmp_path / "a.jsonl"), NAME, SPACE), RecordStore)
    database = open_store(str(tmp_path / "a.db"), NAME, SPACE)
    assert isinstance(database, OptunaStore)
    assert database.text == f"sqlite:///{tmp_path / 'a.db'}"
    assert (tmp_path / "a.db").read_bytes().startswith(b"SQLite")


@pytest.mark.parametrize(
    ("storage", "sentence"),
    [
        ("mysql://root:secret@host/x", "expected a file"),
        ("sqlite://", "gone when the command ends"),
        ("sqlite:///:memory:", "gone when the command ends"),
    ],
)
def test_what_is_no_storage_is_refused(storage, sentence):
    with pytest.raises(InputError, match=sentence) as error:
        open_store(storage, NAME, SPACE)
    assert "secret" not in str(error.value)


def test_a_file_without_a_folder_is_refused(tmp_path):
    with pytest.raises(OutputError, match="there is no folder"):
        open_store(str(tmp_path / "missing" / "a.db"), NAME, SPACE)


def test_copies_are_joined_by_number():
    first, second = replace(STUDY, trials=STUDY.trials[:3]), replace(STUDY, trials=STUDY.trials[2:5], confirmation=None)
    assert [trial.number for trial in joined(first, second).trials] == [0, 1, 2, 3, 4]
    assert joined(first, second).confirmation == STUDY.confirmation
    assert joined(None, second) is second
    assert joined(first, None) is first
    assert joined(None, None) is None
    with pytest.raises(InputError, match="different studies of toy"):
        joined(first, replace(second, hidden="other"))
