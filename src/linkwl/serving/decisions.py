"""Decisions about missing links, accepted, rejected or for later, in one SQLite file per graph.

A decision is answered only after it is on disk: the file is written ahead (WAL) and synchronised at every commit, so a
killed process loses none that it has confirmed.
"""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from linkwl.errors import InputError
from linkwl.files import make_folder
from linkwl.graph import Graph, Observed
from linkwl.typing import Queries

Verdict: TypeAlias = Literal["accepted", "rejected", "later"]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
MOST = 1_000_000
"""Number of decisions that a file may hold."""
_VERSION = 1
_NO_RELATION = -1
_TABLE = """
CREATE TABLE IF NOT EXISTS decisions (
    source INTEGER NOT NULL, relation INTEGER NOT NULL, target INTEGER NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('accepted', 'rejected', 'later')),
    probability REAL NOT NULL, time TEXT NOT NULL,
    PRIMARY KEY (source, relation, target)
) WITHOUT ROWID
"""

Key: TypeAlias = tuple[int, int, int]
"""Source, relation and target by index, see :func:`key_of`; the relation of a pair is -1."""


class Decision(NamedTuple):
    """What a user thinks of a link."""

    key: Key
    verdict: Verdict
    probability: float
    """What the model predicted when the decision was made."""
    time: str
    """In UTC, ISO 8601."""


class Change(NamedTuple):
    """A decision to store, or with the verdict None one to take back."""

    key: Key
    verdict: Verdict | None
    probability: float | None = None
    """What the model predicts; needed for a verdict."""
    time: str | None = None
    """By default now."""


def key_of(graph: Observed, query: Iterable[int]) -> Key:
    """A query as decisions are stored: both orders of an undirected pair are one, across two sides the left is first.

    Args:
        graph: The graph.
        query: Two nodes, or head, relation and tail.
    """
    values = tuple(int(value) for value in query)
    if len(values) == 3:
        return values[0], values[1], values[2]
    p, q = values
    if isinstance(graph, Graph) and not graph.is_directed:
        is_turned = graph.part[p] > graph.part[q] if graph.part is not None else p > q
        p, q = (q, p) if is_turned else (p, q)
    return p, _NO_RELATION, q


def query_of(graph: Observed, key: Key) -> list[int]:
    """The query of a key: two nodes, or head, relation and tail."""
    return [key[0], key[2]] if graph.task == "pairs" else list(key)


class Decisions:
    """The decisions about one graph; safe to use from several threads, and from several processes.

    Args:
        folder: The folder of the files; created if missing. None keeps everything in memory.
        digest: The digest of the graph, which names the file.

    Raises:
        InputError: If the file is not one of decisions.
        OutputError: If the folder cannot be written.
    """

    def __init__(self, folder: Path | None, digest: str) -> None:
        self.path = None if folder is None else make_folder(folder) / f"{digest[:32]}.sqlite"
        self._lock = threading.Lock()
        """Held while the file is used; reading what is in memory needs none."""
        place = ":memory:" if self.path is None else self.path
        try:
            self._base = sqlite3.connect(place, timeout=10.0, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as error:
            raise InputError(
                "this file of decisions cannot be opened; choose another folder.", path=self.path
            ) from error
        try:
            self._prepare()
        except sqlite3.DatabaseError as error:
            self._base.close()
            raise InputError(
                "this is not a file of decisions that can be read; move it away, and a new one is written.",
                path=self.path,
            ) from error

    def _prepare(self) -> None:
        self._base.execute("PRAGMA journal_mode=WAL")
        self._base.execute("PRAGMA synchronous=FULL")
        (version,) = self._base.execute("PRAGMA user_version").fetchone()
        if version > _VERSION:
            raise sqlite3.DatabaseError(f"version {version}")
        self._base.execute(_TABLE)
        self._base.execute(f"PRAGMA user_version={_VERSION}")
        self._seen, self._all = -1, dict[Key, Decision]()
        self._reload()

    def _reload(self) -> None:
        """Reads everything, if another process has changed the file since."""
        (version,) = self._base.execute("PRAGMA data_version").fetchone()
        if version == self._seen:
            return
        rows = self._base.execute("SELECT source, relation, target, verdict, probability, time FROM decisions")
        self._all = {(s, r, t): Decision((s, r, t), verdict, p, time) for s, r, t, verdict, p, time in rows}
        self._seen = version

    def put(self, changes: Iterable[Change]) -> None:
        """Stores decisions, or takes them back; returns when all of them are on disk, or raises and none is.

        Raises:
            InputError: If there would be too many.
        """
        now = datetime.now(UTC).isoformat(timespec="seconds")
        rows = {change.key: _row(change, now) for change in changes}  # of several changes of a link the last holds
        kept = {key: row for key, row in rows.items() if row is not None}
        with self._lock:
            self._reload()
            if len(self._all.keys() | kept.keys()) > MOST:
                raise InputError(f"there are {MOST:,} decisions at most; take some back.")
            self._base.execute("BEGIN IMMEDIATE")
            try:
                self._base.executemany(
                    "DELETE FROM decisions WHERE source=? AND relation=? AND target=?", rows.keys() - kept.keys()
                )
                self._base.executemany(
                    "INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?)",
                    [(*key, *row[1:]) for key, row in kept.items()],
                )
                self._base.execute("COMMIT")
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            # A new dictionary, since others may be reading this one.
            self._all = {key: row for key, row in (self._all | rows).items() if row is not None}

    def _now(self) -> dict[Key, Decision]:
        """Every decision by its key; waits for no writer."""
        if self._lock.acquire(blocking=False):
            try:
                self._reload()
            finally:
                self._lock.release()
        return self._all

    def all(self) -> list[Decision]:
        """Every decision, in the order in which they were made."""
        return sorted(self._now().values(), key=lambda decision: (decision.time, decision.key))

    def verdicts_of(self, keys: Iterable[Key]) -> list[Verdict | None]:
        """The verdict of each key; None where there is none."""
        now = self._now()
        return [None if (found := now.get(key)) is None else found.verdict for key in keys]

    def keys(self, verdict: Verdict) -> list[Key]:
        """The keys with a verdict, in ascending order."""
        return sorted(key for key, found in self._now().items() if found.verdict == verdict)

    def counts(self) -> dict[str, int]:
        """Number of decisions of each verdict."""
        found = Counter(decision.verdict for decision in self._now().values())
        return {verdict: found[verdict] for verdict in VERDICTS}

    def queries(self, verdict: Verdict) -> Queries:
        """The queries with a verdict, by index, in ascending order; shape ``(count, 2)``, or 3 for triples."""
        keys = self.keys(verdict)
        if not keys:
            return np.empty((0, 2), dtype=np.int32)
        rows = np.array(keys, dtype=np.int32)
        return rows[:, [0, 2]] if rows[0, 1] == _NO_RELATION else rows

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._base.close()


def _row(change: Change, now: str) -> Decision | None:
    if change.verdict is None:
        return None
    if change.probability is None:
        raise ValueError("a decision needs the probability that the model predicts.")
    return Decision(change.key, change.verdict, change.probability, change.time or now)
