from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from graphs import SYMMETRIC, classes, from_networkx, refines, small_graphs
from linkwl.wl import refine, verify
from linkwl.wl import two_fwl as module
from linkwl.wl.case import build_cases
from linkwl.wl.exact import ExactTwoFWL
from linkwl.wl.mixing import COLLISION, mix, round_keys
from linkwl.wl.two_fwl import FastTwoFWL, plan_sketches

EXACT_IN_FLOAT64 = 2**53
SIZES = [0, 1, 2, 3, 1000, 1024, 1025, 2048, 4096, 4097, 8192, 8193, 32_768, 100_000]


@pytest.mark.parametrize("num_nodes", SIZES)
def test_no_sum_of_products_leaves_the_whole_numbers_of_float64(num_nodes):
    bits, _ = plan_sketches(num_nodes)
    assert num_nodes * (2 ** (bits - 1)) ** 2 <= EXACT_IN_FLOAT64
    assert 2 * bits <= 64, "both numbers are cut from one word"


@pytest.mark.parametrize("num_nodes", SIZES)
def test_enough_products_are_taken_to_miss_a_split_once_in_2_to_the_60(num_nodes):
    bits, sketches = plan_sketches(num_nodes)
    assert (2 / 2**bits) ** sketches <= 2.0**-60
    assert (2 / 2**bits) ** (sketches - 1) > 2.0**-60, "and not one more"
    assert 1 + 2 * sketches <= len(round_keys(1)), "each product has keys of its own"


def test_three_products_are_enough_up_to_8192_nodes():
    assert {plan_sketches(n)[1] for n in (1, 2, 1000, 8192)} == {3}
    assert {plan_sketches(n)[1] for n in (8193, 100_000)} == {4}


@pytest.mark.parametrize("num_nodes", [1, 2, 1000, 1024, 8192, 8193, 100_000])
def test_products_of_the_largest_numbers_are_exact(num_nodes):
    """A row times a column of the most extreme numbers, all alike and alternating."""
    half = 2 ** (plan_sketches(num_nodes)[0] - 1)
    low, high = -half, half - 1
    for first, second in ((low, low), (high, high), (low, high), (low, low + 1)):
        x, y = np.full((1, num_nodes), float(first)), np.full((num_nodes, 1), float(first))
        x[0, ::3] = y[1::2, 0] = second
        expected = sum(int(a) * int(b) for a, b in zip(x[0].tolist(), y[:, 0].tolist(), strict=True))
        assert int(np.matmul(x, y)[0, 0]) == expected


def test_a_matrix_product_of_large_numbers_is_that_of_whole_numbers():
    bits, _ = plan_sketches(1000)
    rng = np.random.default_rng(0)
    low, high = -(2 ** (bits - 1)), 2 ** (bits - 1)
    x, y = rng.choice([low, low + 1, high - 2, high - 1], (2, 1000, 1000))
    x[0], y[:, 0] = low, low
    found = np.matmul(x.astype(np.float64), y.astype(np.float64))
    np.testing.assert_array_equal(found.astype(np.int64)[:30], x[:30] @ y)


@pytest.mark.parametrize("num_nodes", [1, 2, 1000, 100_000])
def test_two_whole_numbers_are_drawn_from_a_word(num_nodes):
    bits, _ = plan_sketches(num_nodes)
    key = np.uint64(12345)
    words = np.random.default_rng(0).integers(0, 2**64, (40, 50), dtype=np.uint64)
    x, y = np.empty((2, 40, 50))
    module._draw(0, 40, words, key, bits, x, y)
    mixed = [int(mix(word ^ key)) for word in words.reshape(-1)]
    top = [word >> (64 - bits) for word in mixed]
    below = [(word >> (64 - 2 * bits)) % 2**bits for word in mixed]
    assert x.reshape(-1).tolist() == [number - 2 ** (bits - 1) for number in top]
    assert y.reshape(-1).tolist() == [number - 2 ** (bits - 1) for number in below]
    assert abs(x.mean()) < 2 ** (bits - 1) / 20


def test_rows_are_drawn_and_absorbed_a_block_at_a_time():
    """Only the rows from start to stop are touched."""
    words = np.arange(100, dtype=np.uint64).reshape(10, 10)
    x, y = np.zeros((2, 10, 10))
    module._draw(3, 5, words, np.uint64(1), 20, x, y)
    assert np.flatnonzero(x.any(axis=1)).tolist() == np.flatnonzero(y.any(axis=1)).tolist() == [3, 4]
    heard = np.zeros((10, 10), dtype=np.uint64)
    module._absorb(8, 10, -x, np.uint64(1), heard)
    assert np.flatnonzero(heard.any(axis=1)).tolist() == [8, 9]


def by_whole_numbers(words, keys):
    """A round in Python's own numbers."""
    n = len(words)
    bits, sketches = plan_sketches(n)
    half, full = 2 ** (bits - 1), 2**64
    out = [[int(mix(words[p, q] ^ keys[0])) for q in range(n)] for p in range(n)]
    for draw_key, heard_key in zip(keys[1 : 1 + sketches], keys[-sketches:], strict=True):
        mixed = [[int(mix(words[p, q] ^ draw_key)) for q in range(n)] for p in range(n)]
        x = [[(word >> (64 - bits)) - half for word in row] for row in mixed]
        y = [[(word >> (64 - 2 * bits)) % 2**bits - half for word in row] for row in mixed]
        for p in range(n):
            for q in range(n):
                product = sum(x[p][u] * y[u][q] for u in range(n))
                out[p][q] = (out[p][q] + int(mix(np.uint64(product % full) ^ heard_key))) % full
    return out


@pytest.mark.parametrize("num_nodes", [1, 2, 7, 33])
def test_a_round_is_the_formula_in_whole_numbers(num_nodes):
    graph = from_networkx(nx.gnm_random_graph(num_nodes, 2 * num_nodes, seed=0))
    refinement = FastTwoFWL(build_cases([graph], [None]))
    for number in (1, 2):
        expected = by_whole_numbers(refinement.matrix(0).copy(), round_keys(number))
        refinement.step()
        assert refinement.matrix(0).tolist() == expected


@pytest.mark.parametrize(
    "graph", [nx.path_graph(40), nx.circular_ladder_graph(18), nx.gnm_random_graph(45, 40, seed=1)]
)
def test_graphs_of_several_blocks_agree_with_the_definition(graph):
    fast, exact = (refine(from_networkx(graph), "2-fwl", engine=engine) for engine in ("fast", "exact"))
    assert fast.history == exact.history
    np.testing.assert_array_equal(fast.matrix, exact.matrix)


def test_the_words_do_not_depend_on_the_number_of_threads(monkeypatch):
    graph = from_networkx(nx.gnm_random_graph(150, 300, seed=0))
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv("NUMBA_NUM_THREADS", threads)
        refinement = FastTwoFWL(build_cases([graph], [None]))
        refinement.step()
        refinement.step()
        results.append(refinement.matrix(0))
    np.testing.assert_array_equal(results[0], results[1])
    np.testing.assert_array_equal(results[0], results[2])


@given(graph=small_graphs(min_nodes=2, max_nodes=8))
@settings(deadline=None, max_examples=40)
@pytest.mark.parametrize("plan", [(1, 1), (2, 1), (1, 2)])
def test_weak_products_miss_splits_but_invent_none(plan, graph):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "plan_sketches", lambda num_nodes: plan)
        weak = refine(graph, "2-fwl")
    true = refine(graph, "2-fwl", engine="exact")
    assert refines(true.matrix, weak.matrix)
    assert verify(weak) == (classes(weak.matrix) == classes(true.matrix))


def test_some_weak_products_do_miss_splits(monkeypatch):
    """What the test before relies on: it has something to find."""
    monkeypatch.setattr(module, "plan_sketches", lambda num_nodes: (1, 1))
    found = [refine(graph, "2-fwl") for graph in SYMMETRIC.values()]
    missed = [c for c in found if c.num_classes < refine(c.graph, "2-fwl", engine="exact").num_classes]
    assert missed
    assert not any(verify(colouring) for colouring in missed)


def test_the_error_bound_is_that_of_the_products():
    refinement = FastTwoFWL(build_cases([SYMMETRIC["petersen"]], [None]))
    assert refinement.error_bound <= 2.0**-60 + 9 / 2 * COLLISION
    assert ExactTwoFWL(build_cases([SYMMETRIC["petersen"]], [None])).error_bound == 0
