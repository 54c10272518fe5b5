"""The plain networks that speed is measured against compute what was published."""

from __future__ import annotations

import importlib
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
import torch

from linkwl import PROTOCOLS, Graph

pytestmark = [  # what torch says of calls that PyG makes
    pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:Sparse (invariant|CSR):UserWarning"),
]

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def load(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))

    def find(name: str) -> ModuleType:
        return importlib.import_module(name)

    return find


def small_graph(num_nodes: int = 12, num_edges: int = 22) -> Graph:
    """Random edges among all nodes but the last, which stays alone."""
    generator = np.random.default_rng(3)
    empty = Graph.from_pairs([], num_nodes - 1)
    edges = empty.non_edges(np.sort(generator.choice(empty.num_pairs, num_edges, replace=False)))
    return Graph.from_pairs(edges, num_nodes)


TARGETS = torch.tensor([(0, 11), (3, 4), (5, 1), (11, 7)])


@pytest.mark.parametrize("layout", ["edge_index", "csr"])
def test_gcn_on_the_second_order_graph_is_the_factorised_sum(load, layout):
    plain = load("second_order_graph")
    graph = small_graph().without(TARGETS.numpy())
    edges, n, c = plain.edge_index_of(graph), graph.num_nodes, 3
    torch.manual_seed(0)
    net = plain.LocalTwoWLNet(plain.SETTINGS["usair"], 0, 5, layout).double()
    conv = load("torch_geometric.nn").GCNConv(c, c, normalize=False).double()
    second = plain.second_order_graph(edges, TARGETS, n)
    x, degree = torch.randn(len(second.pairs), c, dtype=torch.float64), torch.from_numpy(graph.degree.copy())
    num_observed = edges.size(1)
    for branch, receivers in ((0, second.by_first), (1, second.by_second)):
        out = conv(x, *net._adjacency(receivers, x))
        node = second.pairs[:, branch]
        total = torch.zeros(n, c, dtype=torch.float64).index_add(0, edges[branch], x[:num_observed])[node]
        d = degree[node].double()[:, None]
        target = total / (d * (d + 1)).clamp(min=1).sqrt() + x / (d + 1)
        mean = torch.where(torch.arange(len(x))[:, None] < num_observed, total / d.clamp(min=1), target)
        assert torch.allclose(out, conv.lin(mean) + conv.bias, rtol=0, atol=1e-12)


def test_targets_never_send(load):
    plain = load("second_order_graph")
    graph = small_graph()
    edges = plain.without(plain.edge_index_of(graph), TARGETS, graph.num_nodes)
    second = plain.second_order_graph(edges, TARGETS, graph.num_nodes)
    for branch in (second.by_first, second.by_second):
        assert branch[0].max() < edges.size(1)
        assert branch[1].max() >= edges.size(1)
    keys = {tuple(pair) for pair in edges.T.tolist()}
    assert not keys & {(p, q) for a, b in TARGETS.tolist() for p, q in ((a, b), (b, a))}
    assert len(keys) == 2 * (graph.num_edges - graph.has_edges(TARGETS.numpy()).sum())


@pytest.mark.parametrize("form", ["coo", "csr"])
def test_product_per_channel_is_the_dense_product(load, form):
    plain, n, c = load("channel_products"), 9, 4
    torch.manual_seed(0)
    mask = torch.rand(2, n, n) < 0.3
    dense = torch.randn(2, n, n, c, dtype=torch.float64).relu() * mask[..., None]
    left, right = (
        plain.PairMatrix(m.flatten().nonzero().squeeze(1), d.reshape(n * n, c)[m.flatten()])
        for m, d in zip(mask, dense, strict=True)
    )
    product = plain.PRODUCTS[form](left, right, n)
    support = (mask[0].double() @ mask[1].double()).flatten().nonzero().squeeze(1)
    assert torch.equal(product.key, support)
    expected = torch.einsum("prc,rqc->pqc", dense[0], dense[1]).reshape(n * n, c)
    assert torch.allclose(product.value, expected[support], rtol=0, atol=1e-12)


@pytest.mark.parametrize("form", ["coo", "csr"])
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_local_two_fwl_net_is_its_dense_form(load, rounds, form):
    plain, blocks = load("channel_products"), load("second_order_graph")
    settings = plain.Settings(6, 4, 2, rounds, 0.0, (0.0, 0.0), 0.01, update=("none", True))
    torch.manual_seed(0)
    net = plain.LocalTwoFWLNet(settings, 0, 20, form).double()
    graph = small_graph().without(TARGETS.numpy())
    edges, n = blocks.edge_index_of(graph), graph.num_nodes
    h = net.encode(blocks.NodeInput(torch.from_numpy(graph.degree.copy()), None), edges)
    adjacency = torch.zeros(n, n, dtype=torch.float64)
    adjacency[edges[0], edges[1]] = 1
    ends = torch.cat([h[:, None].expand(n, n, -1), h[None].expand(n, n, -1)], dim=-1)
    x, pattern = net.left(ends) * adjacency[..., None], adjacency > 0
    for right, update in zip(net.rights, net.updates, strict=True):
        y = torch.einsum("prc,rqc->pqc", x, right(ends) * adjacency[..., None])
        pattern = (pattern.double() @ adjacency > 0) | (adjacency > 0)
        x = update(torch.cat([y, adjacency[..., None]], dim=-1)) * pattern[..., None]
    p, q = TARGETS.T
    expected = net.readout(torch.cat([x[p, q] * x[q, p], h[p] * h[q]], dim=-1)).squeeze(-1)
    nodes = blocks.NodeInput(torch.from_numpy(graph.degree.copy()), None)
    scores = net(nodes, edges, TARGETS)
    assert torch.allclose(scores, expected, rtol=0, atol=1e-12)
    if form == "coo":
        weights = list(net.parameters())
        for ours, theirs in zip(*(torch.autograd.grad(out.sum(), weights) for out in (scores, expected)), strict=True):
            assert torch.allclose(ours, theirs, rtol=0, atol=1e-10)


def test_no_gradient_passes_the_product_of_compressed_rows(load):
    plain, blocks = load("channel_products"), load("second_order_graph")
    net = plain.LocalTwoFWLNet(plain.SETTINGS["usair"], 0, 20, "csr")
    graph = small_graph()
    edges = blocks.edge_index_of(graph)
    net(blocks.NodeInput(torch.from_numpy(graph.degree.copy()), None), edges, TARGETS).sum().backward()
    assert all(weight.grad is None for weight in [*net.left.parameters(), *net.rights.parameters()])
    assert net.updates[-1][0].weight.grad.abs().sum() > 0


def test_two_wl_round_is_its_definition(load):
    plain = load("dense_pairs")
    torch.manual_seed(0)
    net = plain.TwoWLNet(plain.TWO_WL["usair"], 0, 20).double().eval()
    x = torch.randn(5, 5, 65, dtype=torch.float64)
    out, summed = net.pairs(x), net.summed(x)
    for p in range(5):
        for q in range(5):
            row, column = sum(summed[p, i] for i in range(5)), sum(summed[i, q] for i in range(5))
            assert torch.allclose(out[p, q], net.updating(torch.cat([x[p, q], row, column])), rtol=0, atol=1e-10)


def test_two_fwl_round_is_its_definition(load):
    plain = load("dense_pairs")
    torch.manual_seed(0)
    layer = plain.FolkloreLayer(3, 4, 0.0).double()
    x = torch.randn(5, 5, 3, dtype=torch.float64)
    walks = torch.einsum("prc,rqc->pqc", layer.left(x), layer.right(x))
    z = layer.update[0](torch.cat([x, walks], dim=-1))
    columns = [(z[:, q] - z[:, q].mean(0)) / (z[:, q].var(0, unbiased=False) + 1e-5).sqrt() for q in range(5)]
    assert torch.allclose(layer(x), torch.stack(columns, dim=1).relu(), rtol=0, atol=1e-10)


def test_pair_tensor_holds_products_and_edges(load):
    plain, blocks = load("dense_pairs"), load("second_order_graph")
    graph, h = small_graph(), torch.randn(12, 2)
    x = plain.pair_tensor(h, blocks.edge_index_of(graph))
    assert torch.equal(x[3, 5, :2], h[3] * h[5])
    assert np.array_equal(x[..., 2].numpy(), graph.to_scipy().toarray())


def test_graph_norm_is_pygs(load):
    norm, pyg = load("second_order_graph").GraphNorm(4), load("torch_geometric.nn").GraphNorm(4)
    x = torch.randn(7, 4)
    assert torch.allclose(norm(x), pyg(x), rtol=0, atol=1e-6)


@pytest.mark.parametrize("model", ["local-2wl", "local-2fwl", "2wl", "2fwl"])
def test_a_step_changes_the_weights_and_scores_are_finite(load, model):
    split = PROTOCOLS["paper"].apply(small_graph(30, 120), 0)
    torch.manual_seed(0)
    if model.startswith("local"):
        form = {"local-2wl": ("second_order_graph", "edge_index"), "local-2fwl": ("channel_products", "coo")}[model]
        side = load(form[0]).baseline("pb", split, form[1])
    else:
        side = load("dense_pairs").baseline(model, "usair", split)
    before = [weight.detach().clone() for weight in side.network.parameters()]
    loss = side.step(split.train.positives[:10], split.train.negatives[:10])
    assert np.isfinite(loss)
    assert any(not torch.equal(a, b) for a, b in zip(before, side.network.parameters(), strict=True))
    scores = side.score()
    assert scores.shape == (len(split.test.positives) + len(split.test.negatives),)
    assert scores.isfinite().all()


def test_an_unknown_model_has_no_plain_implementation(load):
    with pytest.raises(KeyError, match="3wl"):
        load("dense_pairs").baseline("3wl", "usair", PROTOCOLS["paper"].apply(small_graph(30, 120), 0))
