"""Studies in Optuna's storages: a journal file, SQLite or PostgreSQL.

A study is found by its name. Every trial is an Optuna trial, so that Optuna's tools can show it, and has our own record
as an attribute, from which it is read again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar
from zlib import crc32

from linkwl.errors import InputError
from linkwl.models.space import Choice, Space
from linkwl.tuning.sampler import distributions, frozen_trials, load_optuna
from linkwl.tuning.stores import StudyStore, locked_file
from linkwl.tuning.study import Study, Trial, trial_from_row

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial
    from sqlalchemy import URL

T = TypeVar("T")
_ATTRIBUTE = "linkwl"
"""The attribute of our own record, of studies and of trials."""
_DRIVERS = ("psycopg", "psycopg2")
_LOCKS = 0x6C696E6B  # marks our locks among those of a PostgreSQL server


class OptunaStore(StudyStore):
    """A study in an Optuna storage.

    Args:
        place: The file of a journal, or the URL of a database.
        name: The name of the study.
        space: The settings that vary.

    Raises:
        InputError: If the driver of the database is missing, or it cannot be reached.
    """

    def __init__(self, place: Path | str, name: str, space: Space) -> None:
        self._optuna = load_optuna()
        self._name, self._space = name, space
        self.text, self._file = str(place), place if isinstance(place, Path) else None
        if isinstance(place, str):
            url = _parsed(place)
            self.text = url.render_as_string(hide_password=True)
            if url.get_backend_name() == "sqlite":
                self._file = Path(url.database or "")
            else:
                url = _with_driver(url)
            place = url.render_as_string(hide_password=False)
        self._storage = self._checked(lambda: self._open(place))

    def load(self) -> Study | None:
        """The study with its trials, in the order of their numbers."""
        return self._checked(self._load)

    def save(self, study: Study) -> None:
        """Adds the trials that are not stored yet, and the rest of the record."""
        self._checked(lambda: self._save(study))

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other drivers away: from the file, or from the study of that name on a server."""
        if self._file is not None:
            with locked_file(self._file):
                yield
            return
        from sqlalchemy import text

        # A lock of the connection: the server releases it when this process ends in any way.
        key = {"ours": _LOCKS, "study": crc32(self._name.encode()) - (1 << 31)}
        connection = self._checked(lambda: self._storage.engine.connect())
        try:
            statement = text("SELECT pg_try_advisory_lock(:ours, :study)")
            is_ours = self._checked(lambda: connection.execute(statement, key).scalar())
            connection.commit()  # the lock outlives the transaction
            if not is_ours:
                raise InputError(f"--storage {self.text}: another run is at work on this study; wait for it.")
            yield
        finally:
            connection.invalidate()  # ends the connection, and with it the lock, instead of keeping it for later
            connection.close()
            self._storage.remove_session()
            self._storage.engine.dispose()

    def _open(self, place: Path | str) -> Any:
        storages = self._optuna.storages
        if isinstance(place, Path):
            return storages.JournalStorage(storages.journal.JournalFileBackend(str(place)))
        return storages.RDBStorage(place)

    def _load(self) -> Study | None:
        if self._name not in self._optuna.get_all_study_names(self._storage):
            return None
        found = self._optuna.load_study(study_name=self._name, storage=self._storage)
        if _ATTRIBUTE not in found.user_attrs:
            return None  # a kill between its creation and its first record
        study = Study.from_row(found.user_attrs[_ATTRIBUTE] | {"trials": []})
        for trial in found.get_trials(deepcopy=False):
            study = study.with_trial(trial_from_row(trial.user_attrs[_ATTRIBUTE]))
        return study

    def _save(self, study: Study) -> None:
        found = self._optuna.create_study(
            study_name=self._name, storage=self._storage, direction="maximize", load_if_exists=True
        )
        header = _plain({name: value for name, value in study.to_row().items() if name not in ("trials", "best")})
        if found.user_attrs.get(_ATTRIBUTE) != header:
            found.set_user_attr(_ATTRIBUTE, header)
        stored = {trial.user_attrs[_ATTRIBUTE]["number"] for trial in found.get_trials(deepcopy=False)}
        for trial in study.trials:
            if trial.number not in stored:
                found.add_trial(self._shown(study, trial))

    def _shown(self, study: Study, trial: Trial) -> FrozenTrial:
        """The trial as Optuna's tools show it: with the values of settings instead of their places in the space."""
        (frozen,) = frozen_trials(self._space, study.defaults, [trial])
        state = self._optuna.trial.TrialState
        params, ranges = dict(frozen.params), dict(distributions(self._space))
        for name, values in self._space.items():
            if isinstance(values, Choice):
                labels = tuple(map(str, values.values))
                ranges[name] = self._optuna.distributions.CategoricalDistribution(labels)
                if name in params:
                    params[name] = labels[params[name]]
        return self._optuna.trial.create_trial(
            state=state.COMPLETE if trial.values else state.PRUNED if trial.partial else state.FAIL,
            value=trial.value,
            params=params,
            distributions={name: ranges[name] for name in params},
            intermediate_values=frozen.intermediate_values,
            user_attrs={_ATTRIBUTE: _plain(asdict(trial))},
        )

    def _checked(self, work: Callable[[], T]) -> T:
        """The result of the work, whose errors become a sentence."""
        from sqlalchemy.exc import SQLAlchemyError

        try:
            return work()
        except (SQLAlchemyError, self._optuna.exceptions.OptunaError) as error:
            cause = error.__cause__ if isinstance(error, self._optuna.exceptions.OptunaError) else error
            reason = str(getattr(cause, "orig", None) or cause or error).strip().split("\n")[0].rstrip(".")
            raise InputError(
                f"--storage {self.text}: the database cannot be used ({reason}); correct the URL."
            ) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InputError(
                f"--storage {self.text}: this is not a readable storage of studies; name another, or a new one."
            ) from error


def _parsed(text: str) -> URL:
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(text)
    except (ArgumentError, ValueError) as error:  # its message may contain the password
        raise InputError(
            "--storage: the URL cannot be read; expected sqlite:///FILE or postgresql://USER@HOST:PORT/DATABASE."
        ) from error


def _with_driver(url: URL) -> URL:
    """The URL of a PostgreSQL database with a driver that is installed."""
    wanted = (url.get_driver_name(),) if "+" in url.drivername else _DRIVERS
    driver = next((name for name in wanted if find_spec(name)), None)
    if driver is None:
        raise InputError(
            f"--storage {url.render_as_string(hide_password=True)}: PostgreSQL needs the driver {' or '.join(wanted)}; "
            f"install it with `pip install '{wanted[0]}[binary]'`, or use sqlite:///FILE."
            if wanted[0] == "psycopg"
            else f"--storage {url.drivername}://...: the driver {wanted[0]} is not installed; leave it out of the URL."
        )
    return url.set(drivername=f"postgresql+{driver}")


def _plain(values: Any) -> Any:
    """Tuples as lists, as the storage returns them."""
    return json.loads(json.dumps(values, allow_nan=False))
