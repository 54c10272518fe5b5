"""The common parts of all splitters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import KnowledgeGraph, Labelled, Observed
from linkwl.kernel import kernel
from linkwl.typing import IntArray, Queries

TRAIN, VALID, TEST = 0, 1, 2
"""The folds as labels, in the order of :data:`linkwl.splits.FOLDS`."""


@dataclass(frozen=True, eq=False)
class HeldOut:
    """A graph whose facts are divided between folds."""

    train: Observed
    """The graph observed in training and validation."""
    test: Observed
    """The graph observed at test time: train and validation edges, or a graph of other nodes."""
    positives: list[Queries]
    """The positives of each fold."""
    seen: Observed | None = None
    """All facts about the nodes of training, if the test is about other nodes."""
    unseen: Observed | None = None
    """All facts about the nodes of the test, if they are other nodes."""
    labels: tuple[Labelled, ...] = ()
    """Published samples of the test targets, with their negatives."""
    is_in_time: bool = False
    """Whether the observed graphs are those of earlier times, so that some nodes have not appeared yet."""

    @property
    def is_inductive(self) -> bool:
        """Whether the test is about other nodes."""
        return self.unseen is not None


class Splitter(Protocol):
    """Chooses which edges, or facts, are held out."""

    def hold_out(self, graph: Observed, generator: np.random.Generator) -> HeldOut:
        """Divides the facts of a graph between the folds."""

    def to_json(self) -> dict[str, Any]:
        """The splitter's entry in a record."""


def as_triples(graph: Observed, what: str) -> KnowledgeGraph:
    """The graph, if it is one of triples.

    Raises:
        SplitError: If it is not.
    """
    if not isinstance(graph, KnowledgeGraph):
        raise SplitError(f"{graph.name}: {what} for triples, and this is a graph of pairs; use another protocol.")
    return graph


def check_ratios(valid_ratio: float, test_ratio: float) -> None:
    """Raises ValueError unless all three folds get a share."""
    if not (valid_ratio > 0 and test_ratio > 0 and valid_ratio + test_ratio < 1):
        raise ValueError(
            "`valid_ratio` and `test_ratio` must be positive and leave edges to train on, "
            f"got {valid_ratio} and {test_ratio}."
        )


def held_out_counts(graph: Observed, valid_ratio: float, test_ratio: float) -> tuple[int, int]:
    """The numbers of facts for validation and for test.

    Raises:
        SplitError: If either number is 0.
    """
    num_valid, num_test = int(valid_ratio * graph.num_facts), int(test_ratio * graph.num_facts)
    if num_valid == 0 or num_test == 0:
        needed = int(np.ceil(1 / min(valid_ratio, test_ratio)))
        fact, one = ("edge", "an edge") if graph.task == "pairs" else ("fact", "a fact")
        number = f"1 {fact} is" if graph.num_facts == 1 else f"{graph.num_facts} {fact}s are"
        raise SplitError(
            f"{graph.name}: {number} too few to split; at least {needed} are needed, "
            f"so that {valid_ratio:.0%} and {test_ratio:.0%} of them are {one} or more."
        )
    return num_valid, num_test


def divide(queries: Queries, fold_of_query: IntArray) -> list[Queries]:
    """The queries of each fold, in order."""
    if queries.shape[1] != 2:
        return [queries[fold_of_query == label] for label in (TRAIN, VALID, TEST)]
    rows = np.ascontiguousarray(queries).view(np.int64)[:, 0]  # two int32 move as one int64
    folds = [np.empty(np.count_nonzero(fold_of_query == label), np.int64) for label in (TRAIN, VALID, TEST)]
    _write_folds(rows, fold_of_query, *folds)
    return [fold.view(np.int32).reshape(-1, 2) for fold in folds]


@kernel
def _write_folds(rows, fold_of_row, train, valid, test):  # type: ignore[no-untyped-def]
    i, j, k = 0, 0, 0
    for e in range(len(rows)):
        if fold_of_row[e] == TRAIN:
            train[i] = rows[e]
            i += 1
        elif fold_of_row[e] == VALID:
            valid[j] = rows[e]
            j += 1
        else:
            test[k] = rows[e]
            k += 1
