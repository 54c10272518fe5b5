"""Small work stays on one thread of torch's, large work uses them all, and the number is restored."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl import Graph, create_model
from linkwl.models.pair_model import FEW_NUMBERS


@pytest.fixture
def two_threads():
    before = torch.get_num_threads()
    torch.set_num_threads(2)
    yield
    torch.set_num_threads(before)


def ring(num_nodes: int) -> Graph:
    return Graph.from_pairs(np.stack([np.arange(num_nodes), (np.arange(num_nodes) + 1) % num_nodes], axis=1), num_nodes)


@pytest.mark.parametrize("name", ["2wl", "local-2wl", "2fwl", "local-2fwl"])
def test_one_thread_for_few_numbers(two_threads, name):
    model = create_model(name, encoder={"channels": 8})
    many = FEW_NUMBERS // 8
    for num_nodes, num_targets, threads in ((10, 5, 1), (10, many, 2), (many, 5, 2)):
        with model.threads_for(ring(num_nodes), num_targets):
            assert torch.get_num_threads() == threads
        assert torch.get_num_threads() == 2


def test_walks_count_too(two_threads):
    hub = Graph.from_pairs([(p, q) for p in range(100) for q in range(p)], 100)
    targets = FEW_NUMBERS // (2 * 99 * 32) + 1
    assert not create_model("local-2fwl", pairs={"channels": 32}).is_small(hub, targets)
    assert create_model("local-2fwl", pairs={"channels": 16}).is_small(hub, targets)


@pytest.mark.parametrize("name", ["2wl", "2fwl"])
def test_all_middle_nodes_are_never_few(name):
    assert not create_model(name, pairs={"branch": "perceptron"}).is_small(ring(10), 5)


def test_number_is_restored_after_an_error(two_threads):
    model = create_model("local-2wl")
    with pytest.raises(RuntimeError), model.threads_for(ring(5), 1):
        raise RuntimeError
    assert torch.get_num_threads() == 2


def test_scores_do_not_depend_on_threads(two_threads):
    graph, pairs = ring(30), np.array([(0, 5), (3, 4), (7, 22)])
    model = create_model("local-2fwl")
    model.start(graph, 0)
    scores = model(graph, pairs)
    model.is_small = lambda observed, num_targets: False
    assert np.allclose(model(graph, pairs), scores, rtol=1e-5, atol=1e-6)
