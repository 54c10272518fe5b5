"""An explanation by the names of its graph, as text, as HTML for notebooks and as a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

from linkwl.errors import InputError
from linkwl.frames import to_frame
from linkwl.html_table import text_html

if TYPE_CHECKING:
    from linkwl.graph import Observed

_TABLES = ("parts", "groups", "paths")
"""The values of an explanation that are lists of parts, the first of which makes the table."""


class ExplanationView:
    """Remembers the graph that an explanation is about; explanations of :class:`linkwl.LinkPredictor` have one."""

    graph: Observed | None
    """The graph that gives the names; not a part of the value."""

    if TYPE_CHECKING:
        query: tuple[int, ...]
        score: float

        def to_text(self, graph: Any = None) -> str:
            """The parts in words."""

        def to_json(self, graph: Any = None) -> dict[str, Any]:
            """The parts as values for JSON."""

    def named_by(self, graph: Observed) -> Self:
        """The same explanation, which shows the names of a graph."""
        object.__setattr__(self, "graph", graph)
        return self

    def names_from(self, graph: Any = None) -> Any:
        """The graph to take names from: this one, or that of the explanation.

        Raises:
            InputError: If there is neither.
        """
        found = self.__dict__.get("graph") if graph is None else graph
        if found is None:
            raise InputError("the explanation has no graph to take names from; call `named_by` with its graph.")
        return found

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.__repr__ = ExplanationView.__repr__  # type: ignore[method-assign]  # a data class would list its fields

    def __repr__(self) -> str:
        graph = self.__dict__.get("graph")
        if graph is not None:
            return self.to_text(graph)
        return f"{type(self).__name__}(query={self.query}, score={self.score:.4g})"

    def _repr_html_(self) -> str:
        return text_html(repr(self))

    def to_pandas(self) -> Any:
        """A row for each part, as a pandas data frame; needs pandas.

        Raises:
            InputError: If the explanation has no graph, or pandas is not installed.
        """
        values = self.to_json()
        rows: list[dict[str, Any]] = next((values[name] for name in _TABLES if name in values), [])
        names = list(dict.fromkeys(name for row in rows for name in row))
        return to_frame({name: [_cell(row.get(name)) for row in rows] for name in names})


def _cell(value: Any) -> Any:
    """A value of a table: lists, such as the nodes of a path or several paths, become texts."""
    if isinstance(value, list | tuple):
        between = "; " if any(isinstance(item, list | tuple) for item in value) else " - "
        return between.join(str(_cell(item)) for item in value)
    return value.get("text", str(value)) if isinstance(value, Mapping) else value
