"""Similarity of smoothed features, against dense matrices."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.feature_similarity import CONTENT_DEPTH, FeatureSimilarity
from linkwl.nn.sparse_linear import SparseRows
from network_cases import random_graph, some_pairs

NUM_FEATURES = 9


@pytest.fixture(scope="module")
def graph():
    return random_graph()


@pytest.fixture(scope="module")
def table(graph):
    generator = np.random.default_rng(0)
    table = generator.random((graph.num_nodes, NUM_FEATURES)) * (
        generator.random((graph.num_nodes, NUM_FEATURES)) < 0.4
    )
    table[3] = 0
    return table.astype(np.float32)


def sparse_rows(table):
    rows = sp.csr_array(table)
    return SparseRows(rows.indptr.astype(np.int64), rows.indices.astype(np.int32), rows.data, rows.shape[1])


def told(similarity, graph, features, pairs):
    adjacency = Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True)
    return similarity(similarity.encode(adjacency, features), torch.from_numpy(pairs.astype(np.int64))).numpy()


@pytest.mark.parametrize("kind", ["sparse", "dense"])
def test_all_axes_leave_inner_products_as_they_are(graph, table, kind):
    """Projected on all axes but one, features have nearly their own inner products, columns weighted by rarity."""
    pairs = some_pairs(graph)
    similarity = FeatureSimilarity(NUM_FEATURES, depth=3)
    features = sparse_rows(table) if kind == "sparse" else torch.from_numpy(table)
    similarity.fit(features, seed=0)
    values = told(similarity, graph, features, pairs)
    if kind == "sparse":
        z = table * np.log(graph.num_nodes / np.maximum((table > 0).sum(axis=0), 1))
    else:
        z = (table - table.mean(axis=0)) / table.std(axis=0)
    u, s, v = np.linalg.svd(z, full_matrices=False)
    z = (u[:, :-1] * s[:-1]) @ v[:-1]  # one axis is left out
    adjacency = graph.to_scipy().toarray().astype(float)
    scale = 1 / np.sqrt(np.maximum(adjacency.sum(axis=1), 1))
    step = (np.eye(len(z)) + scale[:, None] * adjacency * scale) / 2
    for depth in range(4):
        inner = (z[pairs[:, 0]] * z[pairs[:, 1]]).sum(axis=1)
        length = np.maximum(np.linalg.norm(z, axis=1), 1e-6)
        np.testing.assert_allclose(values[:, 2 * depth], inner, atol=1e-3)
        np.testing.assert_allclose(values[:, 2 * depth + 1], inner / length[pairs].prod(axis=1), atol=1e-3)
        z = step @ z


def test_the_content_of_nodes_has_equal_length_and_their_cosines(graph, table):
    similarity = FeatureSimilarity(NUM_FEATURES)
    similarity.fit(sparse_rows(table), seed=0)
    depths = similarity.encode(Adjacency.from_csr(graph.rowptr, graph.col, is_symmetric=True), sparse_rows(table))
    pairs = torch.from_numpy(some_pairs(graph).astype(np.int64))
    first, second = (similarity.content(depths, end) for end in pairs.T)
    assert first.shape == (len(pairs), similarity.content_channels)
    cosine = similarity(depths, pairs)[:, 2 * CONTENT_DEPTH + 1]
    np.testing.assert_allclose(first.norm(dim=1), NUM_FEATURES**0.5, rtol=1e-5)
    np.testing.assert_allclose((first * second).mean(dim=1), cosine, atol=1e-5)


def test_few_nodes_and_empty_features():
    similarity = FeatureSimilarity(NUM_FEATURES)
    similarity.fit(sparse_rows(np.zeros((1, NUM_FEATURES), dtype=np.float32)), seed=0)
    similarity.fit(torch.ones(1, NUM_FEATURES), seed=0)
    assert not similarity.basis.any()
