"""Logistic regression on the heuristics."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, ClassVar, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from linkwl.errors import UntrainedError
from linkwl.graph import Graph
from linkwl.models.array_state import check_arrays
from linkwl.models.base import FormulaScorer, GradientTrainer, LinkModel, ModelConfig, Needs, Scorer
from linkwl.models.edge_folds import LabelledRows, edge_folds, labelled_rows
from linkwl.models.edge_values import check_values
from linkwl.models.heuristics import (
    AdamicAdar,
    CommonNeighbours,
    Jaccard,
    Katz,
    KatzConfig,
    PersonalisedPageRank,
    PersonalisedPageRankConfig,
    PreferentialAttachment,
    ResourceAllocation,
    SimRank,
    SimRankConfig,
)
from linkwl.models.history import History
from linkwl.models.logistic_regression import fit_logistic, search_logistic
from linkwl.models.pair_evidence import PairEvidence, check_evidence, evidence_names
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.protocols import TrainingData
from linkwl.typing import FloatArray, Pairs, Scores

Columns: TypeAlias = Scorer | PairEvidence
"""Gives each pair a number, or a row of numbers."""
_ALL, _FEWER = 8, 7
"""Number of scores with and without SimRank; twice as many with weights."""


class LogisticConfig(ModelConfig):
    """Settings of :class:`Logistic`."""

    folds: int = Field(default=10, ge=2, le=1000)
    """Number of parts of the train edges, each scored on the graph without it."""
    max_edges: int = Field(default=2000, ge=1, lt=1 << 31)
    """Number of train edges to learn from; on larger graphs, a sample."""
    negatives: float = Field(default=1.0, gt=0, le=100)
    """Number of non-edges for each edge; if nodes have places, as many again are close on the map."""
    near_share: float = Field(default=0.0, ge=0, le=1)
    """The share of the non-edges that have a common neighbour."""
    c: float | None = Field(default=None, gt=0, le=1e9)
    """The weight of the data against the penalty; by default it is found by cross-validation, as published."""
    log: bool = True
    """Whether scores are put on a logarithmic scale first."""
    beta: float = Field(default=0.001, gt=0, le=1e9)
    """Damping factor of Katz."""
    alpha: float = Field(default=0.85, gt=0, lt=1)
    """Probability that the walks of personalised PageRank go on."""
    gamma: float = Field(default=0.8, gt=0, lt=1)
    """Decay factor of SimRank."""
    simrank_nodes: int = Field(default=20_000, ge=0, lt=1 << 31)
    """Largest number of nodes of a training graph for which SimRank is among the scores."""


class Logistic(LinkModel):
    r"""Logistic regression on eight heuristics: the ensemble that SEAL was compared with.

    .. math::
        s_{pq} = \sum_k w_k \frac{f(x_k) - \mu_k}{\sigma_k} + b, \qquad f(x_k) = \log(1 + x_k / m_k)

    The scores :math:`x` of a pair are common neighbours, Adamic-Adar, resource allocation, preferential attachment,
    Jaccard, Katz, personalised PageRank and SimRank; :math:`m_k` is the median of the positive values in training,
    :math:`\mu` and :math:`\sigma` are the mean and the deviation. The squares of w have a penalty. Training edges are
    divided into folds, and each is scored, with non-edges, on the graph without it. With other numbers of negatives
    than one, the intercept is shifted to the log-odds among as many links as non-links. If edges have weights, each
    score is there twice, without them and with them. With attributes, the evidence that they give is read as well, as
    it is; see :class:`linkwl.models.pair_evidence.PairEvidence`.

    The published ensemble takes the scores as they are (``log=False``). Their tails are long: a few pairs of hubs then
    decide on the coefficients.

    The costs are those of the heuristics, on as many graphs as ``max_edges`` needs. SimRank takes O(n m) for each:
    above ``simrank_nodes``, and between the sides of a bipartite graph, the model learns to do without it.

    Reference: Zhang and Chen, 2018 (SEAL), the ensemble of heuristics in the experiments.
    """

    id = "logistic"
    title = "Logistic regression on heuristics"
    reference = "Zhang and Chen, Link prediction based on graph neural networks, NeurIPS, 2018."
    Config: ClassVar[type[LogisticConfig]] = LogisticConfig
    config: LogisticConfig
    gives_logits = True
    needs: ClassVar[Needs] = Needs(weights=True)
    search_space: ClassVar[Space] = {
        "folds": Choice(5, 10, 20),
        "negatives": Choice(1.0, 2.0, 5.0),
        "near_share": Uniform(0.0, 0.5),
        "log": Choice(True, False),
        "beta": LogUniform(1e-4, 5e-3),
        "alpha": Uniform(0.3, 0.95),
        "gamma": Uniform(0.4, 0.9),
    }

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__(config)
        self._state: dict[str, NDArray[Any]] = {}

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Scores the edges of each fold and non-edges, and finds the coefficients."""
        begin = time.perf_counter()
        observed = data.train.observed
        assert isinstance(observed, Graph)
        self.check(observed)
        num_scores = self._num_scores(observed)
        num_columns = num_scores + len(evidence_names(observed.attributes))
        generator = np.random.default_rng(trainer.seed)
        x, labels, shift, offset = self._rows(data, generator, num_scores, num_columns)
        unit = np.ones(num_columns)
        unit[:num_scores] = [_median(column[column > 0]) for column in x.T[:num_scores]]
        scaled = _scaled(x, unit, num_scores, self.config.log)
        mean = scaled.mean(axis=0) if len(x) else np.zeros(num_columns)
        spread = scaled.std(axis=0) if len(x) else np.ones(num_columns)
        spread[spread == 0] = 1.0
        rows = (scaled - mean) / spread
        if self.config.c is None:
            curve = search_logistic(rows, labels, generator, shift=shift)
        else:
            curve = fit_logistic(rows, labels, self.config.c, shift=shift)
        self._state = {
            "unit": unit,
            "mean": mean,
            "spread": spread,
            "slope": curve.slope,
            "intercept": np.array([curve.intercept + offset]),
        }
        num_evidence = num_columns - num_scores
        self.shape = {"num_scores": num_scores} | ({"num_evidence": num_evidence} if num_evidence else {})
        return History(seconds=time.perf_counter() - begin)

    def prepare(self, observed: Graph) -> Scorer:
        """Reads the graph with every heuristic."""
        self.check(observed)
        if not self._state:
            raise UntrainedError(self.id)
        num_scores, num_evidence = self.shape["num_scores"], self.shape.get("num_evidence", 0)
        if num_scores > _ALL:
            check_values(self.id, {"has_weights": 1}, observed)
        if num_evidence:
            check_evidence(self.id, num_evidence, observed)
        columns = self._read(observed if num_evidence else observed.with_attributes(None), num_scores)
        return FormulaScorer(observed, partial(_scores, columns, dict(self._state), num_scores, self.config.log))

    def describe(self, observed: Graph) -> str:
        """The number of scores."""
        num_scores = self.shape.get("num_scores", self._num_scores(observed))
        evidence = " and attributes" * (observed.attributes is not None)
        reason = "of the size" if observed.part is None else "the graph is bipartite"
        return f"{num_scores} heuristics{evidence}{f', without SimRank because {reason}' * (num_scores % _ALL != 0)}"

    def _num_scores(self, observed: Graph) -> int:
        kinds = _ALL if observed.num_nodes <= self.config.simrank_nodes and observed.part is None else _FEWER
        return kinds if observed.weight is None else 2 * kinds

    def _rows(
        self, data: TrainingData, generator: np.random.Generator, num_scores: int, num_columns: int
    ) -> LabelledRows:
        """The scores and labels of edges and non-edges, each fold on the graph without it."""
        config = self.config
        folds = edge_folds(
            data,
            generator,
            folds=config.folds,
            negatives=config.negatives,
            near_share=config.near_share,
            max_edges=config.max_edges,
        )
        return labelled_rows(folds, lambda graph, pairs: _table(self._read(graph, num_scores), pairs), num_columns)

    def _read(self, observed: Graph, num_scores: int) -> list[Columns]:
        """A scorer of each heuristic, without weights and, if they were there in training, also with them; evidence."""
        config = self.config
        models: list[LinkModel] = [
            *(CommonNeighbours(), AdamicAdar(), ResourceAllocation(), PreferentialAttachment(), Jaccard()),
            Katz(KatzConfig(beta=config.beta)),
            PersonalisedPageRank(PersonalisedPageRankConfig(alpha=config.alpha)),
            SimRank(SimRankConfig(gamma=config.gamma)),
        ]
        kinds = num_scores if num_scores <= _ALL else num_scores // 2
        graphs = [observed.unweighted()] if num_scores == kinds else [observed.unweighted(), observed]
        scorers: list[Columns] = [model.prepare(graph) for graph in graphs for model in models[:kinds]]
        return scorers if observed.attributes is None else [*scorers, PairEvidence(observed)]

    def state(self) -> dict[str, NDArray[Any]]:
        """Scales and coefficients."""
        return self._state

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """One number for each score."""
        num_scores = shape["num_scores"]
        if num_scores not in (_FEWER, _ALL, 2 * _FEWER, 2 * _ALL):
            raise ValueError(f"`num_scores` must be {_FEWER} or {_ALL}, or twice that, got {num_scores}.")
        num_columns = num_scores + shape.get("num_evidence", 0)
        sizes = dict.fromkeys(("unit", "mean", "spread", "slope"), num_columns) | {"intercept": 1}
        return {name: torch.empty(size, dtype=torch.float64, device="meta") for name, size in sizes.items()}

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Loads a copy of scales and coefficients.

        Raises:
            ValueError: If an array is missing, unknown, of another shape or dtype, or a scale is not positive.
        """
        check_arrays(self.id, state, self.expected_state(shape))
        if not all((state[name] > 0).all() for name in ("unit", "spread")):
            raise ValueError("arrays 'unit' and 'spread' of `state` must be positive.")
        self._state = {name: np.array(array) for name, array in state.items()}
        self.shape = dict(shape)


def _table(columns: Sequence[Columns], pairs: Pairs) -> FloatArray:
    return np.column_stack([column(pairs) for column in columns])


def _scaled(x: FloatArray, unit: FloatArray, num_scores: int, log: bool) -> FloatArray:
    """The scores on a logarithmic scale, if desired; evidence, in the columns after them, stays as it is."""
    if not log:
        return x
    return np.column_stack([np.log1p(x[:, :num_scores] / unit[:num_scores]), x[:, num_scores:]])


def _scores(
    columns: Sequence[Columns], state: Mapping[str, NDArray[Any]], num_scores: int, log: bool, pairs: Pairs
) -> Scores:
    scaled = _scaled(_table(columns, pairs), state["unit"], num_scores, log)
    # A sum over a row, unlike a matrix product, does not depend on the other rows.
    return ((scaled - state["mean"]) / state["spread"] * state["slope"]).sum(axis=1) + state["intercept"]


def _median(values: FloatArray) -> float:
    return float(np.median(values)) if len(values) else 1.0
