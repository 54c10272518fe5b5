"""The floor that every model of triples must beat: counts and three yes-or-no questions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from linkwl.graph import KnowledgeGraph
from linkwl.models.base import GradientTrainer, LinkModel, Needs, Scorer
from linkwl.models.history import History
from linkwl.models.triples.role_counts import RoleCounts
from linkwl.protocols import TrainingData
from linkwl.typing import FloatArray, IntArray, Pairs, Queries, Scores

_JOINED, _ROLE = 5.0, 3.0


class Floor(LinkModel):
    r"""Frequency of the relation, and whether head and tail are joined and have their roles.

    .. math::
        \ln(1 + f_r) + 5\,[h, t \text{ are joined}] + 3\,[h \text{ has an outgoing } r] + 3\,[t \text{ has an incoming }
        r]

    The frequency of a relation is counted in the graph that the model was fitted on, that of another relation in the
    observed graph, and so is everything else. Nothing is learned but the counts.

    Reference: the rule is our own. The constants were set once and not tuned.
    """

    id = "floor"
    title = "Floor"
    reference = "linkwl, the rule that learned models of triples must beat, 2026."
    task = "triples"
    needs = Needs(directed=True)

    def __init__(self, config: Any = None) -> None:
        super().__init__(config)
        self._frequency: IntArray | None = None

    def fit(self, data: TrainingData, trainer: GradientTrainer) -> History:
        """Counts the relations of the train facts."""
        self.check(data.train.observed)
        assert isinstance(data.train.observed, KnowledgeGraph)
        self._frequency = _count(data.train.observed)
        self.shape = {"num_relations": len(self._frequency)}
        return History()

    def prepare(self, observed: KnowledgeGraph) -> Scorer:
        """Counts the roles of every entity."""
        self.check(observed)
        frequency = _count(observed)
        if self._frequency is not None:  # the relations of training come first
            frequency = np.append(self._frequency, frequency[len(self._frequency) :])[: observed.num_relations]
        return FloorScorer(observed, np.log1p(frequency))

    def describe(self, observed: KnowledgeGraph) -> str:
        """The rule in words."""
        return "frequency of the relation, joined or not, roles of both entities"

    def state(self) -> dict[str, NDArray[Any]]:
        """The counts."""
        return {} if self._frequency is None else {"frequency": self._frequency}

    def expected_state(self, shape: Mapping[str, int]) -> dict[str, Any]:
        """One count for each relation."""
        import torch

        if not shape:
            return {}
        return {"frequency": torch.empty(shape["num_relations"], dtype=torch.int64, device="meta")}

    def load_state(self, state: Mapping[str, NDArray[Any]], shape: Mapping[str, int]) -> None:
        """Loads the counts.

        Raises:
            ValueError: If there are others than those of the shape.
        """
        expected = {"frequency"} if shape else set()
        if state.keys() != expected or any(array.shape != (shape["num_relations"],) for array in state.values()):
            raise ValueError(f"`state` must hold {sorted(expected)} for {dict(shape)}, got {sorted(state)}.")
        self._frequency = np.array(state["frequency"], dtype=np.int64) if shape else None
        self.shape = dict(shape)


class FloorScorer(Scorer):
    """The rule on one graph.

    Args:
        observed: The graph.
        log_frequency: The first term of each relation.
    """

    def __init__(self, observed: KnowledgeGraph, log_frequency: FloatArray) -> None:
        super().__init__(observed)
        self._graph, self._log_frequency = observed, log_frequency
        self._roles = RoleCounts.of(observed.triples, observed.num_nodes, observed.num_relations)
        joined = np.sort(observed.triples[:, [0, 2]].astype(np.int64), axis=1)
        self._joined = np.unique(joined[:, 0] * observed.num_nodes + joined[:, 1])

    def _relations(self, pairs: Pairs) -> FloatArray:
        head, tail = (self._roles.dense(pairs[:, k]) > 0 for k in (0, 1))
        count = self._graph.num_relations
        roles = head[:, :count].astype(np.int64) + tail[:, count:]
        return self._log_frequency + _JOINED * self._is_joined(pairs)[:, None] + _ROLE * roles

    def _score(self, queries: Queries) -> Scores:
        head, relation, tail = queries.astype(np.int64).T
        roles = self._roles
        num_roles = (roles.at(head, relation) > 0).astype(np.int64) + (
            roles.at(tail, self._graph.num_relations + relation) > 0
        )
        return self._log_frequency[relation] + _JOINED * self._is_joined(queries[:, [0, 2]]) + _ROLE * num_roles

    def _is_joined(self, pairs: Pairs) -> IntArray:
        first, second = np.sort(pairs.astype(np.int64), axis=1).T
        return np.isin(first * self._graph.num_nodes + second, self._joined).astype(np.int64)


def _count(graph: KnowledgeGraph) -> IntArray:
    return np.bincount(graph.triples[:, 1], minlength=graph.num_relations)
