"""A protocol: how a number is measured, from the graph to the metric."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

import numpy as np

from linkwl.errors import LinkwlWarning, SplitError
from linkwl.graph import Graph, Observed
from linkwl.metrics import Metric, RelationScores, TargetScores, find_metric
from linkwl.splits import Fold, NegativeSampler, RandomSplit, Split, Splitter, Targets, TemporalSplit, draw_split
from linkwl.typing import Queries, Scores

G = TypeVar("G", bound=Observed)

ScoreQueries = Callable[[Queries], Scores]
"""A function that gives every query a score."""


@dataclass(frozen=True)
class Protocol:
    """A named way of measuring: splitter, negatives and metrics; it is stored with every result.

    Args:
        id: The name.
        splitter: Chooses which edges are held out.
        negatives: Chooses the negatives.
        metrics: The names of the metrics; see :func:`linkwl.metrics.find_metric`.
        selects: The metric that selects models and weights, on validation targets; by default the first. Several
            metrics joined by ``+`` select by their mean.
        seeds: Number of splits that a full measurement averages over; seed k draws split k.
        is_ordered: Whether (p, q) and (q, p) are two pairs in a directed graph; if not, its directions are dropped.

    Example:
        >>> from linkwl.splits import RandomSplit, UniformNegatives
        >>> half = Protocol("half", RandomSplit(0.25, 0.25), UniformNegatives(), ("auc", "hits@50"), selects="hits@50")
        >>> half.selection.title
        'Hits@50'
    """

    id: str
    splitter: Splitter
    negatives: NegativeSampler
    metrics: tuple[str, ...]
    selects: str = ""
    seeds: int = 10
    is_ordered: bool = True

    def __post_init__(self) -> None:
        for name in self.metrics:
            find_metric(name)
        if not set(self.selection.id.split("+")) <= set(self.metrics):
            raise ValueError(f"`selects` must be one of the metrics {', '.join(self.metrics)}, got {self.selects!r}.")

    @property
    def selection(self) -> Metric:
        """The metric that selects models and weights."""
        return find_metric(self.selects or self.metrics[0])

    def view(self, graph: G) -> G:
        """The graph as the protocol sees it: without directions if pairs have no order, or as it is.

        If the future is to be predicted, it is also without weights that copies of later times have been added to:
        these would tell of it. What is dropped is said in a warning.
        """
        if not isinstance(graph, Graph):
            return graph
        view: Graph = graph
        if isinstance(self.splitter, TemporalSplit) and view.weight is not None and _has_copies(view):
            self._warn(
                f"{graph.name}: the weights are left out, because those of edges that are listed several times include "
                f"later times, which protocol `{self.id}` is to predict."
            )
            view = view.unweighted()
        if view.is_directed and not self.is_ordered:
            self._warn(
                f"{graph.name}: the directions of the edges are dropped, because protocol `{self.id}` is about "
                "unordered pairs."
            )
            view = view.to_undirected()
        return cast("G", view)

    def _warn(self, problem: str) -> None:
        warnings.warn(problem, LinkwlWarning, stacklevel=4)

    def apply(self, graph: Observed, seed: int) -> Split:
        """Splits a graph; the same graph and seed give the same split.

        Raises:
            SplitError: If there are too few edges, the graph is too dense for clean negatives, or a metric needs more.
        """
        self._warn_of_times(graph)
        split = draw_split(self.view(graph), self.splitter, self.negatives, seed, protocol=self.id)
        for name, fold in (("validation", split.valid), ("test", split.test)):
            self._check(graph, name, fold)
        return split

    def _warn_of_times(self, graph: Observed) -> None:
        """Warns that a random split does not measure how well the future is predicted, if edges have times."""
        if isinstance(graph, Graph) and graph.time is not None and isinstance(self.splitter, RandomSplit):
            warnings.warn(
                f"{graph.name}: the edges have times, and protocol `{self.id}` hides edges of all times at random: "
                "models then see what came after, and do better than on the future; protocol `temporal` measures that.",
                LinkwlWarning,
                stacklevel=3,
            )

    def _check(self, graph: Observed, name: str, fold: Fold) -> None:
        targets = fold.targets
        negatives = len(targets.negatives)
        if (parts := targets.candidates if targets.pools is None else targets.pools) is not None:
            negatives = int(np.diff(parts).min())
        relations = 0 if targets.relations is None else int(np.diff(targets.relations.offsets).max())
        for metric in map(find_metric, self.metrics):
            for found, needed, what in (
                (negatives, metric.min_negatives, "negatives"),
                (len(targets.positives) + len(targets.negatives), metric.min_targets, "targets"),
                (relations, metric.min_relations, "other relations"),
            ):
                if found < needed:
                    raise SplitError(
                        f"{graph.name}: {metric.title} of protocol `{self.id}` needs {needed} {what}, and the {name} "
                        f"fold has {found}; use a larger graph or another protocol."
                    )

    def measure(self, targets: Targets, scores: Scores, *, threshold: float = 0.0) -> dict[str, float]:
        """Every metric, from the scores of :attr:`Targets.queries`; scores above the threshold are predicted links."""
        found = target_scores(targets, scores, threshold=threshold)
        return {name: find_metric(name).measure(found) for name in self.metrics}

    def validate(self, targets: Targets, scores: Scores, *, threshold: float = 0.0) -> dict[str, float]:
        """Every metric, as :meth:`measure` has it, and the one that selects."""
        found = target_scores(targets, scores, threshold=threshold)
        return self.measure(targets, scores, threshold=threshold) | {self.selection.id: self.selection.measure(found)}

    def to_json(self, graph: Observed | None = None) -> dict[str, Any]:
        """The protocol as plain values, without the number of seeds, which the runs show.

        Args:
            graph: The measured graph; if it is directed, the values say that pairs are ordered.
        """
        is_ordered = isinstance(graph, Graph) and graph.is_directed and self.is_ordered
        selects = {"selects": self.selects} if self.selects not in ("", self.metrics[0]) else {}
        return {
            "id": self.id,
            "test_observes": ["train", "valid"],
            **self.splitter.to_json(),
            "metrics": list(self.metrics),
            **selects,
            "negatives": self.negatives.text,
            **({"pairs": "ordered"} if is_ordered else {}),
        }


@dataclass(frozen=True, eq=False)
class TrainingData:
    """Data of training: two folds, the queries that negatives must avoid, and the selection metric; no test fold."""

    train: Fold
    valid: Fold
    reserved: Observed
    """Queries that training negatives must avoid; see :attr:`linkwl.splits.Split.reserved`."""
    selection: Metric
    is_in_time: bool = False
    """Whether the validation targets come after the train edges: training then predicts windows of time as well."""
    rejected: Queries | None = None
    """Queries that a user has rejected; they are always among the negatives that training draws from."""

    @classmethod
    def of(cls, split: Split, protocol: Protocol) -> TrainingData:
        """The parts of a split that training may see."""
        return cls(split.train, split.valid, split.reserved, protocol.selection, split.is_in_time, split.rejected)

    def undirected(self) -> TrainingData:
        """The same without directions: an edge and its reverse are one positive, and neither is a train negative.

        The validation targets stay ordered pairs, so that a model is selected by what it is measured by.
        """
        train = self.train.observed.links
        positives = np.unique(np.sort(self.train.positives, axis=1), axis=0)
        negatives = self.train.negatives[~train.contains(self.train.negatives)]
        rejected = self.rejected
        if rejected is not None:
            rejected = np.unique(np.sort(rejected[~self.reserved.links.contains(rejected)], axis=1), axis=0)
        return replace(
            self,
            train=Fold(train, Targets(positives, negatives)),
            valid=replace(self.valid, observed=self.valid.observed.links),
            reserved=self.reserved.links,
            rejected=rejected,
        )


def _has_copies(graph: Graph) -> bool:
    """Whether several rows of the source were merged into one edge."""
    intake = graph.intake
    return intake is not None and intake.duplicates + intake.reversed_duplicates > 0


def target_scores(targets: Targets, scores: Scores, *, threshold: float = 0.0) -> TargetScores:
    """The scores of :attr:`Targets.queries`, divided into those of positives, negatives and other relations."""
    positive, negative, others = np.split(scores, np.cumsum([len(targets.positives), len(targets.negatives)]))
    relations = None if targets.relations is None else RelationScores(others, targets.relations.offsets)
    return TargetScores(positive, negative, targets.candidates, targets.pools, relations, threshold)
