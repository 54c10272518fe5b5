"""The result of a test on a graph: the number and sizes of the classes, and the colours as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from linkwl.errors import InputError, MemoryLimitError
from linkwl.files import replaced
from linkwl.graph import Graph
from linkwl.graph.csv_table import write_csv
from linkwl.graph.spreadsheet import spreadsheet_safe
from linkwl.records import GraphRecord
from linkwl.wl import Colouring

_NUM_LARGEST = 10
_MAX_ROWS = 50_000_000
_BLOCK_ROWS = 1 << 20
_PARQUET = (".parquet", ".pq")


@dataclass(frozen=True)
class ColourReport:
    """The classes of one graph under one test."""

    graph: GraphRecord
    test: str
    unit: str
    """What was coloured: ``node``, ``pair`` or ``link``."""
    engine: str
    rounds: int
    history: tuple[int, ...]
    """Number of classes in each round; round 0 has the initial colours."""
    classes: int
    largest: tuple[int, ...] | None
    """Sizes of the largest classes; None if there are too many classes to list their sizes."""
    singletons: int | None
    error_bound: float
    verified: bool | None
    """Result of the exact check; None if it was not run."""

    def facts(self) -> dict[str, str]:
        """Names and values as text."""
        history = [f"{count:,}" for count in self.history]
        rows = {
            "graph": f"{self.graph.name}, {self.graph.nodes:,} nodes and {self.graph.edges:,} edges",
            "coloured": _coloured(self.unit, self.graph.nodes),
            "stable": f"after {self.rounds} round{'' if self.rounds == 1 else 's'} of {self.test}",
            "classes": f"{self.classes:,} (by round, from 0: {_shortened(history)})",
        }
        if self.largest is None:
            rows["class sizes"] = "omitted: there are too many classes to list them in memory"
        else:
            more = " ..." if self.classes > len(self.largest) else ""
            rows["largest classes"] = f"{', '.join(f'{size:,}' for size in self.largest)}{more}"
            rows["classes of one"] = f"{self.singletons:,}"
        if self.verified is None:
            rows["certainty"] = certainty(self.error_bound)
        else:
            rows["certainty"] = "exact: proved, without hashing" if self.verified else "NOT stable: a split was missed"
        return rows

    def to_json(self) -> dict[str, Any]:
        """The report as plain values for JSON."""
        return asdict(self)


def report_colours(colouring: Colouring, engine: str, *, verified: bool | None = None) -> ColourReport:
    """Summarises a colouring."""
    try:
        sizes = colouring.class_sizes
        largest, singletons = tuple(sizes[:_NUM_LARGEST].tolist()), int(np.count_nonzero(sizes == 1))
    except MemoryLimitError:
        largest, singletons = None, None
    return ColourReport(
        graph=colouring.graph.record,
        test=colouring.test,
        unit=colouring.unit,
        engine=engine,
        rounds=colouring.rounds,
        history=tuple(int(count) for count in colouring.history),
        classes=int(colouring.num_classes),
        largest=largest,
        singletons=singletons,
        error_bound=float(colouring.error_bound),
        verified=verified,
    )


def check_ending(path: Path) -> None:
    """Refuses a file name that ends in neither ``.csv`` nor ``.parquet``.

    Raises:
        InputError: If the suffix is a different one.
    """
    if path.suffix.lower() not in (".csv", *_PARQUET):
        raise InputError("colours are written as CSV or Parquet; end the name in .csv or .parquet.", path=path)


def check_num_rows(graph: Graph, test: str) -> None:
    """Refuses a table with too many rows.

    Raises:
        InputError: If ``test`` colours too many pairs.
    """
    rows = graph.num_nodes * (graph.num_nodes - 1)
    if test != "1-wl" and rows > _MAX_ROWS:
        raise InputError(
            f"the colours of all pairs of {graph.name} would be {rows:,} rows, more than {_MAX_ROWS:,}; "
            "write the colours of its nodes with --test 1-wl, or omit --out."
        )


def write_colours(colouring: Colouring, path: Path, *, excel_safe: bool = False) -> None:
    """Writes a row per node, or per ordered pair of different nodes, with its colour.

    The columns are ``node`` and ``colour``, or ``source``, ``target`` and ``colour``, with the graph's own node names.
    The format is CSV, or Parquet if the file name ends in ``.parquet``. With ``excel_safe``, names in CSV that a
    spreadsheet would run as formulas get a leading apostrophe.
    """
    blocks = _node_rows(colouring) if colouring.unit == "node" else _pair_rows(colouring)
    with replaced(path) as temporary:
        if path.suffix.lower() in _PARQUET:
            _write_parquet(blocks, temporary)
        else:
            _write_csv(map(spreadsheet_safe, blocks) if excel_safe else blocks, temporary)


def _write_csv(blocks: Iterator[pa.Table], path: Path) -> None:
    with path.open("wb") as stream:
        for k, block in enumerate(blocks):
            write_csv(block, stream, header=k == 0)


def _write_parquet(blocks: Iterator[pa.Table], path: Path) -> None:
    first = next(blocks)
    with pq.ParquetWriter(path, first.schema) as writer:
        writer.write_table(first)
        for block in blocks:
            writer.write_table(block)


def _node_rows(colouring: Colouring) -> Iterator[pa.Table]:
    yield pa.table({"node": colouring.graph.ids.to_arrow(), "colour": colouring.nodes.astype(np.int64)})


def _pair_rows(colouring: Colouring) -> Iterator[pa.Table]:
    """All pairs, in blocks of sources."""
    n, ids = colouring.graph.num_nodes, colouring.graph.ids
    step = max(1, _BLOCK_ROWS // max(n, 1))
    for start in range(0, max(n, 1), step):
        sources = np.arange(start, min(start + step, n))
        pairs = np.stack(np.meshgrid(sources, np.arange(n), indexing="ij"), axis=-1).reshape(-1, 2)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        ends = {"source": ids.take(pairs[:, 0]), "target": ids.take(pairs[:, 1])}
        yield pa.table(ends | {"colour": colouring.pairs(pairs).astype(np.int64)})


def _coloured(unit: str, nodes: int) -> str:
    if unit == "node":
        return f"{nodes:,} nodes"
    if unit == "pair":
        return f"{nodes**2:,} ordered pairs of nodes, including each node with itself"
    return f"{nodes * (nodes - 1):,} links (ordered pairs of different nodes), each in a separate run"


def _shortened(history: list[str]) -> str:
    return ", ".join(history if len(history) <= 12 else [*history[:6], "...", *history[-3:]])


def certainty(error_bound: float) -> str:
    """The certainty of the colours, in words."""
    if error_bound == 0:
        return "exact"
    if error_bound > 0.1:
        return "no bound for so many classes"
    return f"probability of a missed split below 1 in 10^{math.floor(-math.log10(error_bound))}"
