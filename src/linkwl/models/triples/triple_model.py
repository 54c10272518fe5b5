"""The base of the models of triples whose network is a :class:`TripleNetwork`."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
import torch
from torch import Tensor

from linkwl.errors import InputError
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.models.base import LinkModel, Needs, Scorer
from linkwl.models.cost import FLOAT, KEPT, PASSES, Cost
from linkwl.models.gradient import GradientModel, as_scores, torch_threads
from linkwl.models.triples.triple_network import Located, TripleNetwork
from linkwl.protocols.protocol import ScoreQueries
from linkwl.typing import FloatArray, Pairs, Queries, Scores

_FEW_NUMBERS = 1 << 20  # for arrays smaller than this, waking a second thread does not pay
_BLOCK = 1 << 20  # scores of relations that are computed at a time


class TripleModel(GradientModel):
    """A model whose network is a :class:`TripleNetwork`."""

    task = "triples"
    needs: ClassVar[Needs] = Needs(directed=True)

    @abstractmethod
    def width(self) -> int:
        """Number of channels of a pair, for the estimate of the cost."""

    def measure(self, observed: KnowledgeGraph) -> dict[str, int]:
        """The number of relations."""
        return {"num_relations": observed.num_relations}

    def check(self, observed: Observed) -> None:
        """Raises InputError if the graph has other relations than those that the network was built for."""
        super().check(observed)
        check_relations(self, observed)

    def logits(self, observed: KnowledgeGraph, queries: Queries) -> Tensor:
        """One differentiable logit per triple."""
        network, graph = self._triple_network, self.read(observed)
        return network.logits(network.encode(graph), network.locate(graph, queries))

    def make_scorer(self, observed: KnowledgeGraph) -> TripleScorer:
        """Encodes the graph once."""
        graph = self.read(observed)
        with torch.no_grad(), torch_threads(self.num_threads(observed, 0)):
            return TripleScorer(self, observed, graph, self._triple_network.encode(graph))

    def watch(self, observed: KnowledgeGraph) -> ScoreQueries:
        """Reads the graph once; every call encodes it with the current weights."""
        return self.watch_graph(observed, self.read(observed), self._triple_network.locate)

    def watch_graph(
        self, observed: KnowledgeGraph, graph: Any, locate: Callable[[Any, Queries], Located]
    ) -> ScoreQueries:
        """The same for a graph that has been read, and a way to find triples in it."""
        network = self._triple_network
        known: list[Located] = []  # the same queries come again and again

        def look(queries: Queries) -> Scores:
            if not known or not np.array_equal(known[0].queries, queries):
                known[:] = [locate(graph, queries)]
            with torch.no_grad(), self.evaluating(), torch_threads(self.num_threads(observed, len(queries))):
                return as_scores(network.logits(network.encode(graph), known[0]))

        return look

    def score_triples(self, graph: Any, encoding: Any, queries: Queries) -> Scores:
        """The scores of triples on an encoded graph, in blocks."""
        network = self._triple_network
        blocks = [queries[start : start + self.block_size] for start in range(0, len(queries), self.block_size)]
        return as_scores(torch.cat([network.logits(encoding, network.locate(graph, block)) for block in blocks]))

    def score_relations(self, graph: Any, encoding: Any, pairs: Pairs) -> FloatArray:
        """The scores of every relation of pairs on an encoded graph, in blocks."""
        network, count = self._triple_network, max(1, self.shape["num_relations"])
        size = max(1, _BLOCK // count)
        blocks = [pairs[start : start + size] for start in range(0, len(pairs), size)]
        rows = (as_scores(network.relation_logits(graph, encoding, block)) for block in blocks)
        return np.concatenate([np.empty((0, count)), *rows])

    def is_small(self, observed: KnowledgeGraph, num_targets: int) -> bool:
        """Whether the vectors of entities and pairs are few."""
        return (observed.num_nodes + 2 * observed.num_facts + num_targets) * self.width() < _FEW_NUMBERS

    def cost(self, observed: KnowledgeGraph, num_targets: int) -> Cost:
        """The cost of the weights, of the vectors of entities and pairs, and of the targets."""
        channels, columns = self.width(), 2 * observed.num_relations
        rows = observed.num_nodes + 2 * observed.num_facts + num_targets
        weights = 6.0 * FLOAT * 4 * channels * (columns + channels)
        return Cost(weights + 2.0 * FLOAT * KEPT * rows * channels, PASSES * rows * channels * (channels + KEPT))

    @property
    def _triple_network(self) -> TripleNetwork:
        network = self.trained
        assert isinstance(network, TripleNetwork)
        return network

    def read(self, observed: KnowledgeGraph) -> Any:
        """The graph as the network reads it, independent of the weights."""
        return self._triple_network.read(observed.triples, observed.num_nodes)


class TripleScorer(Scorer):
    """A network of triples and a graph that it has encoded.

    Args:
        model: A frozen model.
        observed: The graph.
        read: The graph as the network has read it.
        encoding: The network's encoding of the graph.
    """

    def __init__(self, model: TripleModel, observed: KnowledgeGraph, read: Any, encoding: Any) -> None:
        super().__init__(observed)
        self._model, self._graph, self._read, self._encoding = model, observed, read, encoding
        self._threads = torch.get_num_threads()

    def _relations(self, pairs: Pairs) -> FloatArray:
        """From one vector for each pair."""
        with torch.no_grad(), torch_threads(self._num_threads(len(pairs) * self._graph.num_relations)):
            return self._model.score_relations(self._read, self._encoding, pairs)

    def _score(self, queries: Queries) -> Scores:
        with torch.no_grad(), torch_threads(self._num_threads(len(queries))):
            return self._model.score_triples(self._read, self._encoding, queries)

    def _num_threads(self, num_queries: int) -> int:
        return 1 if self._model.is_small(self._graph, num_queries) else self._threads


def check_relations(model: LinkModel, observed: Observed) -> None:
    """Raises InputError if a graph has another number of relations than the one that a model was trained on."""
    assert isinstance(observed, KnowledgeGraph)
    known = model.shape.get("num_relations", observed.num_relations)
    if known != observed.num_relations:
        raise InputError(
            f"{model.id} was trained on {known} relations, and {observed.name} has {observed.num_relations}; give it a "
            "graph with the same relations."
        )
