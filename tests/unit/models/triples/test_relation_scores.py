"""All relations of pairs at once, computed from shared parts, are the scores of single triples."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from linkwl import LinkPredictor, create_model
from linkwl.graph import KnowledgeGraph
from linkwl.models.triples import walk_two_fwl
from linkwl.models.triples.reading import TripleReading
from triple_graphs import random_triples, relatives


def model_of(graph, dtype=torch.float64):
    """A model with random weights, also for its relations."""
    model = create_model("walk-2fwl", "triples")
    model.start(graph, 0)
    with torch.no_grad():
        for parameter in model.trained.parameters():
            torch.nn.init.normal_(parameter, std=0.3)
    return model.frozen(dtype)


def more_relations(graph, count):
    return KnowledgeGraph.from_triples(graph.triples, graph.num_nodes, count)


@pytest.mark.parametrize("num_known", [3, 5])
def test_the_grid_holds_the_features_of_single_triples(num_known):
    graph = random_triples(40, 5, 200)
    reading = TripleReading(graph, num_known)
    pairs = np.random.default_rng(0).integers(40, size=(60, 2)).astype(np.int32)
    np.testing.assert_array_equal(reading.query_grid(pairs).features(), reading.query_features(pairs))


@pytest.mark.parametrize("numbers", [1, 4000, 1 << 22])
def test_scores_of_all_relations_are_those_of_single_triples(numbers, monkeypatch):
    monkeypatch.setattr(walk_two_fwl, "_GRID_NUMBERS", numbers)
    graph = relatives(10)
    model = model_of(graph)
    for observed in (graph, more_relations(graph, 6)):
        reading = TripleReading(observed, 4)
        pairs = np.stack(np.divmod(np.arange(0, 3600, 17), 60), axis=1).astype(np.int32)
        count = observed.num_relations
        heads, tails = np.repeat(pairs, count, axis=0).T
        triples = np.stack([heads, np.tile(np.arange(count), len(pairs)), tails], axis=1)
        expected = model.read_scores(reading, triples).reshape(-1, count)
        found = model.relation_scores(reading, pairs)
        np.testing.assert_allclose(found, expected, atol=1e-9)
        assert np.std(found) > 0.1


def test_recommended_facts_have_the_score_of_the_fact_alone():
    fitted = LinkPredictor(settings={"training": {"max_steps": 3}}).fit(relatives(10))
    for row in fitted.recommend(20).head(20):
        assert fitted.decision_function([(row.head, row.relation, row.tail)])[0] == row.score
