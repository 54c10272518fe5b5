"""Do the networks learn directions where direction is all there is to learn?"""

from __future__ import annotations

import numpy as np
import pytest

from fitting import fit
from linkwl.graph import Graph
from linkwl.models import create_model
from linkwl.models.registry import model_ids
from linkwl.protocols import PAPER

SETTINGS = {"training": {"max_steps": 60, "batch_ratio": 0.25}}


@pytest.fixture(scope="module")
def split():
    """Papers in a random order, each of which cites earlier ones at random."""
    generator = np.random.default_rng(0)
    pairs = generator.integers(0, 100, (700, 2))
    order = generator.permutation(100)
    is_later = order[pairs[:, 0]] > order[pairs[:, 1]]
    graph = Graph.from_pairs(np.where(is_later[:, None], pairs, pairs[:, ::-1]), 100, is_directed=True)
    return PAPER.apply(graph, 0)


@pytest.mark.parametrize("name", model_ids("network", "own", task="pairs"))
def test_hidden_links_point_the_right_way(name, split):
    model = create_model(name, **SETTINGS)
    fit(model, split)
    scorer = model.prepare(split.test.observed)
    hidden = split.test.positives
    assert (scorer(hidden) > scorer(hidden[:, ::-1])).mean() > 0.8
