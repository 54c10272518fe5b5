"""Training on rows that are read once: train edges in folds, each on the graph without it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any, NamedTuple, Protocol

import numpy as np

from linkwl.errors import SplitError
from linkwl.graph import Graph
from linkwl.models.batch import Batch
from linkwl.models.edge_folds import EdgeFold, edge_folds
from linkwl.models.gradient import TrainingConfig
from linkwl.models.near_pairs import NearPairs, are_near, sample_near_ordered_pairs, sample_near_pairs
from linkwl.protocols import TrainingData
from linkwl.typing import BoolArray, IntArray, Pairs

MOST_LINKS = 1 << 16
"""Number of train edges that rows are read for; on larger graphs, a sample."""
FEW_LINKS = 1 << 13
"""With fewer train edges than half of this, they are divided into folds several times: rows on more graphs."""
MOST_DIVISIONS = 4
SPARE = 3
"""Non-links whose rows are read, for each that a pass over the links uses: passes differ in their non-links."""


class Rows(Protocol):
    """The rows of pairs on one graph."""

    def take(self, chosen: IntArray) -> Any:
        """Some of the rows, in the order of ``chosen``."""


ReadRows = Callable[[Graph, Pairs], Rows]
"""Reads pairs on a graph."""


@dataclass(frozen=True, eq=False)
class FoldBatch(Batch):
    """A batch whose rows were read before."""

    rows: Any = None
    """The rows of the queries."""
    near_links: BoolArray | None = None

    def are_positives_near(self) -> BoolArray:
        """Whether each positive is near."""
        return super().are_positives_near() if self.near_links is None else self.near_links


class ReadFold(NamedTuple):
    """A fold of the train edges, with rows of its pairs."""

    observed: Graph
    links: Pairs
    others: Pairs
    near: NearPairs | None
    near_links: BoolArray | None
    rows: Any
    """Those of the links, the others and the near pairs, one after the other."""


class FoldRows(Iterator[FoldBatch]):
    """An endless, seeded stream of batches whose rows are read only once.

    The train edges are divided into folds. The edges of a fold, non-edges and near pairs are read on the graph without
    the fold, so that no row contains its own edge; if the future is to be predicted, folds are windows of time, read on
    the graph before them. A pass goes through all links in random order, a part of a fold at a time, each with other
    ones of its fold's non-edges. The step and the seed determine a batch.

    Args:
        data: The train fold, and the pairs that negatives must avoid.
        config: The settings of training; ``batch_ratio`` is the share of a fold.
        seed: The same seed gives the same batches.
        read: Reads pairs on a graph; called when the first batch is requested.
        folds: Number of folds of a division; by default as many as a pass has batches. With more of them the graphs are
            closer to the whole one, and reading takes longer.
        most_divisions: How many times the edges of a small graph may be divided into folds.

    Raises:
        SplitError: If there are no train edges, or too few pairs to draw the negatives of a batch from.
    """

    def __init__(
        self,
        data: TrainingData,
        config: TrainingConfig,
        seed: int,
        read: ReadRows,
        *,
        folds: int | None = None,
        most_divisions: int = MOST_DIVISIONS,
    ) -> None:
        reserved = data.reserved
        assert isinstance(reserved, Graph)
        count = len(data.train.positives)
        self.batch_size = config.batch_size(count)
        self.num_near, self.num_negatives = config.negatives(self.batch_size)
        if count == 0:
            raise SplitError(f"{data.train.observed.name}: there is no edge to train on.")
        if self.num_negatives > reserved.num_absent:
            raise SplitError(
                f"{data.train.observed.name}: a training step needs {self.num_negatives} negatives, but only "
                f"{reserved.num_absent} pairs are neither edges nor held out; lower 'training.batch_ratio'."
            )
        self.num_absent = reserved.num_absent
        self._data, self._reserved, self._config, self._seed, self._read = data, reserved, config, seed, read
        self._num_folds = num_folds(config) if folds is None else folds
        self._num_divisions = min(max(FEW_LINKS // count, 1), most_divisions)
        self._folds: list[ReadFold] = []
        self._step = 0
        self._pass: list[tuple[int, IntArray]] = []

    def __next__(self) -> FoldBatch:
        folds = self.folds()
        parts = [-(-len(fold.links) // self.batch_size) for fold in folds]
        place = self._step % sum(parts)
        if place == 0 or not self._pass:
            self._begin_pass(self._step // sum(parts), parts)
        k, chosen = self._pass[place]
        generator = np.random.default_rng([self._seed, 2, self._step])
        self._step += 1
        return self._batch(folds[k], chosen, generator)

    def folds(self) -> list[ReadFold]:
        """All folds; they are read at the first call."""
        if not self._folds:
            self._folds = list(self._read_folds())
        return self._folds

    def _read_folds(self) -> Iterator[ReadFold]:
        generator = np.random.default_rng([self._seed, 0])
        for fold in chain.from_iterable(self._divide(generator) for _ in range(self._num_divisions)):
            near = self._near_pairs(fold, generator) if self.num_near else None
            more = () if near is None else (near.pairs,)
            rows = self._read(fold.observed, np.concatenate([fold.links, fold.others, *more]))
            near_links = None if near is None else are_near(fold.observed, fold.links)
            yield ReadFold(fold.observed, fold.links, fold.others, near, near_links, rows)

    def _divide(self, generator: np.random.Generator) -> Iterator[EdgeFold]:
        return edge_folds(
            self._data,
            generator,
            folds=self._num_folds,
            negatives=SPARE * self.num_negatives / self.batch_size,
            max_edges=MOST_LINKS,
        )

    def _near_pairs(self, fold: EdgeFold, generator: np.random.Generator) -> NearPairs:
        count = round(SPARE * self.num_near / self.batch_size * len(fold.links))
        if fold.observed.is_directed:
            return sample_near_ordered_pairs(fold.observed, self._reserved, fold.links, count, generator)
        return sample_near_pairs(fold.observed, self._reserved, count, generator)

    def _begin_pass(self, number: int, counts: list[int]) -> None:
        generator = np.random.default_rng([self._seed, 1, number])
        parts = [
            (k, part)
            for k, (fold, count) in enumerate(zip(self._folds, counts, strict=True))
            for part in np.array_split(generator.permutation(len(fold.links)), count)
        ]
        self._pass = [parts[k] for k in generator.permutation(len(parts))]

    def _batch(self, fold: ReadFold, chosen: IntArray, generator: np.random.Generator) -> FoldBatch:
        share = len(chosen) / self.batch_size
        others = _some(len(fold.others), max(1, round(share * self.num_negatives)), generator)
        places, near = [chosen, len(fold.links) + others], None
        if fold.near is not None:
            some = _some(len(fold.near.pairs), round(share * self.num_near), generator)
            scale = len(fold.near.pairs) / max(len(some), 1)  # the sample stands for all near pairs
            near = NearPairs(fold.near.pairs[some], scale * fold.near.weight[some])
            places.append(len(fold.links) + len(fold.others) + some)
        return FoldBatch(
            fold.observed,
            fold.links[chosen],
            fold.others[others],
            self.num_absent,
            near,
            rows=fold.rows.take(np.concatenate(places)),
            near_links=None if fold.near_links is None else fold.near_links[chosen],
        )

    def state(self) -> dict[str, Any]:
        """The number of batches so far."""
        return {"step": self._step}

    def restore(self, state: dict[str, Any]) -> None:
        """Continues after as many batches."""
        self._step, self._pass = state["step"], []


def num_folds(config: TrainingConfig) -> int:
    """Number of folds of one division."""
    return max(2, round(1 / config.batch_ratio))


def num_rows(num_edges: int, config: TrainingConfig) -> int:
    """The largest number of rows that are kept for this many train edges."""
    num_links = max(min(num_edges, MOST_LINKS), min(MOST_DIVISIONS * num_edges, FEW_LINKS))
    return num_links * (1 + SPARE * config.negatives_per_positive)


def _some(count: int, wanted: int, generator: np.random.Generator) -> IntArray:
    return generator.permutation(count)[:wanted]
