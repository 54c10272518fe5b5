from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch

from fitting import fit, swapped
from linkwl import create_model
from linkwl.errors import LinkwlWarning
from linkwl.graph import KnowledgeGraph
from linkwl.models.triples.walk_two_fwl import WalkTwoFWLTriples
from linkwl.protocols import PROTOCOLS, TrainingData
from linkwl.training import Trainer
from triple_graphs import random_triples, relatives

SMALL = {
    "network": {"members": 2, "channels": 4, "hidden": 8, "generic_hidden": 8},
    "hiding": {"folds": 3},
    "training": {"max_steps": 60, "batch_ratio": 0.1, "evaluate_every": 30},
}


@pytest.fixture(scope="module")
def split():
    return PROTOCOLS["indigo"].apply(relatives(30), 0)


@pytest.fixture(scope="module")
def fitted(split):
    model = create_model("walk-2fwl", "triples", **SMALL)
    model.history = fit(model, split)
    return model


@pytest.fixture
def queries(split):
    generator = np.random.default_rng(0)
    return np.concatenate([split.test.positives, generator.integers(0, [180, 4, 180], (300, 3))]).astype(np.int32)


def test_the_name_stands_for_two_models():
    assert type(create_model("walk-2fwl")) is not WalkTwoFWLTriples
    assert type(create_model("walk-2fwl", "triples")) is WalkTwoFWLTriples


def test_it_learns_who_is_related(fitted, split):
    scores = fitted.prepare(split.test.observed)(split.test.targets.queries)
    measured = PROTOCOLS["indigo"].measure(split.test.targets, scores)
    assert measured["auc"] > 0.97
    assert measured["relation-hits@3"] > 0.95
    assert len(fitted.history.losses) == 60


@pytest.mark.parametrize("exact", [False, True])
def test_all_relations_at_once_have_the_scores_of_one_by_one(fitted, split, queries, exact):
    scorer = (fitted.exact() if exact else fitted.prepare)(split.test.observed)
    pairs = queries[:, [0, 2]]
    every = scorer.relations(pairs)
    assert every.shape == (len(pairs), 4)
    alone = scorer(queries)
    tolerance = {"atol": 0} if exact else {"atol": 1e-4}
    np.testing.assert_allclose(every[np.arange(len(queries)), queries[:, 1]], alone, rtol=0, **tolerance)


def test_a_triple_alone_has_the_bits_of_the_same_triple_among_many(fitted, split, queries):
    scorer = fitted.exact()(split.test.observed)
    together = scorer(np.concatenate([queries] * 60))
    np.testing.assert_array_equal(together[: len(queries)], scorer(queries))
    np.testing.assert_array_equal([scorer(query[None])[0] for query in queries[:20]], together[:20])


def test_relabelling_entities_relabels_scores(fitted, split, queries):
    observed = split.test.observed
    label = np.random.default_rng(1).permutation(observed.num_nodes)
    turned = KnowledgeGraph.from_triples(
        np.stack([label[observed.triples[:, 0]], observed.triples[:, 1], label[observed.triples[:, 2]]], axis=1),
        observed.num_nodes,
        4,
    )
    moved = np.stack([label[queries[:, 0]], queries[:, 1], label[queries[:, 2]]], axis=1)
    np.testing.assert_allclose(fitted.prepare(turned)(moved), fitted.prepare(observed)(queries), atol=1e-3)


def test_relabelling_relations_relabels_scores(fitted, split, queries):
    observed, label = split.test.observed, np.array([2, 0, 3, 1])
    turned = KnowledgeGraph.from_triples(
        np.stack([observed.triples[:, 0], label[observed.triples[:, 1]], observed.triples[:, 2]], axis=1),
        observed.num_nodes,
        4,
    )
    other = fitted.frozen()
    with torch.no_grad():
        for weight in (other.ensemble.relation, other.ensemble.relation_bias):
            weight[:, label] = weight.clone()
        other.ensemble.num_facts[label] = other.ensemble.num_facts.clone()
        roles = np.concatenate([label, 4 + label])
        for linear in other.ensemble.sparse.values():
            linear.weight[roles] = linear.weight.clone()
    moved = np.stack([queries[:, 0], label[queries[:, 1]], queries[:, 2]], axis=1)
    np.testing.assert_allclose(other.prepare(turned)(moved), fitted.prepare(observed)(queries), atol=1e-3)


def test_held_out_triples_change_no_training_step():
    split = PROTOCOLS["paper"].apply(relatives(10), 0)
    other = replace(split, valid=swapped(split.valid), test=swapped(split.test))
    quick = SMALL | {"training": {"max_steps": 4, "batch_ratio": 0.1}}
    losses = [fit(create_model("walk-2fwl", "triples", **quick), part).losses for part in (split, other)]
    assert losses[0] == losses[1]


def test_a_killed_run_ends_with_the_same_bits(split, tmp_path):
    data = TrainingData.of(split, PROTOCOLS["indigo"])
    quick = SMALL | {"training": {"max_steps": 12, "batch_ratio": 0.1, "evaluate_every": 6}}
    whole, killed = (create_model("walk-2fwl", "triples", **quick) for _ in range(2))
    whole.fit(data, Trainer(3))

    def stop(report):
        if report.step == 7:
            raise RuntimeError("killed")

    with pytest.raises(RuntimeError, match="killed"):
        killed.fit(data, Trainer(3, checkpoint=tmp_path / "c.safetensors", checkpoint_seconds=0, on_step=stop))
    resumed = create_model("walk-2fwl", "triples", **quick)
    resumed.fit(data, Trainer(3, checkpoint=tmp_path / "c.safetensors", resume=True))
    for name, weight in whole.state().items():
        np.testing.assert_array_equal(resumed.state()[name], weight)


def test_unseen_relations_are_scored_with_a_warning(fitted, split):
    observed = split.test.observed
    extended = KnowledgeGraph.from_triples(
        np.concatenate([observed.triples, [(0, 4, 1), (1, 4, 2)]]), observed.num_nodes, 5
    )
    with pytest.warns(LinkwlWarning, match="never seen 1 of the relations, such as 4"):
        scorer = fitted.prepare(extended)
    assert np.isfinite(scorer(np.array([(2, 4, 3), (0, 0, 1)]))).all()
    assert scorer.relations(np.array([(2, 3)])).shape == (1, 5)


def test_loops_are_ruled_out_unless_training_has_some(fitted, split):
    loop, other = fitted.prepare(split.test.observed)(np.array([(3, 1, 3), (3, 1, 9)]))
    assert loop < other - 10
    graph = random_triples(20, 2, 150)
    assert (graph.triples[:, 0] == graph.triples[:, 2]).any()
    model = create_model("walk-2fwl", "triples", **SMALL)
    model.start(graph, 0)
    np.testing.assert_array_equal(model.ensemble.loop_relations.numpy(), graph.loop_relations)


def test_loops_of_one_relation_say_nothing_about_the_others():
    graph = relatives()
    knows = np.arange(0, graph.num_nodes, 4)
    loops = np.stack([knows, np.full(len(knows), graph.num_relations), knows], axis=1)
    graph = KnowledgeGraph.from_triples(
        np.concatenate([graph.triples, loops]), graph.num_nodes, graph.num_relations + 1
    )
    model = create_model("walk-2fwl", "triples", **SMALL)
    model.start(graph, 0)
    node = np.full(graph.num_relations, 1)
    pair = np.full(graph.num_relations, 2)
    relation = np.arange(graph.num_relations)
    scorer = model.prepare(graph)
    of_loops, of_pairs = (scorer(np.stack([node, relation, tail], axis=1)) for tail in (node, pair))
    np.testing.assert_array_equal(of_loops < of_pairs - 10, [*[True] * (graph.num_relations - 1), False])
    np.testing.assert_allclose(scorer.relations([(1, 1)])[0], of_loops, atol=1e-5)


def test_facts_of_each_relation_are_counted_once(fitted, split):
    counts = np.bincount(split.train.observed.triples[:, 1], minlength=4)
    np.testing.assert_array_equal(fitted.ensemble.num_facts.numpy(), counts)


def test_the_cost_grows_with_the_facts():
    model = create_model("walk-2fwl", "triples")
    small, large = (model.cost(relatives(n), model.num_targets(relatives(n))).memory for n in (10, 100))
    assert 0 < small < large
    assert "ensemble of 4" in model.describe(relatives(2))
