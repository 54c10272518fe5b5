"""Every missing link or fact above a threshold, as a partitioned Parquet dataset."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from linkwl.engine import Engine, InlineEngine
from linkwl.errors import InputError, OutputError
from linkwl.files import TEMPORARY, make_folder, replaced, write_text
from linkwl.graph import Observed
from linkwl.models import Scorer
from linkwl.models.calibration import Calibration
from linkwl.predict.candidates import Candidates, Part
from linkwl.predict.names import source_first
from linkwl.predict.ranking import Ranking
from linkwl.predict.rejected import Rejected
from linkwl.typing import BoolArray, FloatArray, Queries, Scores

RECORD = "_linkwl.json"
"""Written last: a dataset with this file is complete. Readers of datasets skip names that begin with an underscore."""
MOST_FILES = 1000
ROWS = 1 << 17
"""Approximate number of rows that are written at a time."""


@dataclass(frozen=True)
class Threshold:
    """What to keep: queries with at least this score, or at least this probability.

    Raises:
        InputError: If both or neither are given, or the probability is none.
    """

    score: float | None = None
    probability: float | None = None

    def __post_init__(self) -> None:
        if (self.score is None) == (self.probability is None):
            raise InputError("give the least score or the least probability of what is written, one of them.")
        if self.probability is not None and not 0 <= self.probability <= 1:
            raise InputError(f"the least probability must lie between 0 and 1, got {self.probability}.")
        if self.score is not None and not np.isfinite(self.score):
            raise InputError(f"the least score must be a number, got {self.score}.")

    def keeps(self, scores: Scores, probabilities: FloatArray) -> BoolArray:
        """Which queries to keep."""
        values, least = (probabilities, self.probability) if self.score is None else (scores, self.score)
        assert least is not None
        return values >= least


class Written(NamedTuple):
    """What was written."""

    num_rows: int
    num_files: int
    num_scored: int
    """Number of candidates."""
    num_left_out: int = 0
    """Number of candidates that were left out; see :mod:`linkwl.predict.second_values`."""


@dataclass(frozen=True, eq=False)
class DatasetWriter:
    """Writes the scores of candidates that reach a threshold; also what its tasks share."""

    scorer: Scorer
    observed: Observed
    calibration: Calibration
    prior: float
    threshold: Threshold
    candidates: Candidates
    rejected: Rejected | None = None
    """Queries that are not written."""

    def write(
        self, folder: Path | str, *, engine: Engine | None = None, on_progress: Callable[[int, int], None] | None = None
    ) -> Written:
        """Writes the dataset: columns ``source`` and ``target``, or head, relation and tail; score; probability.

        The files are the same whatever the engine, and do not change if a task is repeated: each is written under a
        temporary name and renamed. With an engine of several machines, the folder must be on a file system that they
        share. Memory is bounded by blocks of candidates.

        Args:
            folder: A new or empty folder.
            engine: The engine that scores and writes; by default inline.
            on_progress: Called after every file with the finished work and the total work.

        Raises:
            OutputError: If the folder is not empty, cannot be written, or is not shared.
        """
        if self.candidates.most is not None:
            raise InputError("every candidate above the threshold is written; leave out the limit of candidates.")
        check_new_folder(folder)
        target = make_folder(folder).resolve()
        tasks = [FileTask(number, str(target), parts) for number, parts in enumerate(_divided(self.candidates.parts()))]
        done, total = 0, Written(0, 0, 0)
        with closing((InlineEngine() if engine is None else engine).map(_write, tasks, shared=self)) as results:
            for task, found in zip(tasks, results, strict=True):
                if found.num_files and not task.path.exists():
                    raise OutputError(target, "other machines have written to a folder of their own")
                total = Written(*(a + b for a, b in zip(total, found, strict=True)))
                done += sum(part.stop - part.start for part in task.parts)
                if on_progress is not None:
                    on_progress(done, self.candidates.total)
        for left in target.glob(f"{TEMPORARY}*"):  # of tasks that were killed
            left.unlink(missing_ok=True)
        write_text(target / RECORD, json.dumps(self._record(total), indent=1) + "\n")
        return total

    def table(self, queries: Queries, scores: Scores, probabilities: FloatArray) -> pa.Table:
        """Rows of the dataset."""
        ordered = source_first(self.observed, queries)
        return Ranking(self.observed.query_columns, ordered, scores, probabilities).to_arrow().drop_columns(["rank"])

    def tables(self, parts: tuple[Part, ...]) -> Iterator[tuple[pa.Table, int, int]]:
        """The rows of a block that are kept, and how many were scored and left out, for all blocks of some parts."""
        for part in parts:
            for block in self.candidates.scored(self.scorer, part):
                places = np.flatnonzero(block.scores > -np.inf)
                scores = block.scores[places]
                probabilities = self.calibration.probability(scores, self.prior)
                kept = np.flatnonzero(self.threshold.keeps(scores, probabilities))
                queries = block.queries(places[kept])
                if self.rejected is not None:
                    is_open = ~self.rejected.contains(queries)
                    kept, queries = kept[is_open], queries[is_open]
                yield self.table(queries, scores[kept], probabilities[kept]), len(places), block.num_left_out

    def _record(self, total: Written) -> dict[str, object]:
        limit = {"score": self.threshold.score, "probability": self.threshold.probability}
        return {
            "graph": {"name": self.observed.name, "digest": self.observed.digest},
            "at least": {name: value for name, value in limit.items() if value is not None},
            "prior": self.prior,
            "candidates": total.num_scored,
            "left out": total.num_left_out,
            "rows": total.num_rows,
            "files": total.num_files,
        }


class FileTask(NamedTuple):
    """A file to write: the candidates of some parts."""

    number: int
    folder: str
    parts: tuple[Part, ...]

    @property
    def path(self) -> Path:
        """The file."""
        return Path(self.folder, f"part-{self.number:05d}.parquet")

    def __str__(self) -> str:
        return f"file {self.path.name}"


def check_new_folder(folder: Path | str) -> None:
    """Raises OutputError if the folder exists and is not empty."""
    target = Path(folder)
    if target.exists() and not target.is_dir():
        raise OutputError(target, "it is a file")
    if target.is_dir() and any(target.iterdir()):
        raise OutputError(target, "the folder is not empty")


def _divided(parts: list[Part]) -> list[tuple[Part, ...]]:
    """Consecutive parts for each file."""
    step = max(1, -(-len(parts) // MOST_FILES))
    return [tuple(parts[start : start + step]) for start in range(0, len(parts), step)] or [()]


def _write(writer: DatasetWriter, task: FileTask) -> Written:
    """Writes one file; none if it would be empty, except the first."""
    if not Path(task.folder).is_dir():
        raise OutputError(task.folder, "this machine does not see the folder; it must be on a shared file system")
    nothing = writer.table(*_nothing(writer.observed))
    num_rows = num_scored = num_left_out = 0
    with replaced(task.path) as temporary:
        with pq.ParquetWriter(temporary, nothing.schema) as file:
            waiting = nothing
            for table, count, unused in writer.tables(task.parts):
                num_rows, num_scored = num_rows + len(table), num_scored + count
                num_left_out += unused
                waiting = pa.concat_tables([waiting, table])
                if len(waiting) >= ROWS:
                    file.write_table(waiting)
                    waiting = nothing
            file.write_table(waiting)
        is_empty = num_rows == 0 and task.number > 0
    if is_empty:
        task.path.unlink(missing_ok=True)
    return Written(num_rows, 0 if is_empty else 1, num_scored, num_left_out)


def _nothing(observed: Observed) -> tuple[Queries, Scores, FloatArray]:
    """No queries, with no scores."""
    return np.empty((0, len(observed.query_columns)), dtype=np.int32), np.empty(0), np.empty(0)
