from __future__ import annotations

import pytest
import torch

from adjacencies import GRAPHS, adjacency_of, all_pairs_of, assert_same_function, dense, normal, randomised
from linkwl.nn.adjacency import edge_weight
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.pair_features import ROWS, DensePairs, LabelledPairs, PairFeatures, ProductPairs, SumPairs, row_blocks
from linkwl.nn.readout import PairReadout

FORMS = ["table", "product", "sum", "labelled", "weighted"]


@pytest.fixture(params=GRAPHS)
def adjacency(request):
    return adjacency_of(GRAPHS[request.param])


@pytest.fixture(params=FORMS)
def case(request, adjacency):
    """A form, the table of all its pairs by the definition, and what both are made of."""
    n, h, other = adjacency.num_nodes, normal(adjacency.num_nodes, 3), normal(adjacency.num_nodes, 3, seed=1)
    product = h[:, None] * h[None]
    is_same = torch.eye(n, dtype=torch.float64)[..., None]
    if request.param == "table":
        table = normal(n, n, 3)
        return DensePairs(table), table, [table]
    if request.param == "product":
        return ProductPairs(h), product, [h]
    if request.param == "sum":
        return SumPairs(h, other), h[:, None] + other[None], [h, other]
    if request.param == "labelled":
        edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)
        return LabelledPairs(h, adjacency), torch.cat([product, edges, is_same], dim=2), [h]
    weight = normal(adjacency.num_entries)
    table = torch.cat([product, dense(weight[:, None], adjacency), is_same], dim=2)
    return LabelledPairs(h, adjacency, weight), table, [h, weight]


def test_shape(case):
    form, table, _ = case
    assert (form.num_nodes, form.num_nodes, form.channels) == table.shape


def test_at_pairs(case):
    form, table, inputs = case
    pairs = all_pairs_of(form.num_nodes)
    pairs = torch.cat([pairs.flip(0), pairs[:3]])
    assert_same_function(form.at(pairs), table[pairs[:, 0], pairs[:, 1]], inputs)
    assert form.at(pairs[:0]).shape == (0, form.channels)


def test_blocks(case):
    form, table, inputs = case
    nodes = torch.arange(form.num_nodes)
    assert_same_function(form.block(nodes, nodes), table, inputs)
    first, second = nodes.flip(0)[::2], nodes[1:]
    assert_same_function(form.block(first, second), table[first][:, second], inputs)
    assert form.block(nodes[:0], nodes).shape == (0, form.num_nodes, form.channels)


def test_a_block_may_name_a_node_twice(case):
    form, table, inputs = case
    nodes = torch.tensor([0, form.num_nodes - 1, 0])
    assert_same_function(form.block(nodes, nodes), table[nodes][:, nodes], inputs)


def test_star_sums_are_sums_over_edges_by_either_end(case, adjacency):
    form, table, inputs = case
    edges = dense(torch.ones(adjacency.num_entries, 1, dtype=torch.float64), adjacency)
    first, second = form.star_sums(adjacency)
    assert_same_function(first, (table * edges).sum(1), inputs)
    assert_same_function(second, (table * edges).sum(0), inputs)


def test_the_plain_star_sums_are_the_fast_ones(case, adjacency):
    form, _, inputs = case
    for fast, plain in zip(form.star_sums(adjacency), PairFeatures.star_sums(form, adjacency), strict=True):
        assert_same_function(fast, plain, inputs)


def test_edges_can_be_labelled_by_their_weight(adjacency):
    h = normal(adjacency.num_nodes, 3)
    plain = LabelledPairs(h, adjacency, edge_weight(adjacency, adjacency.pairs, h.dtype))
    pairs = all_pairs_of(adjacency.num_nodes)
    assert_same_function(LabelledPairs.weighted(h, adjacency).at(pairs), plain.at(pairs), [h])


def test_values_keep_their_type(adjacency):
    pairs = all_pairs_of(adjacency.num_nodes)
    for dtype in (torch.float32, torch.float64):
        form = LabelledPairs(torch.ones(adjacency.num_nodes, 2, dtype=dtype), adjacency)
        assert form.at(pairs).dtype == dtype
        assert form.block(*2 * [torch.arange(adjacency.num_nodes)]).dtype == dtype


@pytest.mark.parametrize("shape", [(3, 3), (3, 4, 2), (2, 2, 2, 2)])
def test_a_table_of_another_shape_is_refused(shape):
    with pytest.raises(ValueError, match="n, n, channels"):
        DensePairs(torch.zeros(shape))


def test_row_blocks_come_once_and_in_order():
    x, y = torch.arange(2 * ROWS + 5), normal(2 * ROWS + 5, 3)
    with torch.no_grad():
        blocks = list(row_blocks(x, y))
    assert [len(a) for a, _ in blocks] == [ROWS, ROWS, 5]
    assert torch.equal(torch.cat([a for a, _ in blocks]), x)
    assert torch.equal(torch.cat([b for _, b in blocks]), y)


def test_a_gradient_takes_all_rows_at_once():
    assert [len(a) for (a,) in row_blocks(torch.zeros(3 * ROWS))] == [3 * ROWS]


def test_no_rows():
    for enabled in (False, True):
        with torch.set_grad_enabled(enabled):
            assert [a.shape for (a,) in row_blocks(torch.zeros(0, 4))] == [(0, 4)]


def test_row_blocks_change_nothing():
    count = 2 * ROWS + 5
    pairs = torch.randint(9, (count, 2), generator=torch.Generator().manual_seed(0))
    readout = randomised(PairReadout(4, 3, 2, hidden=5, members=2, layers=2)).double()
    told = (normal(count, 4), normal(count, 4), [normal(9, 3), normal(9, 3)], pairs)
    with torch.no_grad():
        in_blocks = readout(*told)
    assert in_blocks.shape == (2, count)
    torch.testing.assert_close(in_blocks, readout(*told), rtol=1e-12, atol=1e-12)

    depths = [normal(9, 6) for _ in range(5)]
    alike = FeatureSimilarity(6)(depths, pairs)
    inner = torch.stack([(z[pairs[:, 0]] * z[pairs[:, 1]]).sum(1) for z in depths], dim=1)
    torch.testing.assert_close(alike[:, ::2], inner)


@pytest.mark.parametrize("name", GRAPHS)
def test_star_sums_by_weight_equal_those_of_a_table(name):
    adjacency = adjacency_of(GRAPHS[name])
    p, q = adjacency.pairs.T.double().numpy()
    adjacency = adjacency.with_weight(0.5 + (p * q + p + q) % 5)
    a, b = (normal(adjacency.num_nodes, 3).double() for _ in range(2))
    everyone = torch.arange(adjacency.num_nodes)
    for features in (ProductPairs(a), SumPairs(a, b)):
        table = DensePairs(features.block(everyone, everyone))
        for found, expected in zip(features.star_sums(adjacency), table.star_sums(adjacency), strict=True):
            torch.testing.assert_close(found, expected)
