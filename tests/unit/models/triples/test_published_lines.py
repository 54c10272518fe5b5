from __future__ import annotations

import numpy as np
import pytest

from facts import random_facts
from linkwl import PROTOCOLS, load_dataset
from linkwl.models.triples.corruptions import Corruptions
from linkwl.models.triples.published_lines import draw_lines


def lines(seed=0):
    graph = random_facts(200, 30, 400)
    train, valid = graph.triples[::2], graph.triples[1::2]
    return graph, train, valid, draw_lines(train, valid, 200, 30, np.random.default_rng(seed))


def test_three_negatives_of_each_kind():
    graph, train, valid, drawn = lines()
    rules = Corruptions(graph.triples, 200, 30)
    for facts, targets in ((train, drawn.train), (valid, drawn.valid)):
        np.testing.assert_array_equal(targets.positives, facts)
        functional = rules.is_functional[facts[:, 1]].sum() + rules.is_inverse_functional[facts[:, 1]].sum()
        assert len(targets.negatives) == 3 * (len(facts) + functional)
        assert not graph.contains(targets.negatives).any()


def test_nine_in_ten_facts_of_both_folds_are_known():
    graph, train, valid, drawn = lines()
    known = {tuple(row) for row in drawn.known.tolist()}
    for facts in (train, valid):
        share = np.mean([tuple(row) in known for row in facts.tolist()])
        assert 0.8 < share < 1
    assert known < {tuple(row) for row in graph.triples.tolist()}
    assert len(drawn.all) == sum(len(t.positives) + len(t.negatives) for t in (drawn.train, drawn.valid))


def test_a_seed_decides():
    np.testing.assert_array_equal(lines(1)[-1].all, lines(1)[-1].all)
    assert not np.array_equal(lines(1)[-1].known, lines(2)[-1].known)


def test_lines_that_join_an_entity_with_itself_can_be_left_out():
    facts = np.array([(0, 0, 1), (2, 0, 2), (2, 1, 0)])
    generator = np.random.default_rng(0)
    for _ in range(20):
        drawn = draw_lines(facts[:2], facts[2:], 3, 2, generator, loops=False)
        assert (drawn.all[:, 0] != drawn.all[:, 2]).all()
        assert drawn.train.positives.tolist() == [[0, 0, 1]]


@pytest.mark.parametrize(
    ("name", "train", "valid", "pairs"),
    [("fb237_v1", 21222, 2427, 8.7e3), ("wn18rr_v1", 21688, 2532, 4.4e3)],
)
def test_as_many_lines_as_in_the_public_files(name, train, valid, pairs, benchmark_data):
    split = PROTOCOLS["indigo"].apply(load_dataset(name), 0)
    graph = split.train.observed
    drawn = draw_lines(
        split.train.positives,
        split.valid.positives,
        graph.num_nodes,
        graph.num_relations,
        np.random.default_rng(0),
    )
    assert (len(drawn.train.queries), len(drawn.valid.queries)) == (train, valid)
    found = len(np.unique(np.sort(drawn.all[:, [0, 2]], axis=1), axis=0))
    assert found == pytest.approx(pairs, rel=0.01)
