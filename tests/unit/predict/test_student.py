"""A student learns scores that its inputs determine."""

from __future__ import annotations

import numpy as np
import torch

from graphs import random_rows
from linkwl import Graph
from linkwl.predict.row_inputs import RowInputs
from linkwl.predict.student import teach
from linkwl.sparse.screen_rows import LANES


def lesson() -> tuple[Graph, RowInputs, np.ndarray, np.ndarray]:
    graph = Graph.from_pairs(random_rows(120, 500), 120)
    inputs = RowInputs(graph)
    pairs = graph.non_edges(np.arange(0, graph.num_non_edges, 2))
    scores = inputs.at(pairs)[:, 0].astype(np.float64) + inputs.nodes[pairs][:, :, 0].sum(axis=1)
    return graph, inputs, pairs, scores


def test_scores_are_learned_and_symmetric():
    graph, inputs, pairs, scores = lesson()
    student = teach(inputs, pairs, scores, is_directed=False)
    room, out = inputs.room(), np.full((LANES, 120), np.nan, dtype=np.float32)
    sources = np.arange(LANES)
    student.rows(inputs, sources, 0, room, out)
    ours = pairs[pairs[:, 0] < LANES]
    expected = scores[pairs[:, 0] < LANES]
    assert np.corrcoef(out[ours[:, 0], ours[:, 1]], expected)[0, 1] > 0.98
    assert np.allclose(out[:, :LANES], out[:, :LANES].T, atol=1e-3)


def test_the_same_seed_gives_the_same_bits_and_leaves_the_generator_alone():
    _, inputs, pairs, scores = lesson()
    before = torch.random.get_rng_state()
    first, second, other = (teach(inputs, pairs, scores, is_directed=True, seed=seed, passes=2) for seed in (1, 1, 2))
    assert torch.equal(before, torch.random.get_rng_state())
    assert np.array_equal(first.middle_weight, second.middle_weight)
    assert not np.array_equal(first.middle_weight, other.middle_weight)
    assert not np.allclose(first.at_source - first.at_source[0], first.at_target - first.at_target[0])
