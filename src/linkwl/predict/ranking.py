"""Queries with their scores, probabilities and ranks."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, overload

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from linkwl.errors import InputError
from linkwl.files import replaced
from linkwl.frames import to_frame
from linkwl.graph.csv_table import write_csv
from linkwl.graph.node_ids import NodeId, NodeIds
from linkwl.graph.spreadsheet import spreadsheet_safe
from linkwl.predict.ranking_view import ranking_html, ranking_text
from linkwl.typing import FloatArray, IntArray, Queries, Scores

if TYPE_CHECKING:
    from linkwl.predict.method import Search
    from linkwl.predict.second_values import Functional

_PARQUET = (".parquet", ".pq")


class RankedLink(NamedTuple):
    """A pair by the names of its nodes."""

    source: NodeId
    target: NodeId
    score: float
    probability: float
    rank: int


class RankedFact(NamedTuple):
    """A triple by the names of its head, relation and tail."""

    head: NodeId
    relation: NodeId
    tail: NodeId
    score: float
    probability: float
    rank: int


@dataclass(frozen=True, eq=False)
class Ranking:
    """A table of queries; iterating gives its rows, ``ranking[0]`` is the first and ``ranking[:5]`` a smaller ranking.

    Ranks start at 1 for the highest score, of all rows or of those with the same node in one column. Ties are ranked in
    the order of the table.

    Example:
        >>> ids = NodeIds(pa.array(["ann", "bob", "cid"]))
        >>> queries = np.array([(0, 1), (1, 2)], dtype=np.int32)
        >>> ranking = Ranking({"source": ids, "target": ids}, queries, np.array([2.5, 0.5]), np.array([0.5, 0.1]))
        >>> ranking
        2 links
        rank  source  target  probability   score
           1  ann     bob          50.0 %   2.500
           2  bob     cid          10.0 %  0.5000
        >>> ranking[-1].target, len(ranking[:1])
        ('cid', 1)
    """

    columns: Mapping[str, NodeIds]
    """The columns of a query, with the names in each; see :attr:`linkwl.graph.Observed.query_columns`."""
    queries: Queries
    scores: Scores
    probabilities: FloatArray
    ranks_within: int | None = None
    """The column whose nodes have ranks of their own; None if all rows are ranked together."""
    search: Search | None = None
    """How the best queries were found; None for given queries, and for those of every node."""
    functional: Functional | None = None
    """Relations with one tail for each head, or one head for each tail; None if there are none."""
    known_ranks: IntArray | None = None
    """The ranks, if these rows are a part of a larger ranking; else they follow from the scores."""

    @property
    def ranks(self) -> IntArray:
        """The rank of every row by its score."""
        if self.known_ranks is not None:
            return self.known_ranks
        ranks = np.empty(len(self.scores), dtype=np.int64)
        groups = np.zeros_like(ranks) if self.ranks_within is None else self.queries[:, self.ranks_within]
        order = np.lexsort((-self.scores, groups))
        ranks[order] = np.arange(1, len(ranks) + 1) - np.searchsorted(groups[order], groups[order])
        return ranks

    def __len__(self) -> int:
        return len(self.scores)

    def __iter__(self) -> Iterator[RankedLink | RankedFact]:
        return iter(self._rows(self.to_arrow()))

    @overload
    def __getitem__(self, index: int) -> RankedLink | RankedFact: ...

    @overload
    def __getitem__(self, index: slice) -> Ranking: ...

    def __getitem__(self, index: int | slice) -> RankedLink | RankedFact | Ranking:
        if isinstance(index, slice):
            return self._part(index)
        place = operator.index(index)
        if not -len(self) <= place < len(self):
            raise IndexError(f"row {place} is out of range for a ranking of {len(self)} rows.")
        place %= len(self)
        return self._part(slice(place, place + 1)).head(1)[0]

    def _part(self, rows: slice) -> Ranking:
        """Some rows, with the ranks that they have here."""
        return replace(
            self,
            queries=self.queries[rows],
            scores=self.scores[rows],
            probabilities=self.probabilities[rows],
            functional=None if self.functional is None else self.functional.rows(rows),
            known_ranks=self.ranks[rows],
        )

    def head(self, count: int) -> list[RankedLink | RankedFact]:
        """The first rows."""
        return self._rows(self.to_arrow().slice(0, count))

    def _rows(self, table: pa.Table) -> list[RankedLink | RankedFact]:
        row = RankedLink if len(self.columns) == 2 else RankedFact
        return [row(*values.values()) for values in table.to_pylist()]

    def to_arrow(self) -> pa.Table:
        """Columns ``source`` and ``target``, or ``head``, ``relation``, ``tail``; then score, probability, rank."""
        names = {
            name: ids.take(column) for (name, ids), column in zip(self.columns.items(), self.queries.T, strict=True)
        }
        return pa.table(names | {"score": self.scores, "probability": self.probabilities, "rank": self.ranks})

    def to_pandas(self) -> Any:
        """The table as a pandas data frame; needs pandas."""
        return to_frame(self.to_arrow())

    def __repr__(self) -> str:
        return ranking_text(self)

    def _repr_html_(self) -> str:
        return ranking_html(self)

    def write_csv(self, stream: BinaryIO, *, excel_safe: bool = False) -> None:
        """Writes the table as CSV to an open stream; see :meth:`save`."""
        table = self.to_arrow()
        write_csv(spreadsheet_safe(table) if excel_safe else table, stream)

    def save(self, path: Path | str, *, excel_safe: bool = False) -> None:
        """Writes the table atomically: Parquet if the file name ends in ``.parquet``, else CSV.

        Args:
            path: The file.
            excel_safe: Whether names in CSV that a spreadsheet would run as formulas get a leading apostrophe.
        """
        target = Path(path)
        check_ending(target)
        with replaced(target) as temporary:
            if target.suffix.lower() in _PARQUET:
                pq.write_table(self.to_arrow(), temporary)
            else:
                with temporary.open("wb") as stream:
                    self.write_csv(stream, excel_safe=excel_safe)


def check_ending(path: Path) -> None:
    """Raises InputError if the suffix of a file is that of another format."""
    if path.suffix.lower() not in (*_PARQUET, ".csv", ".txt", ""):
        raise InputError(f"rankings are written as CSV or Parquet, not {path.suffix}; use .csv or .parquet.", path=path)
