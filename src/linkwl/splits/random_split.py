"""The uniform random split of the paper, with negatives that are clean."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numba
import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.splits.negatives import distinct_integers, sample_negatives
from linkwl.splits.split import Fold, Split
from linkwl.typing import IntArray, Pairs

_TRAIN, _VALID, _TEST = 0, 1, 2


@dataclass(frozen=True)
class RandomSplit:
    """Holds out edges uniformly at random and draws one negative for each positive of every fold.

    ``floor(valid_ratio * m)`` edges go to validation, ``floor(test_ratio * m)`` to test, the rest to training; nothing
    is done to keep the rest connected. Negatives are distinct non-edges of the whole graph, disjoint between folds: the
    training negatives avoid held-out positives and held-out negatives alike, so nothing about a held-out pair's label
    can be read off them. Validation edges are observed at test time.

    Reference: Hu et al., 2022, arXiv:2206.09567, experiments; the published sampler also drew edges as negatives, this
    one does not.
    """

    valid_ratio: float = 0.05
    test_ratio: float = 0.10

    def __post_init__(self) -> None:
        if not (self.valid_ratio > 0 and self.test_ratio > 0 and self.valid_ratio + self.test_ratio < 1):
            raise ValueError(
                "`valid_ratio` and `test_ratio` must be positive and leave edges to train on, "
                f"got {self.valid_ratio} and {self.test_ratio}."
            )

    def apply(self, graph: Graph, seed: int, *, protocol: str = "random") -> Split:
        """Splits an undirected graph; the same graph and seed give the same split.

        Raises:
            SplitError: If the graph is directed, has too few edges, or is too dense for clean negatives.
        """
        if graph.is_directed:
            raise SplitError("a directed graph was given; this split is over unordered pairs: use `to_undirected()`.")
        num_valid, num_test = int(self.valid_ratio * graph.num_edges), int(self.test_ratio * graph.num_edges)
        if num_valid == 0 or num_test == 0:
            needed = int(np.ceil(1 / min(self.valid_ratio, self.test_ratio)))
            raise SplitError(
                f"{graph.name}: {graph.num_edges} edges are too few to split; at least {needed} are needed, "
                f"so that {self.valid_ratio:.0%} and {self.test_ratio:.0%} of them are an edge or more."
            )
        # Edges and negatives have a stream each: another kind of negatives leaves the held-out edges as they are.
        for_edges, for_negatives = map(np.random.default_rng, np.random.SeedSequence(seed).spawn(2))

        def hold_out() -> tuple[list[Graph], list[Pairs]]:
            fold = _draw_folds(graph.num_edges, num_valid, num_test, for_edges)
            return graph.subgraphs(fold, [(_TRAIN,), (_TRAIN, _VALID)]), _divide(graph.edges, fold)

        def draw_negatives() -> list[Pairs]:
            pairs = sample_negatives(graph, graph.num_edges, for_negatives)
            return _divide(pairs, _draw_folds(len(pairs), num_valid, num_test, for_negatives))

        with ThreadPoolExecutor(1) as beside:
            drawn = beside.submit(draw_negatives)
            (train_graph, test_graph), positives = hold_out()
            negatives = drawn.result()
        return Split(
            train=Fold(train_graph, positives[_TRAIN], negatives[_TRAIN]),
            valid=Fold(train_graph, positives[_VALID], negatives[_VALID]),
            test=Fold(test_graph, positives[_TEST], negatives[_TEST]),
            protocol=protocol,
            seed=seed,
        )


def _draw_folds(count: int, num_valid: int, num_test: int, generator: np.random.Generator) -> IntArray:
    """A fold for each of ``count`` things, uniform among the assignments with these sizes."""
    folds = np.full(count, _TRAIN, dtype=np.int8)
    labels = np.repeat(np.array([_VALID, _TEST], dtype=np.int8), [num_valid, num_test])
    folds[distinct_integers(count, len(labels), generator)] = generator.permutation(labels)
    return folds


def _divide(pairs: Pairs, fold_of_pair: IntArray) -> list[Pairs]:
    """The pairs of each fold, in order."""
    rows = np.ascontiguousarray(pairs).view(np.int64)[:, 0]  # two int32 move as one int64
    folds = [np.empty(np.count_nonzero(fold_of_pair == label), np.int64) for label in (_TRAIN, _VALID, _TEST)]
    _write_folds(rows, fold_of_pair, *folds)
    return [fold.view(np.int32).reshape(-1, 2) for fold in folds]


@numba.njit(nogil=True, cache=True)
def _write_folds(rows, fold_of_row, train, valid, test):  # type: ignore[no-untyped-def]
    i, j, k = 0, 0, 0
    for e in range(len(rows)):
        if fold_of_row[e] == _TRAIN:
            train[i] = rows[e]
            i += 1
        elif fold_of_row[e] == _VALID:
            valid[j] = rows[e]
            j += 1
        else:
            test[k] = rows[e]
            k += 1
