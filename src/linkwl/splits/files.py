"""A split as files, one per fold and label, to exchange splits with other tools."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv

from linkwl.errors import InputError
from linkwl.files import make_folder, replaced
from linkwl.graph import Graph, Observed
from linkwl.graph.csv_table import write_csv
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.pairs import read_pairs
from linkwl.splits.fold import FOLDS, Fold, Split, Targets
from linkwl.splits.splitter import HeldOut
from linkwl.typing import IntArray, Pairs, Queries

SPLIT_FILES = tuple(f"{name}{kind}.csv" for name in FOLDS for kind in ("", "_negatives"))


def write_split(split: Split, folder: Path) -> None:
    """Writes ``train.csv``, ``valid.csv``, ``test.csv`` and ``train_negatives.csv``, ... with node names.

    If each positive has its own negatives, a column ``positive`` has the number of the positive, from 0.

    Raises:
        InputError: If the split has parts that such files do not hold.
    """
    if split.is_inductive or any(fold.targets.pools is not None for fold in split.folds.values()):
        raise InputError(
            f"a split of protocol `{split.protocol}` is not written to files, which hold no test graph of its own, "
            "pools of negatives or other relations; the graph, the protocol and the seed give it again."
        )
    make_folder(folder)
    columns = split.train.observed.query_columns
    for name, fold in split.folds.items():
        targets = fold.targets
        _write(folder / f"{name}.csv", columns, targets.positives)
        owner = None
        if targets.candidates is not None:
            owner = np.repeat(np.arange(len(targets.positives)), np.diff(targets.candidates))
        _write(folder / f"{name}_negatives.csv", columns, targets.negatives, owner)


def _write(path: Path, columns: Mapping[str, NodeIds], queries: Queries, owner: IntArray | None = None) -> None:
    values = {name: ids.take(column) for (name, ids), column in zip(columns.items(), queries.T, strict=True)}
    table = pa.table(values if owner is None else values | {"positive": owner})
    with replaced(path) as temporary, temporary.open("wb") as stream:
        write_csv(table, stream)


def read_split(folder: Path, graph: Observed) -> Split:
    """The split in a folder written by :func:`write_split` or by hand; files of negatives may be missing.

    The train edges are observed in training and validation, the validation edges also at test time. Nothing is
    cleaned: duplicates, reversals and loops are kept for the audit to find. The rows have directions if the edges of
    the graph have; of a knowledge graph, its links are meant.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - returns False for a name that is too long
        raise InputError(
            f"no such folder; expected one with {', '.join(f'{name}.csv' for name in FOLDS)}.", path=folder
        )
    whole = graph if isinstance(graph, Graph) else graph.links
    positives = {name: read_pairs(folder / f"{name}.csv", whole.ids) for name in FOLDS}
    negatives = {name: _read_negatives(folder / f"{name}_negatives.csv", whole) for name in FOLDS}

    def observe(*names: str) -> Graph:
        rows = np.concatenate([positives[name] for name in names])
        return Graph.from_pairs(
            rows,
            whole.num_nodes,
            ids=whole.ids,
            is_directed=whole.is_directed,
            features=whole.features,
            attributes=whole.attributes,
            name=whole.name,
        )

    def fold(name: str, observed: Graph) -> Fold:
        rows = negatives[name]
        return Fold(
            observed, Targets(positives[name], rows, _read_lists(folder, name, len(positives[name]), len(rows)))
        )

    train_graph = observe("train")
    return Split(
        train=fold("train", train_graph),
        valid=fold("valid", train_graph),
        test=fold("test", observe("train", "valid")),
        protocol="files",
    )


@dataclass(frozen=True)
class FileSplit:
    """The split in a folder of files, for a protocol: it chooses the positives of every fold and the negatives, too.

    Args:
        folder: As :func:`read_split` takes it.
    """

    folder: Path

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """The positives in the files; nothing is drawn at random."""
        split = self._read(graph)
        return HeldOut(split.train.observed, split.test.observed, [fold.positives for fold in split.folds.values()])

    def draw(self, graph: Observed, generator: np.random.Generator) -> Queries:
        """Nothing: the negatives are in the files."""
        return np.empty((0, len(graph.query_columns)), dtype=np.int32)

    def divide(
        self, drawn: Queries, graph: Observed, held_out: HeldOut, generator: np.random.Generator
    ) -> list[Targets]:
        """The targets in the files."""
        return [fold.targets for fold in self._read(graph).folds.values()]

    def _read(self, graph: Observed) -> Split:
        return read_split(self.folder, graph)

    def to_json(self) -> dict[str, Any]:
        """What a record says of it."""
        return {"split": "files", "folder": str(self.folder)}

    @property
    def text(self) -> str:
        """The split in a few words."""
        return "the edges and pairs listed in files"


def _read_negatives(path: Path, graph: Graph) -> Pairs:
    return read_pairs(path, graph.ids) if path.exists() else np.empty((0, 2), dtype=np.int32)


def _read_lists(folder: Path, name: str, num_positives: int, num_negatives: int) -> IntArray | None:
    """Row offsets of the negatives of each positive, if the file has a column ``positive``.

    Raises:
        InputError: If the numbers do not ascend from 0 to the last positive, each with a negative.
    """
    path = folder / f"{name}_negatives.csv"
    if not path.exists():
        return None
    with path.open(encoding="utf-8", errors="replace") as file:
        heading = [cell.strip().strip('"') for cell in file.readline().split(",")]
    if heading != ["source", "target", "positive"]:
        return None
    problem = f"column `positive` must number the {num_positives} positives from 0, in order, each with a negative."
    try:
        owner = pa.csv.read_csv(path).column("positive").to_numpy()
    except (pa.ArrowInvalid, KeyError) as error:
        raise InputError(problem, path=path) from error
    is_numbered = owner.dtype.kind == "i" and len(owner) == num_negatives and (np.diff(owner) >= 0).all()
    if not is_numbered or not np.array_equal(np.unique(owner), np.arange(num_positives)):
        raise InputError(problem, path=path)
    return np.searchsorted(owner, np.arange(num_positives + 1))
