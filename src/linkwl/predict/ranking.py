"""Pairs with their scores, probabilities and ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from linkwl.errors import InputError
from linkwl.files import replaced
from linkwl.graph.node_ids import NodeId, NodeIds
from linkwl.typing import FloatArray, IntArray, Pairs, Scores

_PARQUET = (".parquet", ".pq")


class RankedLink(NamedTuple):
    """A pair by the names of its nodes."""

    source: NodeId
    target: NodeId
    score: float
    probability: float
    rank: int


@dataclass(frozen=True, eq=False)
class Ranking:
    """A table of pairs; iterating gives its rows.

    Ranks begin at 1 with the highest score. Equal scores are ranked in the order of the table.
    """

    ids: NodeIds
    pairs: Pairs
    scores: Scores
    probabilities: FloatArray

    @property
    def ranks(self) -> IntArray:
        """The place of every row among all by its score."""
        ranks = np.empty(len(self.scores), dtype=np.int64)
        ranks[np.argsort(-self.scores, kind="stable")] = np.arange(1, len(self.scores) + 1)
        return ranks

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[RankedLink]:
        return iter(_rows(self.to_arrow()))

    def head(self, count: int) -> list[RankedLink]:
        """The first rows."""
        return _rows(self.to_arrow().slice(0, count))

    def to_arrow(self) -> pa.Table:
        """Columns ``source``, ``target``, ``score``, ``probability`` and ``rank``."""
        return pa.table(
            {
                "source": self.ids.take(self.pairs[:, 0]),
                "target": self.ids.take(self.pairs[:, 1]),
                "score": self.scores,
                "probability": self.probabilities,
                "rank": self.ranks,
            }
        )

    def to_pandas(self) -> Any:
        """The same as a pandas data frame, if pandas is there."""
        return self.to_arrow().to_pandas()

    def write_csv(self, stream: BinaryIO) -> None:
        """Writes the table as CSV to an open stream."""
        pa.csv.write_csv(self.to_arrow(), stream)

    def save(self, path: Path | str) -> None:
        """Writes the table, whole or not at all: Parquet if the file ends so, else CSV."""
        target = Path(path)
        check_ending(target)
        with replaced(target) as temporary:
            if target.suffix.lower() in _PARQUET:
                pq.write_table(self.to_arrow(), temporary)
            else:
                with temporary.open("wb") as stream:
                    self.write_csv(stream)


def check_ending(path: Path) -> None:
    """Raises InputError if a file's ending asks for a format that is not written."""
    if path.suffix.lower() not in (*_PARQUET, ".csv", ".txt", ""):
        raise InputError(f"rankings are written as CSV or Parquet, not {path.suffix}; use .csv or .parquet.", path=path)


def _rows(table: pa.Table) -> list[RankedLink]:
    return [RankedLink(*row.values()) for row in table.to_pylist()]
