"""The attributes that a file gives its nodes, as a node table."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.coordinate_columns import AUTO, NONE
from linkwl.graph.drawn_columns import computed_columns, drawn_place
from linkwl.graph.graph import Graph
from linkwl.graph.unused import ignored_note, quoted

ALL = "all"
_FEWEST = 0.05
"""The share of nodes that must have an attribute. A table of rarer ones is mostly gaps, and may be very large."""


class NodeAttributes:
    """Collects attributes of nodes, and makes a node table of them.

    Args:
        wanted: ``"auto"`` for all that were not computed from the links, ``"all"``, ``"none"``, or names that are
            separated by commas.
        coordinates: Which of them are coordinates; see :func:`~linkwl.graph.coordinate_columns.find_coordinates`.
        path: The file, for error messages.
    """

    def __init__(self, wanted: str, coordinates: str, path: Path) -> None:
        self._wanted, self._coordinates, self._path = wanted, coordinates, path
        self._columns: dict[str, dict[str, str]] = {}

    def add(self, node: str, attributes: Mapping[str, Any]) -> None:
        """Adds the attributes of a node; lists and the like have no value that can be compared."""
        for name, value in attributes.items():
            column = self._columns.setdefault(str(name), {})
            if self._wanted != NONE and (text := _text(value)):
                column[node] = text

    def note(self, names: Iterable[str]) -> None:
        """Notes that nodes have these attributes, whose values are not read."""
        for name in names:
            self._columns.setdefault(name, {})

    def ignored(self) -> list[str]:
        """The note on a file none of whose attributes of nodes are used."""
        return ignored_note([f"`{name}`" for name in self._columns], what="node attribute")

    def add_to(self, graph: Graph, nodes: pa.Array, names: Sequence[str]) -> Graph:
        """The graph with features and attributes, and notes on what was used.

        Args:
            graph: The graph.
            nodes: The nodes as the graph names them.
            names: The nodes as attributes were added to them.

        Raises:
            InputError: If an attribute was asked for by its name that cannot be used, or that no node has.
        """
        chosen, notes = self._choose(len(names))
        columns = [pa.chunked_array([pa.array([self._columns[c].get(n) for n in names], pa.string())]) for c in chosen]
        if not chosen:
            if self._coordinates not in (AUTO, NONE):
                known = ", ".join(f"`{name}`" for name in self._columns) or "none"
                problem = f"coordinates {self._coordinates!r}: the attributes of nodes that are used are none of these"
                raise InputError(f"{problem}; there are: {known}.", path=self._path)
            return graph.noted(*notes)
        table, reasons = self._table(chosen, columns, nodes, graph)
        if table is None:
            return graph.noted(*(f"node attribute {reason}" for reason in reasons), *notes)
        used = (f"node attribute {note}" if note.startswith("`") else note for note in (*table.notes, *reasons))
        return replace(
            graph.noted(*used, "node attributes are used: --node-attributes none leaves them out", *notes),
            features=table.features,
            attributes=table.attributes,
        )

    def _choose(self, num_nodes: int) -> tuple[list[str], list[str]]:
        """The attributes to use, and notes on the others."""
        filled = [name for name, column in self._columns.items() if column]
        if self._wanted == NONE:
            return [], self.ignored()
        if self._wanted in (AUTO, ALL):
            computed = [] if self._wanted == ALL else computed_columns(filled)
            is_computed = set(computed)
            usual = [name for name in filled if len(self._columns[name]) >= _FEWEST * num_nodes]
            chosen = [name for name in usual if name not in is_computed]
        else:
            chosen, computed = [name.strip() for name in self._wanted.split(",") if name.strip()], []
            for name in chosen:
                if not self._columns.get(name):
                    known = ", ".join(f"`{name}`" for name in filled) or "none"
                    problem = f"no node has a value of the attribute `{name}`; there are: {known}."
                    raise InputError(problem, path=self._path)
        notes = []
        if computed:
            listed = ", ".join(f"`{name}`" for name in computed)
            first = (
                "node attribute {} not used: it seems"
                if len(computed) == 1
                else "node attributes {} not used: they seem"
            )
            notes.append(
                f"{first.format(listed)} to be computed from the links, the hidden ones included (to use: "
                f"--node-attributes {quoted(','.join(computed[:2]))})"
            )
        named = {*chosen, *computed}
        rare = [name for name in filled if name not in named]
        if rare and self._wanted in (AUTO, ALL):
            count = (
                f"{len(rare):,} node attributes, as `{rare[0]}`," if len(rare) > 1 else f"node attribute `{rare[0]}`"
            )
            notes.append(f"{count} ignored: fewer than {_FEWEST:.0%} of the nodes have it")
            named |= set(rare)
        others = [f"`{name}`" for name in self._columns if name not in named]
        return chosen, [*notes, *ignored_note(others, what="node attribute")]

    def _table(self, chosen: list[str], columns: list[pa.ChunkedArray], nodes: pa.Array, graph: Graph) -> Any:
        """The table, None if nothing in it can be used, and why columns were left out."""
        # These modules read files, too, and import the package of readers, which imports this one.
        from linkwl.graph.node_table import TableOptions, column_table

        place = self._coordinates
        if place == AUTO and not {"x", "y"} <= {name.lower() for name in chosen}:
            place = drawn_place(chosen) or AUTO
        options = TableOptions("fill", place)
        try:
            return column_table(chosen, columns, nodes, graph.ids, options, self._path), []
        except InputError:
            if self._wanted != AUTO or self._coordinates not in (AUTO, NONE):
                raise
        return self._table_of_good_columns(chosen, columns, nodes, graph)

    def _table_of_good_columns(
        self, chosen: list[str], columns: list[pa.ChunkedArray], nodes: pa.Array, graph: Graph
    ) -> Any:
        """The same without columns that have a bad value: nobody has asked for them."""
        from linkwl.graph.attribute_columns import understand_columns
        from linkwl.graph.node_table import TableOptions, column_table

        def refuse(row: int, problem: str) -> InputError:
            return InputError(f"of node {nodes[row].as_py()!r}: {problem}")

        good, reasons = [], []
        for k, name in enumerate(chosen):
            try:
                understood = understand_columns([name], [columns[k]], refuse, NONE)
            except InputError as error:
                reasons.append(f"`{name}`: ignored, {error.problem}")
                continue
            if understood.attributes.matrix() is None:
                reasons += understood.notes
            else:
                good.append(k)
        if not good:
            return None, reasons
        names, kept = [chosen[k] for k in good], [columns[k] for k in good]
        try:
            return column_table(names, kept, nodes, graph.ids, TableOptions("fill"), self._path), reasons
        except InputError as error:  # the coordinates are none
            reasons.append(f"coordinates are read as numbers: {error.problem}")
            return column_table(names, kept, nodes, graph.ids, TableOptions("fill", NONE), self._path), reasons


def _text(value: Any) -> str:
    """A value as a text, empty if it is missing or no single value."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value) if isinstance(value, int | float) and value == value else ""
