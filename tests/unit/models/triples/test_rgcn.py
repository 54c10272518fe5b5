from __future__ import annotations

import warnings

import numpy as np
import pyarrow as pa
import pytest

from facts import random_facts
from fitting import fit
from linkwl.errors import LinkwlWarning
from linkwl.graph import KnowledgeGraph
from linkwl.graph.node_ids import NodeIds
from linkwl.models import create_model
from linkwl.models.batch import Batch
from linkwl.splits import Fold, Split, Targets
from triple_model import family

SHORT = {"max_steps": 60, "patience": 60, "batch_ratio": 0.2}


@pytest.fixture(scope="module")
def split():
    graph = family()
    generator = np.random.default_rng(0)
    is_valid = generator.random(graph.num_facts) < 0.1
    train = graph.select(~is_valid)
    absent = graph.absent(np.sort(generator.choice(graph.num_absent, 2000, replace=False)))
    valid = Fold(train, Targets(graph.triples[is_valid], absent[1::2]))
    return Split(Fold(train, Targets(train.triples, absent[::2])), valid, valid, "test", 0)


@pytest.mark.parametrize("variant", ["structural", "embedding"])
def test_training_finds_what_makes_a_fact(variant, split):
    model = create_model("rgcn", variant=variant, training=SHORT)
    history = fit(model, split)
    assert history.losses[-1] < 0.8 * history.losses[0]
    assert history.best_valid > 0.8


def test_untrained_entities_are_told_with_a_warning():
    graph = random_facts()
    model = create_model("rgcn", variant="embedding")
    model.start(graph, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(graph, graph.triples)
        model(graph.select(np.arange(graph.num_facts) % 2 == 0), graph.triples)  # the same entities
    others = KnowledgeGraph.from_triples(
        graph.triples, graph.num_nodes, 4, ids=NodeIds(pa.array([f"x{i}" for i in range(graph.num_nodes)]))
    )
    with pytest.warns(LinkwlWarning, match="untrained embeddings, and scores are poor; use variant=structural"):
        scores = model(others, graph.triples)
    assert np.isfinite(scores).all()
    with pytest.warns(LinkwlWarning):
        np.testing.assert_array_equal(model(others, graph.triples), scores)


def test_a_smaller_graph_of_other_entities_can_be_read():
    model = create_model("rgcn", variant="embedding")
    model.start(random_facts(), 0)
    with pytest.warns(LinkwlWarning, match="untrained"):
        assert np.isfinite(model(random_facts(num_nodes=12), [(0, 0, 11)])).all()


def test_head_and_tail_are_exchangeable():
    """DistMult is symmetric."""
    graph = random_facts()
    model = create_model("rgcn")
    model.start(graph, 0)
    model.trained.double()
    np.testing.assert_allclose(model(graph, graph.triples), model(graph, graph.triples[:, ::-1]), rtol=1e-12)


def test_the_penalty_on_the_decoder(split):
    graph, targets = split.train.observed, split.valid.targets
    batch = Batch(graph, targets.positives, targets.negatives, graph.num_absent)
    losses = []
    for decay in (0.0, 100.0):
        model = create_model("rgcn", decay=decay)
        model.start(graph, 0)
        model.trained.eval()
        losses.append(model.loss(batch).item())
    assert losses[1] - losses[0] == pytest.approx(100 * model.trained.relations.square().mean().item(), rel=1e-4)
