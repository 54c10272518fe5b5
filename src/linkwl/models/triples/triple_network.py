"""The base of the networks of triples: a vector for each pair of entities, and one for each relation."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from linkwl.nn.entry_products import Entries, entry_products
from linkwl.typing import FloatArray, IntArray, Pairs, Queries


class Located(NamedTuple):
    """Triples in a graph that was read: what their logits need, independent of the weights."""

    queries: Queries
    placed: Any
    """The distinct pairs; see :meth:`TripleNetwork.place`."""
    entries: Entries
    """Pair and column of each triple."""
    column: Tensor
    features: Tensor | None
    """The input of :meth:`TripleNetwork.shared`."""


class TripleNetwork(nn.Module, ABC):
    """A network that reads a graph of triples by :meth:`read` and :meth:`encode`, and then gives any pair a vector.

    The logit of a triple is the product of its pair's vector with the vector of a column, plus what :meth:`shared`
    adds. An ordered network has a column for each relation; others know unordered pairs and have 2R columns, R + r for
    the relation r from the larger to the smaller entity.

    Args:
        num_relations: Number of relations.
        is_ordered: Whether (a, b) and (b, a) are two pairs.
    """

    def __init__(self, num_relations: int, *, is_ordered: bool) -> None:
        super().__init__()
        self.num_relations = num_relations
        self.is_ordered = is_ordered
        self.num_columns = num_relations * (1 if is_ordered else 2)

    @abstractmethod
    def read(self, triples: Queries, num_nodes: int, also: Pairs | None = None) -> Any:
        """The input from facts, independent of the weights.

        Args:
            triples: The facts.
            num_nodes: Number of entities.
            also: Further pairs that take part in the graph of pairs, for the published training.
        """

    @abstractmethod
    def place(self, graph: Any, pairs: Pairs) -> Any:
        """Finds distinct pairs in a graph that was read; int64."""

    @abstractmethod
    def encode(self, graph: Any) -> Any:
        """The encoding of a graph, independent of the pairs to score."""

    @abstractmethod
    def states(self, encoding: Any, placed: Any) -> Tensor:
        """One vector per pair, independent of the other pairs; after :meth:`find`, ``placed`` is None: all members."""

    @abstractmethod
    def columns(self, encoding: Any) -> tuple[Tensor, Tensor]:
        """The vector and the bias of every column."""

    def find(self, graph: Any, pairs: Pairs) -> tuple[IntArray, int]:
        """The positions of pairs among the members of the graph of pairs, and the number of members.

        For the published training, which scores all members at once.
        """
        raise NotImplementedError

    def features(self, graph: Any, queries: Queries) -> FloatArray | None:
        """Features of triples for :meth:`shared`, float32; independent of the weights."""
        return None

    def relation_features(self, graph: Any, pairs: Pairs) -> FloatArray | None:
        """The features of every relation of pairs, shape ``(num_pairs, num_relations, num_features)``."""
        return None

    def shared(self, features: Tensor) -> Tensor:
        """A further part of each logit, from weights that all relations share."""
        raise NotImplementedError

    def locate(self, graph: Any, queries: Queries) -> Located:
        """Finds triples in a graph that was read."""
        pairs, col = self.slots(queries)
        distinct, place = _distinct(pairs)
        entries = Entries(place, col, len(distinct), self.num_columns)
        features = self._tensor(self.features(graph, queries))
        return Located(queries, self.place(graph, distinct), entries, self._index(col), features)

    def locate_members(self, graph: Any, queries: Queries) -> Located:
        """Finds triples whose pairs are members of the graph, most of its members at once."""
        pairs, col = self.slots(queries)
        row, num_members = self.find(graph, pairs)
        return Located(queries, None, Entries(row, col, num_members, self.num_columns), self._index(col), None)

    def logits(self, encoding: Any, located: Located) -> Tensor:
        """One logit per triple."""
        weight, bias = self.columns(encoding)
        logits = entry_products(self.states(encoding, located.placed), weight, located.entries) + bias[located.column]
        return logits if located.features is None else logits + self.shared(located.features)

    def relation_logits(self, graph: Any, encoding: Any, pairs: Pairs) -> Tensor:
        """The logits of every relation from head to tail, shape ``(num_pairs, num_relations)``."""
        pairs = pairs.astype(np.int64)
        distinct, place = _distinct(pairs if self.is_ordered else np.sort(pairs, axis=1))
        weight, bias = self.columns(encoding)
        states = self.states(encoding, self.place(graph, distinct))
        rows = (states @ weight.T + bias)[self._index(place)]
        if not self.is_ordered:
            ahead = torch.from_numpy(pairs[:, 0] <= pairs[:, 1]).to(bias.device)[:, None]
            rows = torch.where(ahead, rows[:, : self.num_relations], rows[:, self.num_relations :])
        features = self._tensor(self.relation_features(graph, pairs))
        return rows if features is None else rows + self.shared(features)

    def _tensor(self, features: FloatArray | None) -> Tensor | None:
        return None if features is None else torch.from_numpy(features).to(next(self.parameters()))

    def _index(self, index: IntArray) -> Tensor:
        return torch.from_numpy(index).to(next(self.parameters()).device)

    def slots(self, queries: Queries) -> tuple[Pairs, IntArray]:
        """Pair and column of each triple."""
        head, relation, tail = queries.astype(np.int64).T
        if self.is_ordered:
            return np.stack([head, tail], axis=1), relation
        pairs = np.stack([np.minimum(head, tail), np.maximum(head, tail)], axis=1)
        return pairs, np.where(head <= tail, relation, self.num_relations + relation)


def _distinct(pairs: Pairs) -> tuple[Pairs, IntArray]:
    """The distinct pairs, and the position of each pair among them."""
    if len(pairs) == 0:
        return pairs, np.empty(0, dtype=np.int64)
    base = int(pairs.max()) + 1
    keys, place = np.unique(pairs[:, 0] * base + pairs[:, 1], return_inverse=True)
    return np.stack(np.divmod(keys, base), axis=1), place.reshape(-1)
