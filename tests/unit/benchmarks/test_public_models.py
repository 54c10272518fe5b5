"""The script that runs public implementations beside ours: both sides get the same, and theirs is what it should be."""

from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest
import torch

from linkwl.datasets import load_airports
from linkwl.graph import Graph
from linkwl.protocols import PAPER
from linkwl.sparse.pair_subgraphs import pair_subgraphs
from linkwl.sparse.skip_gram import SkipGramSettings
from network_cases import random_graph, some_pairs

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("public_models")


@pytest.fixture
def seal(monkeypatch):
    pytest.importorskip("torch_geometric")
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("public_seal")


@pytest.fixture(scope="module")
def split():
    return PAPER.apply(load_airports(), seed=0)


@pytest.mark.parametrize("hops", [1, 2])
def test_subgraphs_of_pyg_are_ours(seal, hops):
    graph = random_graph(60, 90, seed=3)
    pairs = np.concatenate([graph.edges[:20], some_pairs(graph)])
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    found, edges = pair_subgraphs(graph.rowptr, graph.col, pairs, hops), seal.edge_index(graph)
    for i, pair in enumerate(pairs.tolist()):
        nodes, inner, label = seal.extract(edges, tuple(pair), hops, graph.num_nodes)
        own = slice(found.node_ptr[i], found.node_ptr[i + 1])
        assert nodes[:2].tolist() == pair
        assert dict(zip(nodes, label, strict=True)) == dict(zip(found.node[own], found.label[own], strict=True))
        ends = {(nodes[a], nodes[b]) for a, b in inner.T.tolist()}
        rows = np.repeat(np.arange(own.start, own.stop), np.diff(found.rowptr[own.start : own.stop + 1]))
        cols = found.col[found.rowptr[own.start] : found.rowptr[own.stop]]
        assert ends == set(zip(found.node[rows].tolist(), found.node[cols].tolist(), strict=True))


def test_the_network_of_pyg_scores_each_subgraph_on_its_own(seal):
    graph = random_graph()
    pairs = graph.edges[:6]
    parts = seal.subgraphs(graph, pairs, np.zeros(len(pairs)), hops=1)
    torch.manual_seed(0)
    network = seal.PublicDGCNN(10)
    together = seal.score(network, parts, 6)
    assert np.ptp(together) > 0
    np.testing.assert_allclose(seal.score(network, parts, 1), together, rtol=1e-4, atol=1e-5)


def test_vectors_of_gensim_are_one_per_node(script):
    pytest.importorskip("gensim")
    walks = np.array([[0, 1, 2, 0], [2, 1, -1, -1]], dtype=np.int32)
    z = script.gensim_vectors(walks, 4, SkipGramSettings(channels=8, window=2), 0)
    assert (np.abs(z).sum(axis=1) > 0).tolist() == [True, True, True, False]


def test_products_of_vectors_are_classified(script, split):
    """With degrees as vectors, this is preferential attachment."""
    degree = split.train.observed.degree.astype(np.float32)
    scores = script.classify(degree[:, None], split)
    degree[degree == 0] = degree[degree > 0].mean()
    expected = degree[split.test.targets.queries].astype(np.float64).prod(axis=1)
    measured, known = (PAPER.measure(split.test.targets, found)["auc"] for found in (scores, expected))
    assert measured == pytest.approx(known, abs=1e-6)


def test_nodes_without_edges_are_classified_by_the_mean_vector(script, split):
    vectors = np.random.default_rng(0).normal(size=(split.train.observed.num_nodes, 3))
    is_alone = split.train.observed.degree == 0
    assert is_alone.any()
    other = np.where(is_alone[:, None], 100.0, vectors)
    np.testing.assert_array_equal(script.classify(other, split), script.classify(vectors, split))


def test_singular_vectors_give_the_best_approximation_of_the_adjacency(script, monkeypatch):
    pytest.importorskip("sknetwork")
    split = PAPER.apply(random_graph(30, 60, seed=1), seed=0)
    monkeypatch.setattr(script, "FACTORS", 8)
    train, pairs = split.train.observed, split.test.targets.queries
    u, s, v = np.linalg.svd(train.to_scipy().toarray())
    best = (u[:, :8] * s[:8]) @ v[:8]
    np.testing.assert_allclose(script.svd_scores(split), (best + best.T)[pairs[:, 0], pairs[:, 1]] / 2, atol=1e-6)


def test_the_autoencoder_of_pyg_learns(seal, split):
    vgae = importlib.import_module("public_vgae")
    scores = vgae.train_and_score(split, steps=40)
    assert PAPER.measure(split.test.targets, scores)["auc"] > 0.75


def test_a_library_that_is_missing_is_named(script):
    with pytest.raises(SystemExit, match=r"no_such_library is not installed; run `pip install .*public_models\.txt`"):
        script.require("no_such_library")


def test_both_sides_have_the_same_splits(script, monkeypatch):
    graphs: list[Graph] = []

    def compare(split, dataset):
        graphs.append(split.test.observed)
        result = script.Result(np.arange(len(split.test.targets.queries), dtype=float), 2.0)
        return result, result._replace(scores=-result.scores, seconds=5.0)

    monkeypatch.setattr(script, "load_dataset", lambda name: load_airports())
    monkeypatch.setitem(script.COMPARISONS, "seal", ("json", compare))
    monkeypatch.setitem(script.TITLES, "json", "JSON")
    figure = script.measure(script.Case("seal", "usair"))
    assert figure["value"] == 2.5
    assert figure["seconds"] == {"ours": 2.0, "public": 5.0}
    assert np.add(figure["auc"]["ours"], figure["auc"]["public"]) == pytest.approx([100] * 5)
    expected = [PAPER.apply(load_airports(), seed).test.observed.digest for seed in range(5)]
    assert [graph.digest for graph in graphs] == expected


def test_the_table_shows_both_sides(script):
    figure = {
        "value": 4.5,
        "system": "seal",
        "library": "torch_geometric",
        "dataset": "usair",
        "auc": {"ours": [94.0, 96.0], "public": [96.125, 96.125]},
        "seconds": {"ours": 6.66, "public": 30.2},
    }
    row = "| `seal` and PyG | usair | 95.00 ± 1.41 | 96.12 ± 0.00 | 6.7 | 30 | 4.50 |"
    assert script.markdown([figure]).splitlines()[2] == row
    assert {case.system for case in script.CASES} == set(script.COMPARISONS)
