"""Where the trials of a study are kept: a record, a journal, or a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from linkwl.errors import InputError
from linkwl.files import check_writable
from linkwl.jsonl import Row, put_row, read_rows
from linkwl.locks import locked
from linkwl.models.space import Space
from linkwl.records import GraphRecord
from linkwl.tuning.study import Study

_DATABASES = (".db", ".sqlite", ".sqlite3")
_RECORD = ".jsonl"
_FORMS = (
    "a file (FILE.jsonl for a record, FILE.db for SQLite, any other for a journal), sqlite:///FILE or postgresql://"
)


@dataclass(frozen=True)
class StudyName:
    """What a study is called in a store of many."""

    model: str
    graph: GraphRecord
    protocol: str
    """The name of the protocol."""
    seed: int

    def __str__(self) -> str:
        graph = f"{self.graph.name} ({self.graph.digest[:8]})"
        return f"linkwl: {self.model} on {graph}, protocol {self.protocol}, seed {self.seed}"


class StudyStore(ABC):
    """Keeps the trials of one study as they end; one driver at a time owns it."""

    @abstractmethod
    def load(self) -> Study | None:
        """The study with all its trials; None if there is none.

        Raises:
            InputError: If it cannot be read.
        """

    @abstractmethod
    def save(self, study: Study) -> None:
        """Adds the trials that are not stored yet, each in one step: a kill leaves it stored or not.

        Raises:
            InputError: If the store is damaged or cannot be reached.
            OutputError: If it cannot be written.
        """

    @abstractmethod
    def locked(self) -> AbstractContextManager[None]:
        """Keeps other drivers away from the study for a block.

        Raises:
            InputError: If another driver is at work.
        """


class RecordStore(StudyStore):
    """A line in a file of records, one for each model and graph.

    Args:
        path: The file; it need not exist.
        name: The study.
    """

    def __init__(self, path: Path, name: StudyName) -> None:
        self.path, self._key = path, (name.model, name.graph.name)

    def load(self) -> Study | None:
        """The study of this model and graph in the file."""
        studies = read_rows(self.path, Study.from_row, "a study")
        return next((study for study in studies if (study.model, study.graph.name) == self._key), None)

    def save(self, study: Study) -> None:
        """Replaces the line."""
        put_row(self.path, study.to_row(), _model_and_graph, "a study")

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keeps other drivers away from the file."""
        with locked_file(self.path):
            yield


def open_store(storage: str, name: StudyName, space: Space) -> StudyStore:
    """The store that a user names.

    Args:
        storage: A file or a URL.
        name: The study; a journal or a database may hold many.
        space: The settings that vary.

    Raises:
        InputError: If it is neither, a driver is missing, or the database cannot be reached.
        OutputError: If the file cannot be written.
    """
    from linkwl.tuning.optuna_store import OptunaStore

    scheme, separator, rest = storage.partition("://")
    if separator:
        kind = scheme.partition("+")[0]
        if kind not in ("sqlite", "postgresql"):
            raise InputError(f"--storage {scheme}://...: expected {_FORMS}.")
        if kind == "sqlite" and rest.strip("/") in ("", ":memory:"):
            raise InputError(f"--storage {storage}: this database is gone when the command ends; name a file.")
        return OptunaStore(storage, str(name), space)
    path = Path(storage)
    check_writable(path)
    if path.suffix.lower() == _RECORD:
        return RecordStore(path, name)
    if path.suffix.lower() in _DATABASES:
        return OptunaStore(f"sqlite:///{path}", str(name), space)
    return OptunaStore(path, str(name), space)


def joined(first: Study | None, second: Study | None) -> Study | None:
    """Two copies of a study as one, by the numbers of their trials; where both have one, it is that of the second.

    Raises:
        InputError: If they are of different studies.
    """
    if first is None or second is None:
        return first if second is None else second
    if not first.is_of(second):
        raise InputError(
            f"the folder and the storage hold different studies of {first.model} on {first.graph.name}; give another "
            "folder or another storage."
        )
    trials = {trial.number: trial for trial in (*first.trials, *second.trials)}
    confirmation = second.confirmation or first.confirmation
    return replace(second, trials=tuple(trials[n] for n in sorted(trials)), confirmation=confirmation)


@contextmanager
def locked_file(path: Path) -> Iterator[None]:
    """Keeps other runs away from a file for a block, by a folder beside it that is removed afterwards.

    Raises:
        InputError: If another run uses the file.
        OutputError: If the folder cannot be made.
    """
    folder = path.with_name(f"{path.name}.lock-folder")
    with locked(folder):
        yield
    with suppress(OSError):  # it is gone already, unless a killed run had left it
        folder.rmdir()


def _model_and_graph(row: Row) -> tuple[str, str]:
    return row["model"], row["graph"]["name"]
