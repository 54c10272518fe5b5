"""Three columns of names: heads, relations and tails."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa

from linkwl.errors import InputError
from linkwl.graph.build import build_knowledge_graph
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.name_maps import BadIdError


def _no_line(_kind: str, _name: str) -> None:
    return None


@dataclass(frozen=True)
class TripleTable:
    """Heads, relations and tails in the order of a file."""

    head: pa.ChunkedArray
    relation: pa.ChunkedArray
    tail: pa.ChunkedArray
    form: str
    notes: tuple[str, ...]
    line_of: Callable[[str, str], int | None] = _no_line
    """The first line with this kind of name (``node`` or ``relation``) and this name, if the file has lines."""

    def to_graph(self, path: Path | None, *, name: str) -> KnowledgeGraph:
        """The knowledge graph whose facts are the rows."""
        try:
            return build_knowledge_graph(
                self.head, self.relation, self.tail, name=name, form=self.form, notes=self.notes, path=path
            )
        except BadIdError as error:
            raise InputError(error.problem, path=path, line=self.line_of(error.kind, error.text)) from None
