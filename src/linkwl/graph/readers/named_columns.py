"""The graph of a table of named columns: edges, or triples if its columns say so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.column_words import find_ends
from linkwl.graph.graph import Graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import fractional_id_problem
from linkwl.graph.node_ids import whole_numbers
from linkwl.graph.pair_columns import PairColumns
from linkwl.graph.readers.dialect import unclear_ends_problem
from linkwl.graph.readers.triple_places import Places, find_requested_ends, find_triple
from linkwl.graph.readers.triple_table import TripleTable
from linkwl.graph.reading import AS_DECLARED, COLUMNS, Reading
from linkwl.graph.unused import ignored_note
from linkwl.graph.value_columns import bad_value, to_numbers


@dataclass(frozen=True)
class NamedColumns:
    """A table whose columns have names and are read on demand: a Parquet file, or a table in memory."""

    names: Sequence[str]
    read: Callable[[list[str]], list[pa.ChunkedArray]]
    """Reads the columns with these names."""
    form: str
    """The kind of table, in words."""
    path: Path | None = None
    """The file, for error messages."""
    has_names: bool = True
    """Whether the names say what the columns hold; else they are positions from 1."""

    def to_graph(self, *, name: str, reading: Reading = AS_DECLARED) -> Graph | KnowledgeGraph:
        """The graph in the table: triples if they are requested or recognised, else edges."""
        reading.allow(COLUMNS, f"a {self.form}", self.path)
        names = self.names if self.has_names else None
        places = find_triple(reading.triples, reading.values, names, len(self.names), self.path)
        if places is not None:
            return self.triple_table(places).to_graph(self.path, name=name)
        return self.pair_columns(reading).to_graph(self.path, name=name, reading=reading)

    def triple_table(self, places: Places) -> TripleTable:
        """The columns of triples at these places."""
        names = [self.names[k] for k in places]
        head, relation, tail = self._read_rows(names, "a triple")
        notes = ["triples from columns `{}`, `{}` and `{}`".format(*names)]
        notes += ignored_note([f"`{column}`" for k, column in enumerate(self.names) if k not in places])
        return TripleTable(
            id_column(head, names[0], self.path),
            relation_column(relation, names[1], self.path),
            id_column(tail, names[2], self.path),
            self.form,
            tuple(notes),
        )

    def pair_columns(self, reading: Reading = AS_DECLARED) -> PairColumns:
        """The two columns of node names, and the requested values."""
        names, path = self.names, self.path
        values_at = reading.values.find(names, len(names), path)
        others = [k for k in range(len(names)) if k not in values_at.values()]
        if len(others) < 2:
            raise InputError(f"found {len(others)} columns, expected two of node ids.", path=path)
        found = find_requested_ends(reading.triples, values_at.values(), names, len(names), path)
        if found is None:
            named = find_ends([names[k] for k in others]) if self.has_names else (0, 1)
            if named is None:
                raise InputError(unclear_ends_problem(len(others)), path=path)
            found = others[named[0]], others[named[1]]
        ends = [names[k] for k in found]
        requested = {kind: names[k] for kind, k in values_at.items()}
        columns = self._read_rows([*ends, *requested.values()], "an edge")
        notes = [f"edges from columns `{ends[0]}` and `{ends[1]}`"]
        notes += [f"{kind} from column `{column}`" for kind, column in requested.items()]
        unused = [names[k] for k in others if k not in found]
        notes += ignored_note([f"`{column}`" for column in unused], unused, given=reading.used(requested))
        source, target = (id_column(column, end, path) for column, end in zip(columns, ends, strict=False))
        numbers: dict[str, Any] = {
            kind: _value_column(kind, name, column, path)
            for (kind, name), column in zip(requested.items(), columns[2:], strict=True)
        }
        return PairColumns(
            source,
            target,
            self.form,
            tuple(notes),
            **numbers,
            merge=reading.merge,
            names=(ends[0], ends[1]) if self.has_names else None,
        )

    def _read_rows(self, names: list[str], row: str) -> list[pa.ChunkedArray]:
        columns = self.read(names)
        if len(columns[0]) == 0:
            raise InputError(f"the table has no rows; expected {row} in each.", path=self.path)
        return columns


def _value_column(kind: str, name: str, column: pa.ChunkedArray, path: Path | None) -> np.ndarray:
    try:
        return to_numbers(kind, column)
    except (ValueError, pa.ArrowException) as error:
        raise InputError(f"{bad_value(kind, f'`{name}`')}; fix it.", path=path) from error


def id_column(column: pa.ChunkedArray, name: str, path: Path | None) -> pa.ChunkedArray:
    """A column of node ids as int64 or text."""
    _refuse_missing(column, name, "node id", path)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_uint64(kind) or (pa.types.is_decimal(kind) and kind.scale == 0):
        texts = column.cast(pa.string())
        numbers = whole_numbers(texts)
        return texts if numbers.null_count else numbers
    if pa.types.is_integer(kind):
        return column.cast(pa.int64())
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        raise InputError(f"column `{name}`: {fractional_id_problem(str(column[0]))}", path=path)
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return column.cast(pa.string())
    raise InputError(f"column `{name}` has type {column.type}, expected whole numbers or text.", path=path)


def relation_column(column: pa.ChunkedArray, name: str, path: Path | None) -> pa.ChunkedArray:
    """A column of relations as int64 or text."""
    _refuse_missing(column, name, "relation", path)
    kind = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(kind):
        return id_column(column, name, path)
    try:
        return column.cast(pa.string())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        problem = f"column `{name}` has type {column.type}, expected text or whole numbers for the relations."
        raise InputError(problem, path=path) from None


def _refuse_missing(column: pa.ChunkedArray, name: str, what: str, path: Path | None) -> None:
    if column.null_count:
        row = int(np.argmax(pc.is_null(column).to_numpy())) + 1
        raise InputError(f"column `{name}` has no {what} in row {row}; fill it or drop the row.", path=path)
