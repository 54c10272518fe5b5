"""Numbers of pairs that are cheap to compute for whole rows: what a screen reads instead of a model's own inputs."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from linkwl.graph import Graph
from linkwl.models.pairs.pair_model import scaled_tensors
from linkwl.models.pairs.walk_two_fwl import auto_steps
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.sparse.closed_walks import ClosedWalks
from linkwl.sparse.grouped import group_by
from linkwl.sparse.screen_rows import LANES, fill_products, fill_squares, fill_walks, log_scale
from linkwl.threads import run_all
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs

LONGEST = 8
"""The longest walks; longer ones take more time than they are worth."""
_LONGEST_DIRECTED = 4
_RANK = 32
_DEPTHS = (0, 2, 4)
"""Of the similarity of features, after so many steps of smoothing."""
_STEPS_PER_UNIT = 1 << 16


class Chain(NamedTuple):
    """Walks by the powers of a matrix, whose columns are the rows here."""

    rowptr: IntArray
    col: IntArray
    weight: FloatArray
    """float32."""
    steps: int
    first: int
    """The shortest walks that are read; shorter ones are those of an edge, which candidates do not have."""


class RowInputs:
    """Inputs of pairs, by rows: walks of several lengths, similarities of features, distances; and inputs of nodes.

    Walks follow edges weighted by the roots of the degrees, in both directions; in a directed graph there are also
    those along all edges and those against all edges, with weights also those by weight. All of it comes from the
    graph alone. Values are in single precision, as :mod:`linkwl.sparse.screen_rows` computes them.

    Args:
        graph: The graph.
    """

    def __init__(self, graph: Graph) -> None:
        self.num_nodes = graph.num_nodes
        self._chains = _chains(graph)
        self._products, self._squares = _similar(graph), _distant(graph)
        self.nodes = _node_inputs(graph)
        """Numbers of every node, float32."""
        channel = 0
        chosen: list[int] = []
        for chain in self._chains:
            chosen += range(channel + chain.first, channel + chain.steps + 1)
            channel += chain.steps + 1
        others = range(channel, channel + len(self._products) + len(self._squares))
        self.chosen: IntArray = np.array([*chosen, *others], dtype=np.int64)
        """The channels that are inputs; the others are steps on the way."""
        self._first_other, self.num_filled = channel, channel + len(others)
        is_product = np.isin(self.chosen, others[: len(self._products)])
        self.is_log: BoolArray = ~is_product
        """Whether the logarithm of each input is read."""

    def room(self) -> FloatArray:
        """An array to be filled."""
        return np.zeros((self.num_nodes, self.num_filled, LANES), dtype=np.float32)

    def fill(self, sources: IntArray, first: int, out: FloatArray) -> None:
        """Writes ``out[v, channel, i]`` for at most :data:`LANES` sources, complete for v from ``first`` on."""
        channel = 0
        for rowptr, col, weight, steps, _ in self._chains:
            fill_walks(rowptr, col, weight, steps, sources, out, channel)
            channel += steps + 1
        for vectors in self._products:
            fill_products(vectors, sources, first, out, channel)
            channel += 1
        for vectors in self._squares:
            fill_squares(vectors, sources, first, out, channel)
            channel += 1

    def at(self, pairs: Pairs) -> FloatArray:
        """The inputs of some pairs, with logarithms taken; shape ``(num_pairs, len(chosen))``."""
        found = np.empty((len(pairs), len(self.chosen)), dtype=np.float32)
        sources, start, order = group_by(pairs[:, 0])
        blocks: list[IntArray] = [
            np.arange(low, min(low + LANES, len(sources))) for low in range(0, len(sources), LANES)
        ]

        def work(part: list[IntArray]) -> None:
            out = self.room()
            for block in part:
                self.fill(sources[block], 0, out)
                for lane, group in enumerate(block):
                    users = order[start[group] : start[group + 1]]
                    found[users] = out[pairs[users, 1][:, None], self.chosen, lane]

        run_all(work, [blocks[first : first + 32] for first in range(0, len(blocks), 32)])
        return np.where(self.is_log, log_scale(found), found)


def _chains(graph: Graph) -> list[Chain]:
    links = graph.links
    steps = min(auto_steps(graph), LONGEST)
    chains = [_chain(links, links.degree, links.degree, None, steps, 2)]
    if links.weight is not None and (links.weight > 0).all():
        strength = np.where(links.degree > 0, links.strength, 1.0)
        chains.append(_chain(links, strength, strength, links.relative_weight, 3, 2))
    if graph.is_directed:
        leaving, arriving, short = graph.degree, graph.reversed.degree, min(steps, _LONGEST_DIRECTED)
        chains.append(_chain(graph.reversed, arriving, leaving, None, short, 2))
        chains.append(_chain(graph, leaving, arriving, None, short, 1))  # the reverse of a pair may be an edge
    return chains


def _chain(
    graph: Graph, own: NDArray[Any], other: NDArray[Any], value: FloatArray | None, steps: int, first: int
) -> Chain:
    """The rows of a graph, each entry divided by the roots of two numbers of its ends."""
    row = np.repeat(np.arange(graph.num_nodes), np.diff(graph.rowptr))
    weight = 1 / np.sqrt(np.maximum(own, 1e-9)[row] * np.maximum(other, 1e-9)[graph.col])
    weight = weight if value is None else weight * value
    return Chain(graph.rowptr, graph.col, weight.astype(np.float32), steps, first)


def _similar(graph: Graph) -> list[FloatArray]:
    """Vectors whose products are the cosines of smoothed features.

    They are computed in double precision and rounded, so that their bits do not depend on the number of threads.
    """
    if graph.features is None:
        return []
    links, features = graph.links, scaled_tensors(graph.features)
    similarity = FeatureSimilarity(graph.num_features, rank=_RANK, depth=max(_DEPTHS)).double()
    similarity.fit(features, 0)
    depths = similarity.encode(Adjacency.from_csr(links.rowptr, links.col, is_symmetric=True), features)
    unit = [torch.nn.functional.normalize(depths[depth].double(), dim=1).numpy() for depth in _DEPTHS]
    return [(np.round(z * _STEPS_PER_UNIT) / _STEPS_PER_UNIT).astype(np.float32) for z in unit]


def _distant(graph: Graph) -> list[FloatArray]:
    """Vectors whose distances are read: places on a map, and numbers."""
    if graph.attributes is None:
        return []
    found = []
    if (places := graph.attributes.positions) is not None and places.is_known.any():
        nearest = places.nearest.distance[:, 0]
        unit = np.median(nearest[np.isfinite(nearest) & (nearest > 0)]) if (nearest > 0).any() else 1.0
        points = (places.points - np.nanmean(places.points, axis=0)) / (unit if np.isfinite(unit) else 1.0)
        found.append(np.nan_to_num(points).astype(np.float32))
    return found


def _node_inputs(graph: Graph) -> FloatArray:
    """Degrees, the mean degree of the neighbours, and walks back to the node, on a logarithmic scale."""
    links = graph.links
    degree = links.degree.astype(np.float64)
    row = np.repeat(np.arange(links.num_nodes), links.degree)
    weight = 1 / np.sqrt(degree[row] * degree[links.col])
    nearby = np.bincount(row, degree[links.col], links.num_nodes) / np.maximum(degree, 1)
    steps = min(auto_steps(graph), LONGEST)
    back = ClosedWalks(links.rowptr.astype(np.int64), links.col.astype(np.int32), weight, steps)
    columns = [np.log1p(degree), np.log1p(nearby), *log_scale(back.at(np.arange(links.num_nodes))).T]
    if graph.is_directed:
        columns += [np.log1p(graph.degree), np.log1p(graph.reversed.degree)]
    if graph.attributes is not None and graph.attributes.positions is not None:
        columns.append(graph.attributes.positions.is_known)
    return np.stack(columns, axis=1).astype(np.float32)
