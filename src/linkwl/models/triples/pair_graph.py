"""Graphs of pairs of entities, as the networks of triples read them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from linkwl.nn.sparse_linear import SparseRows
from linkwl.nn.star_conv import Places
from linkwl.sparse import Stars, TypedPairs, ordered_pairs, unordered_pairs
from linkwl.typing import IntArray, Pairs, Queries


@dataclass(frozen=True, eq=False)
class PairGraph:
    """Pairs of entities, their relations and their stars.

    Unordered pairs are adjacent if they share an entity; ordered ones if they share the first or the second entity.
    """

    pairs: TypedPairs
    rows: SparseRows
    """A one for every relation of a pair."""
    members: Places
    is_ordered: bool


@dataclass(frozen=True, eq=False)
class Placed:
    """Pairs to score."""

    places: Places
    index: IntArray
    """Their positions among the members of the graph; -1 for others."""


def read_pairs(
    triples: Queries,
    num_nodes: int,
    num_relations: int,
    *,
    is_ordered: bool,
    loops: bool,
    also: Pairs | None = None,
) -> PairGraph:
    """The graph of pairs of some facts.

    Args:
        triples: The facts.
        num_nodes: Number of entities.
        num_relations: Number of relations.
        is_ordered: Whether each pair is there in both orders, with swapped halves.
        loops: Whether every entity has a pair with itself.
        also: Further pairs.
    """
    collect = ordered_pairs if is_ordered else unordered_pairs
    pairs = collect(triples, num_nodes, num_relations, also=also, loops=loops)
    rows = SparseRows(pairs.rowptr, pairs.col, np.ones(len(pairs.col), dtype=np.float32), pairs.num_columns)
    return PairGraph(pairs, rows, Places.of_members(stars_of(pairs.pairs, num_nodes, is_ordered)), is_ordered)


def place_pairs(graph: PairGraph, pairs: Pairs) -> Placed:
    """Finds pairs in the graph."""
    index = graph.pairs.find(pairs)
    stars = stars_of(pairs, graph.pairs.num_nodes, graph.is_ordered)
    return Placed(Places.of_queries(stars, graph.members.stars.size, index >= 0), index)


def stars_of(pairs: Pairs, num_nodes: int, is_ordered: bool) -> Stars:
    """The stars of pairs: at both ends, or by position."""
    return Stars.by_position(pairs, num_nodes) if is_ordered else Stars.at_both_ends(pairs, num_nodes)
