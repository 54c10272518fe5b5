"""A split as files, one per fold and label, so that other tools can use ours and ours can judge theirs."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

from linkwl.errors import InputError
from linkwl.files import make_folder, replaced
from linkwl.graph import Graph
from linkwl.graph.readers.pairs import read_pairs
from linkwl.splits.split import FOLDS, Fold, Split
from linkwl.typing import Pairs

SPLIT_FILES = tuple(f"{name}{kind}.csv" for name in FOLDS for kind in ("", "_negatives"))


def write_split(split: Split, folder: Path) -> None:
    """Writes ``train.csv``, ``valid.csv``, ``test.csv`` and ``train_negatives.csv``, ... by node names."""
    make_folder(folder)
    ids = split.train.observed.ids
    for name, fold in split.folds.items():
        for pairs, file in ((fold.positives, f"{name}.csv"), (fold.negatives, f"{name}_negatives.csv")):
            table = pa.table({"source": ids.take(pairs[:, 0]), "target": ids.take(pairs[:, 1])})
            with replaced(folder / file) as temporary:
                pa.csv.write_csv(table, temporary)


def read_split(folder: Path, graph: Graph) -> Split:
    """The split in a folder written by :func:`write_split` or by hand; files of negatives may be missing.

    The train edges are observed in training and validation, the validation edges also at test time. Nothing is
    cleaned: copies, reversals and loops are kept for the audit to find.
    """
    if not os.path.isdir(folder):  # noqa: PTH112 - a name that is too long is no folder, not an error
        raise InputError(
            f"no such folder; expected one with {', '.join(f'{name}.csv' for name in FOLDS)}.", path=folder
        )
    graph = graph.to_undirected()
    positives = {name: read_pairs(folder / f"{name}.csv", graph.ids) for name in FOLDS}
    negatives = {name: _read_negatives(folder / f"{name}_negatives.csv", graph) for name in FOLDS}

    def observe(*names: str) -> Graph:
        rows = np.concatenate([positives[name] for name in names])
        return Graph.from_pairs(rows, graph.num_nodes, ids=graph.ids, features=graph.features, name=graph.name)

    def fold(name: str, observed: Graph) -> Fold:
        return Fold(observed, positives[name], negatives[name])

    train_graph = observe("train")
    return Split(
        train=fold("train", train_graph),
        valid=fold("valid", train_graph),
        test=fold("test", observe("train", "valid")),
        protocol="files",
    )


def _read_negatives(path: Path, graph: Graph) -> Pairs:
    return read_pairs(path, graph.ids) if path.exists() else np.empty((0, 2), dtype=np.int32)
