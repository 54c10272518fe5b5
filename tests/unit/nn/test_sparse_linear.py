from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch.nn import functional as F

from adjacencies import assert_same_function, randomised
from linkwl.nn.sparse_linear import SparseLinear, SparseRows, principal_axes, sparse_product, weighted_rows


def random_table(num_rows, num_columns, seed=0):
    """Mostly zeros, with empty rows and columns."""
    generator = np.random.default_rng(seed)
    table = generator.normal(size=(num_rows, num_columns)) * (generator.random((num_rows, num_columns)) < 0.3)
    table[::3] = 0
    table[:, ::4] = 0
    return table


def sparse(table, dtype=np.float64):
    row, col = np.nonzero(table)
    rowptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=len(table)))])
    return SparseRows(rowptr.astype(np.int64), col.astype(np.int32), table[row, col].astype(dtype), table.shape[1])


TABLES = {
    "some": random_table(11, 9),
    "none": np.zeros((4, 3)),
    "one row": np.ones((1, 5)),
    "no rows": np.zeros((0, 3)),
    "many": random_table(2000, 30),
}


@pytest.mark.parametrize("name", TABLES)
def test_it_is_a_linear_layer_on_the_dense_rows(name):
    table = TABLES[name]
    linear = randomised(SparseLinear(table.shape[1], 4))
    plain = F.linear(torch.from_numpy(table), linear.weight.T, linear.bias)
    assert_same_function(linear(sparse(table)), plain, linear.parameters())


@pytest.mark.parametrize("name", TABLES)
def test_the_kernel_is_the_plain_product(name):
    table = TABLES[name]
    linear, rows = randomised(SparseLinear(table.shape[1], 4)), sparse(table)
    plain = sparse_product(linear.weight, torch.from_numpy(rows.value), rows) + linear.bias
    assert_same_function(linear(rows), plain, linear.parameters())


@pytest.mark.parametrize("name", TABLES)
def test_weighted_rows_are_a_product_with_other_values(name):
    rows = sparse(TABLES[name])
    value = torch.linspace(-1, 2, len(rows.value), dtype=torch.float64)
    x = torch.randn(4, rows.num_columns, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).T
    x.requires_grad_()
    assert_same_function(weighted_rows(x, value, rows), sparse_product(x, value, rows), [x])


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.bfloat16])
def test_the_result_has_the_type_of_the_weights(dtype):
    table = TABLES["some"]
    linear = SparseLinear(9, 4).to(dtype)
    out = linear(sparse(table, np.float32))
    assert out.dtype == dtype
    plain = torch.from_numpy(table) @ linear.weight.double()
    torch.testing.assert_close(out.double(), plain, rtol=0, atol=0.1 if dtype == torch.bfloat16 else 1e-5)


@pytest.mark.parametrize("threads", ["1", "3"])
def test_the_bits_do_not_depend_on_the_number_of_threads(monkeypatch, threads):
    rows, linear = sparse(TABLES["many"], np.float32), SparseLinear(30, 8)
    torch.nn.init.constant_(linear.weight, 0.3)
    monkeypatch.setenv("NUMBA_NUM_THREADS", "2")
    expected = linear(rows)
    monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
    assert torch.equal(linear(rows), expected)


def test_rows_of_another_width_are_refused():
    linear = SparseLinear(9, 4)
    with pytest.raises(ValueError, match="9"):
        linear(sparse(np.ones((2, 10))))
    with pytest.raises(ValueError, match="9"):
        linear(sparse(np.ones((2, 8))))


def test_read_only_entries_are_taken_without_complaint():
    rows = sparse(TABLES["some"], np.float32)
    rows.value.setflags(write=False)
    before = rows.value.copy()
    SparseLinear(9, 4)(rows).sum().backward()
    np.testing.assert_array_equal(rows.value, before)


def test_dropout_leaves_out_entries_in_training_only():
    rows = sparse(np.ones((500, 20)))
    linear = SparseLinear(20, 1, dropout=0.25).double()
    torch.nn.init.ones_(linear.weight)
    torch.manual_seed(0)
    heard = linear.train()(rows)[:, 0] * 0.75  # each entry is 0 or 4/3
    torch.testing.assert_close(heard, heard.round(), rtol=0, atol=1e-9)
    assert len(heard.unique()) > 5
    assert abs(heard.mean().item() - 15) < 0.5
    torch.testing.assert_close(linear.eval()(rows), torch.full((500, 1), 20.0, dtype=torch.float64))


def test_dropped_entries_have_no_gradient():
    rows = sparse(np.eye(40))
    linear = SparseLinear(40, 2, dropout=0.5).double()
    torch.manual_seed(1)
    out = linear(rows)
    out.sum().backward()
    is_dropped = (out - linear.bias).abs().sum(1) == 0
    assert 5 < int(is_dropped.sum()) < 35
    assert torch.equal(linear.weight.grad.abs().sum(1) == 0, is_dropped)


def test_fresh_weights_have_no_bias():
    linear = randomised(SparseLinear(5, 4))
    linear.reset_parameters()
    assert not linear.bias.any()
    assert linear.weight.abs().max() <= (6 / 9) ** 0.5


def test_compressed_columns():
    table = random_table(6, 5)
    ends, row, order = sparse(table).transposed
    columns = np.repeat(np.arange(5), np.diff(ends))
    rebuilt = np.zeros_like(table)
    rebuilt[row, columns] = sparse(table).value[order]
    np.testing.assert_array_equal(rebuilt, table)


def test_a_start_at_the_principal_axes_is_latent_semantic_analysis():
    table = random_table(30, 12, seed=3)
    linear, rows = SparseLinear(12, 3).double(), sparse(table)
    linear.start_at_principal_axes(rows, seed=0)
    rarity = np.log(30 / np.maximum((table != 0).sum(0), 1))
    _, strength, axes = np.linalg.svd(table * rarity)
    ours = linear(rows).detach().numpy()
    theirs = (table * rarity) @ axes[:3].T * np.sqrt(12)
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.linalg.norm(ours, axis=0), strength[:3] * np.sqrt(12))


@pytest.mark.parametrize("rank", ["full", "half", "empty columns"])
def test_that_start_is_the_same_for_the_same_seed(rank):
    table = random_table(30, 12, seed=3)
    if rank == "half":
        table[:, 6:] = table[:, :6]
    elif rank == "empty columns":
        table[:, 2:] = 0
    rows = sparse(table)
    starts = []
    for _ in range(2):
        torch.manual_seed(0)
        linear = SparseLinear(12, 10)
        linear.start_at_principal_axes(rows, seed=5)
        starts.append(linear.weight.detach().clone())
    assert torch.equal(*starts)


def test_axes_along_which_nothing_differs_are_left_out():
    table = random_table(30, 12, seed=3)
    table[:, 6:] = table[:, :6]
    linear = SparseLinear(12, 10)
    before = linear.weight.detach().clone()
    linear.start_at_principal_axes(sparse(table), seed=0)
    rank = np.linalg.matrix_rank(table * (np.count_nonzero(table, axis=0) < 30))
    assert 2 < rank <= 6
    assert (linear.weight != before).any(0).tolist() == [True] * rank + [False] * (10 - rank)


@pytest.mark.parametrize(
    "table",
    [np.zeros((6, 4)), np.ones((6, 4)), np.ones((6, 1)), np.ones((1, 6)), np.zeros((0, 4))],
    ids=["no entries", "all alike", "one column", "one row", "no rows"],
)
def test_where_there_are_no_axes_the_weights_stay(table):
    linear = SparseLinear(table.shape[1], 3)
    before = linear.weight.detach().clone()
    linear.start_at_principal_axes(sparse(table), seed=0)
    assert torch.equal(linear.weight, before)


@pytest.mark.parametrize("shape", [(3, 40), (40, 3), (2, 2)])
def test_fewer_axes_than_channels(shape):
    linear = SparseLinear(shape[1], 16)
    before = linear.weight.detach().clone()
    linear.start_at_principal_axes(sparse(np.eye(*shape)), seed=0)
    changed = (linear.weight != before).any(0)
    assert changed.sum() == min(shape[1] - 1, shape[0] - 1)
    assert torch.isfinite(linear.weight).all()


def random_matrix(num_rows, num_columns, seed=0):
    generator = np.random.default_rng(seed)
    return generator.normal(size=(num_rows, num_columns)) * (generator.random((num_rows, num_columns)) < 0.5)


@pytest.mark.parametrize("shape", [(30, 12), (12, 30), (12, 12)])
def test_principal_axes_are_the_leading_singular_vectors(shape):
    table = random_matrix(*shape)
    axes = principal_axes(sp.csr_array(table), 5, seed=0)
    _, _, right = np.linalg.svd(table)
    np.testing.assert_allclose(np.abs(axes), np.abs(right[:5].T), atol=1e-9)


@pytest.mark.parametrize("shape", [(30, 12), (12, 30)])
def test_low_rank_gives_fewer_axes_and_the_same_bits(shape):
    table = random_matrix(*shape)
    table[:, shape[1] // 2 :] = table[:, : shape[1] // 2]
    table[shape[0] // 2 :] = 0
    rank = np.linalg.matrix_rank(table)
    assert rank < 10
    first, second = (principal_axes(sp.csr_array(table), 10, seed=3) for _ in range(2))
    assert first.shape == (shape[1], rank)
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(table @ first @ first.T, table, atol=1e-9)
