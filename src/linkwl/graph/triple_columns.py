"""Which columns of a table hold the heads, relations and tails of triples."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from linkwl.errors import InputError
from linkwl.graph.value_columns import Column


@dataclass(frozen=True)
class TripleColumns:
    """The requested columns of triples, each by name or by position from 1.

    A column that is None is found by its usual name or its place. ``relation=False`` asks for edges, even if the table
    looks like triples; head and tail then are the ends of the edges.
    """

    head: Column = None
    relation: Column = None
    tail: Column = None

    @property
    def names(self) -> dict[str, str | int]:
        """The requested column of each kind."""
        requested = {"head": self.head, "relation": self.relation, "tail": self.tail}
        return {kind: column for kind, column in requested.items() if not isinstance(column, bool | None)}

    @property
    def are_refused(self) -> bool:
        """Whether the table must be read as edges."""
        return self.relation is False

    @property
    def are_requested(self) -> bool:
        """Whether the table must be read as triples."""
        return not self.are_refused and (self.relation is True or bool(self.names))

    def refuse(self, form: str, path: Path | None = None) -> None:
        """Raises InputError if triples are requested, for sources without columns."""
        if self.are_requested or self.names:
            what = ", ".join(f"`{kind}`" for kind in self.names) or "`relation`"
            raise InputError(f"{what} names a column of a table, and {form} has no columns; leave it out.", path=path)


ANY_COLUMNS = TripleColumns()
