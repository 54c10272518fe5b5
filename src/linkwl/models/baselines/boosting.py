"""Gradient-boosted trees on classical scores."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from pydantic import Field

from linkwl.errors import InputError, UntrainedError
from linkwl.graph import Graph
from linkwl.models.array_state import check_arrays
from linkwl.models.base import FormulaScorer, GradientTrainer, LinkModel, ModelConfig, Needs, Scorer
from linkwl.models.boosted_trees import TreeSettings, boost
from linkwl.models.classical_scores import MAX_DENSE_NODES, ClassicalScores, column_names
from linkwl.models.edge_folds import LabelledRows, edge_folds, labelled_rows
from linkwl.models.edge_values import check_values, values_shape
from linkwl.models.history import History
from linkwl.models.pair_evidence import evidence_names
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.protocols import TrainingData, target_scores
from linkwl.sparse.trees import Trees, tree_sums
from linkwl.typing import Pairs, Scores

_BLOCK = 1 << 17
"""Number of pairs whose scores are computed together."""
_MOST_EVIDENCE = 10_000
"""Number of columns that features and attributes may add."""
_MOST_VALID = 20_000
"""Number of validation targets that decide on the number of trees."""


class BoostingConfig(ModelConfig):
    """Settings of :class:`Boosting`."""

    folds: int = Field(default=10, ge=2, le=1000)
    """Number of parts of the train edges, each scored on the graph without it."""
    max_edges: int = Field(default=15_000, ge=1, lt=1 << 31)
    """Number of train edges to learn from; on larger graphs, a sample."""
    negatives: float = Field(default=3.0, gt=0, le=100)
    """Number of non-edges for each edge; if nodes have places, as many again are close on the map."""
    near_share: float = Field(default=0.0, ge=0, le=1)
    """The share of the non-edges that have a common neighbour."""
    rank: int = Field(default=32, ge=0, le=1 << 16)
    """Number of eigenvectors of each matrix."""
    features: bool = True
    """Whether to compare the nodes' features and attributes, if there are any."""
    trees: int = Field(default=400, ge=1, le=10_000)
    """Largest number of trees."""
    patience: int = Field(default=100, ge=1, lt=1 << 31)
    """Number of trees without a better validation after which training ends."""
    learning_rate: float = Field(default=0.03, gt=0, le=1)
    leaves: int = Field(default=15, ge=2, le=1024)
    """Largest number of leaves of a tree."""
    min_data: int = Field(default=20, ge=1, lt=1 << 31)
    """Smallest number of pairs in a leaf."""
    feature_fraction: float = Field(default=0.5, gt=0, le=1)
    """The share of the scores that each tree may read."""
    row_fraction: float = Field(default=0.8, gt=0, le=1)
    """The share of the pairs that each tree learns from."""
    penalty: float = Field(default=1.0, ge=0, le=1e9)
    """Weight of the squares of the leaves."""


class Boosting(LinkModel):
    r"""Gradient-boosted trees on classical scores: what can be had without a network.

    .. math::
        s_{pq} = \sum_t \text{tree}_t(x_{pq}) + \log \frac{\text{negatives}}{\text{positives}}

    The row :math:`x_{pq}` has about forty scores of the pair; see
    :class:`linkwl.models.classical_scores.ClassicalScores`. Training edges are divided into folds, and the edges of a
    fold, with non-edges, are scored on the graph without them: a row never contains its own edge. The selection metric
    on validation targets decides on the number of trees. The last term makes the scores log-odds among as many links as
    non-links.

    LightGBM grows the trees. They are kept as plain arrays, and scored without it.

    A fold takes a table of scores, on large graphs about a millisecond a node for random walks with restart, and two
    sets of eigenvectors. Memory is O(n rank) and, with features, a few dense copies of these.

    Reference: Ke et al., 2017; the scores are those that surveys list, such as Lü and Zhou, 2011.
    """

    id = "boosting"
    title = "Gradient boosting on classical scores"
    reference = "Ke et al., LightGBM: a highly efficient gradient boosting decision tree, NIPS, 2017."
    Config: ClassVar[type[BoostingConfig]] = BoostingConfig
    config: BoostingConfig
    gives_logits = True
    needs: ClassVar[Needs] = Needs(weights=True)
    search_space: ClassVar[Space] = {
        "folds": Choice(5, 10, 20),
        "negatives": Choice(1.0, 3.0, 5.0, 10.0),
        "near_share": Choice(0.0, 0.1, 0.3, 0.5),
        "rank": Choice(8, 16, 32, 64),
        "learning_rate": LogUniform(0.01, 0.1),
        "leaves": Choice(4, 8, 15, 31, 63),
        "min_data": Choice(5, 10, 20, 50, 100),
        "feature_fraction": Uniform(0.2, 1.0),
        "row_fraction": Uniform(0.5, 1.0),
        "penalty": LogUniform(0.01, 30.0),
    }

    max_dense_nodes: ClassVar[int] = MAX_DENSE_NODES

    def __init__(self, config: ModelConfig | None = None) -> None:
        super().__init__(config)
        self._trees: Trees | None = None
        self._offset = np.zeros(1)

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Scores the edges of each fold and non-edges, and grows trees on them."""
        begin = time.perf_counter()
        observed = data.train.observed
        assert isinstance(observed, Graph)
        self.check(observed)
        generator = np.random.default_rng(trainer.seed)
        x, labels, shift, offset = self._rows(data, generator)
        targets = data.valid.targets.sample(_MOST_VALID, generator)
        is_validated = len(targets.positives) > 0 and len(targets.negatives) > 0
        boosted = boost(
            x,
            labels,
            self._tree_settings,
            trainer.seed,
            shift=shift,
            valid=self._read(data.valid.observed)(targets.queries) if is_validated else None,
            measure=lambda scores: data.selection.measure(target_scores(targets, scores)),
        )
        self._offset = np.array([offset])
        self._trees = boosted.trees
        self.shape = {
            "num_columns": x.shape[1],
            "num_trees": len(boosted.trees.root),
            "num_splits": len(boosted.trees.feature),
            "num_leaves": len(boosted.trees.leaf),
        } | values_shape(observed)
        seconds = time.perf_counter() - begin
        return History(valid=boosted.valid, metric=data.selection.id, seconds=seconds)

    def _rows(self, data: TrainingData, generator: np.random.Generator) -> LabelledRows:
        """The scores and labels of edges and non-edges, each fold on the graph without it."""
        config, observed = self.config, data.train.observed
        assert isinstance(observed, Graph)
        folds = edge_folds(
            data,
            generator,
            folds=config.folds,
            negatives=config.negatives,
            near_share=config.near_share,
            max_edges=config.max_edges,
        )
        num_columns = self._num_columns(observed, values_shape(observed))
        return labelled_rows(folds, lambda graph, pairs: self._read(graph)(pairs), num_columns)

    def prepare(self, observed: Graph) -> Scorer:
        """Computes the eigenvectors and the numbers of single nodes."""
        self.check(observed)
        if self._trees is None:
            raise UntrainedError(self.id)
        uses_features = self.shape["num_columns"] > len(column_names(has_features=False, values=self.shape))
        if uses_features and self.shape["num_columns"] != self._num_columns(observed, self.shape):
            raise InputError(
                f"{self.id} was trained with node features, and {observed.name} has none or others; give the same with "
                "--features."
            )
        check_values(self.id, self.shape, observed)
        table = self._read(observed, use_features=uses_features, values=self.shape)
        return FormulaScorer(observed, partial(_scores, table, self._trees, float(self._offset[0])))

    def describe(self, observed: Graph) -> str:
        """The number of trees and of scores."""
        num_trees = self.shape.get("num_trees", self.config.trees)
        num_columns = self._num_columns(observed, self.shape or values_shape(observed))
        return f"{num_trees} tree{'' if num_trees == 1 else 's'} on {num_columns} classical scores"

    def _read(
        self, observed: Any, *, use_features: bool | None = None, values: Mapping[str, int] | None = None
    ) -> ClassicalScores:
        return ClassicalScores(
            observed,
            rank=self.config.rank,
            use_features=self.config.features if use_features is None else use_features,
            max_dense_nodes=self.max_dense_nodes,
            values=values_shape(observed) if values is None else values,
        )

    def _num_columns(self, observed: Any, values: Mapping[str, int]) -> int:
        """Number of scores of pairs of a graph, some of them by weights and times."""
        if not self.config.features:
            return len(column_names(has_features=False, values=values))
        evidence = evidence_names(observed.attributes)
        return len(column_names(has_features=observed.features is not None, evidence=evidence, values=values))

    @property
    def _tree_settings(self) -> TreeSettings:
        return TreeSettings(**{name: getattr(self.config, name) for name in TreeSettings._fields})

    def state(self) -> dict[str, NDArray[Any]]:
        """The arrays of the trees, and the offset."""
        return {} if self._trees is None else {**self._trees._asdict(), "offset": self._offset}

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """One entry per tree, split or leaf."""
        if not 0 <= shape["num_columns"] - len(column_names(has_features=False, values=shape)) <= _MOST_EVIDENCE:
            raise ValueError(f"`num_columns` must be the number of classical scores, got {shape['num_columns']}.")
        splits, leaves = shape["num_splits"], shape["num_leaves"]
        shapes: dict[str, tuple[tuple[int, ...], torch.dtype]] = {
            "root": ((shape["num_trees"],), torch.int32),
            "feature": ((splits,), torch.int32),
            "threshold": ((splits,), torch.float64),
            "children": ((splits, 2), torch.int32),
            "leaf": ((leaves,), torch.float64),
            "offset": ((1,), torch.float64),
        }
        return {name: torch.empty(size, dtype=dtype, device="meta") for name, (size, dtype) in shapes.items()}

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Loads a copy of the trees; LightGBM is not needed.

        Raises:
            ValueError: If an array is missing, unknown, of another shape or dtype, or the trees are damaged.
        """
        check_arrays(self.id, state, self.expected_state(shape))
        arrays = {name: np.array(array) for name, array in state.items()}
        self._offset = arrays.pop("offset")
        self._trees = Trees(**arrays)
        self._trees.check(shape["num_columns"])
        self.shape = dict(shape)


def _scores(table: ClassicalScores, trees: Trees, offset: float, pairs: Pairs) -> Scores:
    blocks = (pairs[start : start + _BLOCK] for start in range(0, len(pairs), _BLOCK))
    return np.concatenate([tree_sums(trees, table(block)) + offset for block in blocks])
