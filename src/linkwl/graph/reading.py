"""How to read a graph from a source: its columns, its lines, its directions and its sides."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal, TypeAlias, TypedDict, cast

from linkwl.errors import InputError
from linkwl.graph.coordinate_columns import AUTO, NONE
from linkwl.graph.edge_columns import Merge
from linkwl.graph.triple_columns import TripleColumns
from linkwl.graph.value_columns import Column, ValueColumns

Choice: TypeAlias = bool | Literal["auto"] | None
"""Yes, no, ``"auto"`` for what the content suggests, or None for what the source declares."""


class ReadingOptions(TypedDict, total=False):
    """The keyword arguments of :class:`Reading`."""

    source: Column
    target: Column
    type: Column
    weight: Column
    time: Column
    merge: Merge
    head: Column
    relation: Column
    tail: Column
    directed: Choice
    bipartite: Choice
    threshold: float | None
    header: bool | None
    encoding: str | None
    skip_bad: bool
    format: str | None
    node_attributes: str
    coordinates: str


@dataclass(frozen=True)
class Reading:
    """How to read a graph; by default as the source declares, and what was decided is in the notes of its intake.

    A column is given by its name, or by its position from 1.

    Example:
        >>> Reading(source="buyer", target="seller", weight="amount").given
        {'source': 'buyer', 'target': 'seller', 'weight': 'amount'}
    """

    source: Column = None
    """The column of the first end of every edge; by default that with a usual name or in the usual place."""
    target: Column = None
    """The column of the second end."""
    type: Column = None
    """The column of the types of the edges: the rows then are triples, and it holds their relations."""
    weight: Column = None
    """The column of weights, or the name of an attribute of edges; True for the usual name, or a matrix's values."""
    time: Column = None
    """The column or attribute of times: numbers, or dates in a table."""
    merge: Merge = "sum"
    """How the weights of duplicates of an edge are merged: ``"sum"`` or ``"last"``."""
    head: Column = None
    """The column of heads; like ``source``, but the rows are triples."""
    relation: Column = None
    """Another name of ``type``; False reads edges even if the table looks like triples."""
    tail: Column = None
    """The column of tails; like ``target``, but the rows are triples."""
    directed: Choice = None
    """Whether to keep directions. A source that declares nothing is undirected; ``"auto"`` decides by reciprocity."""
    bipartite: Choice = None
    """Whether the two ends of an edge are different kinds of things, with names of their own."""
    threshold: float | None = None
    """The least value of a matrix that is an edge; by default every value but 0 is one."""
    header: bool | None = None
    """Whether the first line of a text names the columns; by default it is recognised."""
    encoding: str | None = None
    """The encoding of a text; by default UTF-8."""
    skip_bad: bool = False
    """Whether to skip the lines of a text that cannot be read, and count them."""
    format: str | None = None
    """The format of a file, such as ``"csv"``; by default by the ending of its name."""
    node_attributes: str = AUTO
    """Which attributes of nodes in a GML, GraphML, GEXF or JSON file are read as a node table: ``"auto"`` for all that
    were not computed from the links, ``"all"``, ``"none"``, or names that are separated by commas."""
    coordinates: str = AUTO
    """Which attributes or columns of nodes are coordinates: ``"auto"`` by their names, such as ``lat`` and ``lon`` or
    ``x`` and ``y``; ``"none"``; or as in ``"map:breite,laenge"`` and ``"plane:east,north"``."""

    def __post_init__(self) -> None:
        for option in ("directed", "bipartite"):
            if getattr(self, option) not in (None, True, False, "auto"):
                raise InputError(f"`{option}` must be True, False or 'auto', got {getattr(self, option)!r}.")
        for one, other in (("source", "head"), ("target", "tail"), ("type", "relation")):
            if getattr(self, one) is not None and getattr(self, other) is not None:
                raise InputError(f"`{one}` and `{other}` name the same column; give one of them.")

    @property
    def given(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        return {field.name: getattr(self, field.name) for field in fields(self) if self._differs(field)}

    def _differs(self, field: Any) -> bool:
        return getattr(self, field.name) != field.default

    @property
    def options(self) -> ReadingOptions:
        """The same as keyword arguments."""
        return cast("ReadingOptions", self.given)

    @property
    def values(self) -> ValueColumns:
        """The columns of weights and times, and the threshold of a matrix."""
        return ValueColumns(self.weight, self.time, self.merge, self.threshold)

    @property
    def triples(self) -> TripleColumns:
        """The columns of triples, or of the two ends of edges."""
        relation = self.type if self.relation is None else self.relation
        has_ends = self.source is not None or self.target is not None
        if relation is None and has_ends and self.head is None and self.tail is None:
            relation = False
        head = self.source if self.head is None else self.head
        return TripleColumns(head, relation, self.target if self.tail is None else self.tail)

    def used(self, kinds: Iterable[str]) -> set[str]:
        """These kinds of columns, and that of types if they are refused."""
        return {*kinds} | ({"type"} if self.type is False or self.relation is False else set())

    def allow(self, allowed: Collection[str], form: str, path: Path | None = None) -> None:
        """Raises InputError if an option is given that has no meaning for this form of source."""
        for option, value in self.given.items():
            is_nothing = value is False if option in ("relation", "type") else (option, value) == _NO_ATTRIBUTES
            if option in allowed or is_nothing:
                continue
            if option in _OF_FEATURES:
                raise InputError(f"{_OF_FEATURES[option]}; give them with --features.", path=path)
            raise InputError(f"`{option}` says nothing about {form}; leave it out.", path=path)


AS_DECLARED = Reading()
_NO_ATTRIBUTES = ("node_attributes", NONE)
_OF_FEATURES = {
    "coordinates": "`coordinates` are columns of node features",
    "node_attributes": "`node_attributes` are read from GML, GraphML, GEXF and JSON files, and this source has none",
}

ENDS = frozenset({"directed", "bipartite", "format"})
"""The options of every source of edges."""
VALUES = ENDS | {"weight", "time", "merge"}
"""The options of sources whose edges have attributes."""
COLUMNS = VALUES | {"source", "target", "type", "head", "relation", "tail"}
"""The options of tables."""
TEXT = COLUMNS | {"header", "encoding", "skip_bad"}
"""The options of tables as text."""
MATRIX = frozenset({"directed", "bipartite", "weight", "merge", "threshold", "format"})
"""The options of adjacency matrices."""
