"""Enclosing subgraphs with DRNL labels, against an extraction pair by pair with SciPy."""

from __future__ import annotations

import json

import numpy as np
import scipy.sparse as sp
from measure import ratio
from power_law import power_law_graph
from scipy.sparse.csgraph import shortest_path

from linkwl.sparse.pair_subgraphs import PairSubgraphs, pair_subgraphs
from linkwl.typing import IntArray, Pairs

NUM_NODES, NUM_EDGES, NUM_PAIRS, TURNS = 3000, 6000, 200, 5
REPEATS = (
    100  # of ours in one turn: a run of less than a millisecond is never interrupted on a busy machine, the other is
)


def extract(matrix: sp.csr_matrix, pair: tuple[int, int], hops: int) -> tuple[list[int], sp.csr_matrix, IntArray]:
    """The nodes, edges and labels of one pair, as public implementations find them.

    Every hop takes the rows of the fringe from the matrix; distances are those of the subgraph without one end.
    """
    nodes, visited, fringe = list(pair), set(pair), set(pair)
    for _ in range(hops):
        fringe = set(matrix[list(fringe)].indices.tolist()) - visited
        if not fringe:
            break
        visited |= fringe
        nodes += sorted(fringe)
    part = matrix[nodes, :][:, nodes].tolil()
    part[0, 1] = part[1, 0] = 0
    part = part.tocsr()
    return nodes, part, label(part)


def label(part: sp.csr_matrix) -> IntArray:
    """DRNL; the ends are the first two nodes."""
    distances = []
    for end, other in ((0, 1), (1, 0)):
        kept = [v for v in range(part.shape[0]) if v != other]
        found = shortest_path(part[kept, :][:, kept], directed=False, unweighted=True, indices=0)
        distances.append(np.insert(found, other, np.inf) if other else np.insert(found, 0, np.inf))
        assert distances[-1][end] == 0
    to_first, to_second = distances
    total = to_first + to_second
    is_near = np.isfinite(total)
    half, odd = np.divmod(np.where(is_near, total, 0).astype(np.int64), 2)
    least = np.where(is_near, np.minimum(to_first, to_second), 0).astype(np.int64)
    labels = np.where(is_near, 1 + least + half * (half + odd - 1), 0)
    labels[:2] = 1
    return labels


def agree(found: PairSubgraphs, plain: list[tuple[list[int], sp.csr_matrix, IntArray]]) -> bool:
    """Whether both have the same nodes, labels and numbers of edges."""
    for i, (nodes, part, labels) in enumerate(plain):
        own = slice(found.node_ptr[i], found.node_ptr[i + 1])
        if dict(zip(nodes, labels.tolist(), strict=True)) != dict(
            zip(found.node[own].tolist(), found.label[own].tolist(), strict=True)
        ):
            return False
        if found.rowptr[own.stop] - found.rowptr[own.start] != part.count_nonzero():
            return False
    return True


def main() -> None:
    """Writes the figures to standard output."""
    generator = np.random.default_rng(0)
    graph = power_law_graph(NUM_NODES, NUM_EDGES, generator)
    links = graph.edges[generator.permutation(graph.num_edges)[: NUM_PAIRS // 2]]
    others = generator.integers(0, NUM_NODES, (NUM_PAIRS // 2, 2))
    pairs: Pairs = np.concatenate([links, others[others[:, 0] != others[:, 1]]]).astype(np.int32)
    matrix = sp.csr_matrix(graph.to_scipy())
    figures = []
    for hops in (1, 2):

        def ours(hops: int = hops) -> PairSubgraphs:
            return pair_subgraphs(graph.rowptr, graph.col, pairs, hops)

        def ours_repeated(hops: int = hops) -> None:
            for _ in range(REPEATS):
                pair_subgraphs(graph.rowptr, graph.col, pairs, hops)

        def plain(hops: int = hops) -> list[tuple[list[int], sp.csr_matrix, IntArray]]:
            return [extract(matrix, (int(p), int(q)), hops) for p, q in pairs]

        found = ours()
        assert agree(found, plain())
        value, times = ratio(plain, ours_repeated, TURNS)
        size = len(found.node) / len(pairs)
        title = (
            "times faster than SciPy pair by pair: enclosing subgraphs with DRNL labels, "
            f"{hops} {'hop' if hops == 1 else 'hops'}; {len(pairs)} pairs, {size:.0f} nodes each"
        )
        figures.append({"what": title, "value": REPEATS * value, "at_least": 20, "seconds": times})
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
