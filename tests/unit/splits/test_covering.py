from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl.datasets import load_airports
from linkwl.errors import LinkwlWarning, SplitError
from linkwl.graph import KnowledgeGraph
from linkwl.protocols import Protocol
from linkwl.splits import CoveringSplit, UniformNegatives, audit_split
from linkwl.splits.covering import choose_covered
from triple_graphs import fact_set, random_triples, relatives, small_knowledge_graphs


def hold_out(graph, seed=0, **ratios):
    return CoveringSplit(**ratios).hold_out(graph, np.random.default_rng(seed))


@pytest.mark.filterwarnings("ignore::linkwl.errors.LinkwlWarning")
@given(small_knowledge_graphs(), st.integers(0, 5))
def test_held_out_facts_are_covered_and_nothing_is_lost(graph, seed):
    try:
        held_out = hold_out(graph, seed, valid_ratio=0.1, test_ratio=0.2)
    except SplitError:
        return
    train, valid, test = held_out.positives
    assert fact_set(train) | fact_set(valid) | fact_set(test) == fact_set(graph.triples)
    assert len(train) + len(valid) + len(test) == graph.num_facts
    assert fact_set(held_out.train.triples) == fact_set(train)
    assert fact_set(held_out.test.triples) == fact_set(train) | fact_set(valid)
    for facts in (valid, test):
        assert np.isin(facts[:, [0, 2]], train[:, [0, 2]]).all()
        assert np.isin(facts[:, 1], train[:, 1]).all()
    assert len(valid) <= int(0.1 * graph.num_facts)
    assert len(test) <= int(0.2 * graph.num_facts)


def plain_choice(graph, order, most):
    """Facts are held out one by one, if a look at all that is left allows it."""
    left, chosen = fact_set(graph.triples), []
    for position in order:
        fact = tuple(graph.triples[position].tolist())
        rest = left - {fact}
        entities = {entity for h, _, t in rest for entity in (h, t)}
        if len(chosen) < most and {fact[0], fact[2]} <= entities and fact[1] in {r for _, r, _ in rest}:
            left, chosen = rest, [*chosen, position]
    return chosen


@given(small_knowledge_graphs(), st.integers(1, 60))
def test_the_choice_equals_the_plain_one(graph, most):
    order = np.random.default_rng(1).permutation(graph.num_facts)
    assert choose_covered(graph, order, most).tolist() == plain_choice(graph, order, most)


def test_ratios_are_reached_where_they_can_be():
    graph = relatives()
    held_out = hold_out(graph)
    assert [len(facts) for facts in held_out.positives] == [1020, 60, 120]


def test_fewer_facts_are_held_out_with_a_warning():
    chain = [(v, 0, v + 1) for v in range(100)]  # only the ends of every other fact are covered
    with pytest.warns(
        LinkwlWarning, match=r"chain: \d+ facts are held out instead of 80; all others are the last ones"
    ):
        held_out = hold_out(KnowledgeGraph.from_triples(chain, 101, 1, name="chain"), valid_ratio=0.4, test_ratio=0.4)
    train, valid, test = map(len, held_out.positives)
    assert 25 < valid + test <= 50
    assert abs(valid - test) <= 1


def test_entities_with_one_fact_are_held_out_if_nearly_all_are_such():
    star = KnowledgeGraph.from_triples([(0, 0, v) for v in range(1, 40)], 40, 1, name="star")
    with pytest.warns(LinkwlWarning, match="star: most facts are the only one of an entity"):
        held_out = hold_out(star)
    assert [len(facts) for facts in held_out.positives] == [35, 1, 3]


def test_too_few_facts_are_refused():
    single = KnowledgeGraph.from_triples([(v, v, v + 1) for v in range(39)], 40, 39, name="single")
    with pytest.raises(SplitError, match="single: 0 of 39 facts can be held out with their relations still"):
        hold_out(single)
    with pytest.raises(SplitError, match="a split that covers entities and relations is for triples"):
        hold_out(load_airports())


def test_seeds_repeat_themselves_and_facts_are_held_out_equally_often():
    graph = random_triples(10, 2, 120)
    counts = Counter()
    for seed in range(200):
        counts.update(fact_set(hold_out(graph, seed).positives[2]))
    expected = 200 * int(0.1 * graph.num_facts) / graph.num_facts
    assert len(counts) == graph.num_facts
    assert max(abs(count - expected) for count in counts.values()) < 5 * np.sqrt(expected)
    same = [hold_out(graph, 3).positives[2] for _ in range(2)]
    assert np.array_equal(*same)


def test_it_is_part_of_a_protocol():
    protocol = Protocol("covering", CoveringSplit(), UniformNegatives(), ("auc",))
    graph = relatives()
    assert audit_split(protocol.apply(graph, 0), graph).passed
    assert protocol.to_json()["split"] == "covering"
