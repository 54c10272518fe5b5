"""Plain versions of the kernels, as a reference for the fast ones."""

from __future__ import annotations

import numpy as np

from linkwl.sparse.join import Triples
from linkwl.typing import FloatArray, IntArray, Pairs


def common_neighbour_sums(rowptr: IntArray, col: IntArray, pairs: Pairs, weights: FloatArray) -> FloatArray:
    """``out[i, k] = sum of weights[v, k] over v in N(p) and N(q)``, (p, q) = pairs[i]."""
    neighbours = [set(col[rowptr[v] : rowptr[v + 1]].tolist()) for v in range(len(rowptr) - 1)]
    out = np.zeros((len(pairs), weights.shape[1]))
    for i, (p, q) in enumerate(pairs):
        for v in neighbours[p] & neighbours[q]:
            out[i] += weights[v]
    return out


def neighbour_sum(
    rowptr: IntArray,
    col: IntArray,
    left: FloatArray,
    right: FloatArray,
    x: FloatArray,
    shift: float,
    out: FloatArray,
) -> None:
    """``out[p] <- left[p] * (sum of right[q] * x[q] over q in N(p)) + shift * out[p]``."""
    for p in range(len(rowptr) - 1):
        out[p] *= shift
        for q in col[rowptr[p] : rowptr[p + 1]]:
            out[p] += left[p] * right[q] * x[q]


def join(a: FloatArray, b: FloatArray, triples: Triples) -> FloatArray:
    """``out[s] = sum of a[left[k]] * b[right[k]] over k in ptr[s] .. ptr[s + 1]``."""
    out = np.zeros((triples.num_out, a.shape[1]))
    for s in range(triples.num_out):
        for k in range(triples.ptr[s], triples.ptr[s + 1]):
            out[s] += a[triples.left[k]] * b[triples.right[k]]
    return out


def walk_terms(rowptr: IntArray, col: IntArray, pairs: Pairs, rounds: int) -> list[dict[tuple[int, int], list[int]]]:
    """The pairs of levels 1, 2, .. of a plan of walks, and the middle nodes of their terms."""
    edges = _edges(rowptr, col)
    nodes = range(len(rowptr) - 1)
    demanded = {(int(p), int(q)) for p, q in pairs}
    needed = [demanded]
    for _ in range(rounds - 1):
        before = {(p, r) for p, q in needed[0] for r in nodes if (r, q) in edges}
        needed.insert(0, before | demanded)
    pattern, levels = edges, []
    for level in needed:
        terms = {(p, q): [r for r in nodes if (p, r) in pattern and (r, q) in edges] for p, q in level}
        pattern = {pair for pair in level if terms[pair] or pair in edges}
        levels.append({pair: terms[pair] for pair in pattern | demanded})
    return levels


def union_terms(rowptr: IntArray, col: IntArray, pairs: Pairs, rounds: int) -> list[dict[tuple[int, int], list[int]]]:
    """The pairs of levels 0, 1, .. of a plan of unions, and the middle nodes of their terms; level 0 has no terms."""
    edges = _edges(rowptr, col)
    nodes = range(len(rowptr) - 1)
    level = {(int(p), int(q)) for p, q in pairs}
    levels: list[dict[tuple[int, int], list[int]]] = []
    for _ in range(rounds):
        terms = {(p, q): [r for r in nodes if (p, r) in edges or (r, q) in edges] for p, q in level}
        levels.insert(0, terms)
        factors = {pair for (p, q), middle in terms.items() for r in middle for pair in ((p, r), (r, q))}
        level = level | factors
    return [{pair: [] for pair in level}, *levels]


def _edges(rowptr: IntArray, col: IntArray) -> set[tuple[int, int]]:
    return {(p, int(q)) for p in range(len(rowptr) - 1) for q in col[rowptr[p] : rowptr[p + 1]]}


def pair_adjacency(ends: IntArray) -> FloatArray:
    """The explicit graph of pairs: entry (i, j) is the number of stars that two different pairs share."""
    shared = np.zeros((len(ends), len(ends)))
    for i, own in enumerate(ends):
        for j, other in enumerate(ends):
            if i != j:
                shared[i, j] = len({int(v) for v in own if v >= 0} & {int(v) for v in other if v >= 0})
    return shared


def draw_factors(
    pairs: Pairs,
    labels: FloatArray,
    num_nodes: int,
    *,
    rank: int,
    skipped: int,
    draws: int,
    thinning: int = 1,
    generator: np.random.Generator,
) -> tuple[float, FloatArray, FloatArray]:
    """The Gibbs sampler of a factorisation; every residual is computed anew from the whole prediction."""
    w0, w = 0.0, np.zeros(num_nodes)
    v = 0.1 * generator.standard_normal((rank, num_nodes)).T
    mu, lam = np.zeros(1 + rank), np.ones(1 + rank)
    i, j = np.asarray(pairs).T
    kept: list[tuple[float, FloatArray, FloatArray]] = []

    def residuals() -> FloatArray:
        return labels - (w0 + w[i] + w[j] + (v[i] * v[j]).sum(axis=1))

    for step in range(1, skipped + draws * thinning + 1):
        e = residuals()
        alpha = generator.standard_gamma((1 + len(e)) / 2) / ((1 + (e**2).sum()) / 2)
        w0 += e.mean() + generator.standard_normal() / np.sqrt(alpha * len(e))
        for f in range(1 + rank):
            theta = w if f == 0 else v[:, f - 1]
            squares = ((theta - mu[f]) ** 2).sum() + mu[f] ** 2
            lam[f] = generator.standard_gamma((2 + num_nodes) / 2) / ((1 + squares) / 2)
            spread = 1 / np.sqrt((1 + num_nodes) * lam[f])
            mu[f] = theta.sum() / (1 + num_nodes) + spread * generator.standard_normal()
            for node in range(num_nodes):
                mine = (i == node) | (j == node)
                h = np.ones(mine.sum()) if f == 0 else theta[np.where(i == node, j, i)[mine]]
                variance = 1 / (alpha * (h**2).sum() + lam[f])
                center = variance * (alpha * (h * (residuals()[mine] + h * theta[node])).sum() + lam[f] * mu[f])
                theta[node] = center + generator.standard_normal() * np.sqrt(variance)
        if step > skipped and (step - skipped) % thinning == 0:
            kept.append((w0, w.copy(), v.copy()))
    offsets, weights, factors = zip(*kept, strict=True)
    return float(np.mean(offsets)), np.mean(weights, axis=0), np.stack(factors, axis=1)


def walk_probabilities(
    rowptr: IntArray, col: IntArray, before: int, node: int, *, p: float, q: float
) -> dict[int, float]:
    """The probability of each next node of a walk that came from ``before`` to ``node``."""
    of = [set(col[rowptr[v] : rowptr[v + 1]].tolist()) for v in range(len(rowptr) - 1)]
    weight = {x: 1 / p if x == before else 1.0 if x in of[before] else 1 / q for x in sorted(of[node])}
    total = sum(weight.values())
    return {x: value / total for x, value in weight.items()}
