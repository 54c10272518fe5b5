"""What happened to the rows of a source while they became a graph."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Intake:
    """Counts of what was read, merged and dropped.

    ``rows == edges + self_loops + duplicates + reversed_duplicates`` holds for every graph.
    """

    form: str
    """Where the rows came from, in words: ``comma-separated text``, ``Parquet``, ..."""
    rows: int
    """Edges listed by the source, every copy counted."""
    self_loops: int
    """Rows that join a node to itself: the edge is dropped, the node stays."""
    duplicates: int
    """Rows that repeat an edge in the same direction."""
    reversed_duplicates: int
    """Edges listed in both directions, merged into one; always 0 in a directed graph."""
    notes: tuple[str, ...] = ()
    """Whatever else the reader decided: header, ignored columns, kind of ids."""
