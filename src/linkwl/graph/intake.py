"""How the rows of a source became a graph."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Intake:
    """Counts of the rows that were read, merged and dropped.

    ``rows == edges + self_loops + duplicates + reversed_duplicates`` holds for every graph.
    """

    form: str
    """The kind of source, in words: ``comma-separated text``, ``Parquet``, ..."""
    rows: int
    """Number of edges listed by the source, including duplicates."""
    self_loops: int
    """Rows that join a node to itself: the edge is dropped, the node stays."""
    duplicates: int
    """Rows that repeat an edge in the same direction."""
    reversed_duplicates: int
    """Edges listed in both directions, merged into one; always 0 in a directed graph."""
    notes: tuple[str, ...] = ()
    """Other decisions of the reader: header, ignored columns, kind of ids."""

    def noted(self, *notes: str) -> Intake:
        """The same with further notes."""
        return replace(self, notes=(*self.notes, *notes))
