from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl.errors import MemoryLimitError, SplitError
from linkwl.graph import KnowledgeGraph
from linkwl.protocols import PROTOCOLS
from linkwl.splits import CoveringSplit, EntityCorruptions, draw_split
from linkwl.splits.entity_corruptions import corrupt
from triple_graphs import fact_set, random_triples, relatives, small_knowledge_graphs


def lists_of(targets):
    """Each positive with its list of corruptions."""
    lists = np.split(targets.negatives, targets.candidates[1:-1])
    return [(tuple(fact), fact_set(found)) for fact, found in zip(targets.positives.tolist(), lists, strict=True)]


def plain_lists(facts, known):
    """All corruptions of the tail, then of the head, that are not known."""
    everyone, known_facts = range(known.num_nodes), fact_set(known.triples)
    tails = [{(h, r, e) for e in everyone} - known_facts for h, r, _ in facts.tolist()]
    heads = [{(e, r, t) for e in everyone} - known_facts for _, r, t in facts.tolist()]
    return tails + heads


@given(small_knowledge_graphs())
def test_all_entities_equal_the_plain_lists(graph):
    facts = graph.triples[::4]
    expected = plain_lists(facts, graph)
    if not all(expected):
        with pytest.raises(SplitError, match="so there is nothing to rank it among"):
            corrupt(facts, graph, None, None, np.random.default_rng(0))
        return
    found = lists_of(corrupt(facts, graph, None, None, np.random.default_rng(0)))
    assert [fact for fact, _ in found] == [tuple(fact) for fact in facts.tolist()] * 2
    assert [others for _, others in found] == expected


@given(small_knowledge_graphs(), st.integers(1, 12), st.integers(0, 9))
def test_samples_are_distinct_and_of_the_right_size(graph, count, seed):
    facts = graph.triples[::4]
    expected = plain_lists(facts, graph)
    if not all(expected):
        return
    targets = corrupt(facts, graph, None, count, np.random.default_rng(seed))
    assert np.diff(targets.candidates).tolist() == [min(count, len(others)) for others in expected]
    for (_, found), others, size in zip(lists_of(targets), expected, np.diff(targets.candidates), strict=True):
        assert len(found) == size
        assert found <= others


def test_samples_are_uniform():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (0, 0, 4)], 12, 1)
    generator = np.random.default_rng(0)
    draws = [corrupt(graph.triples[:1], graph, None, 5, generator).negatives[:5, 2] for _ in range(2000)]
    counts = np.bincount(np.concatenate(draws), minlength=12)
    assert counts[[1, 4]].tolist() == [0, 0]
    assert np.abs(np.delete(counts, [1, 4]) - 1000).max() < 5 * np.sqrt(500)


def test_roles_come_first_and_short_lists_are_filled():
    graph = random_triples(200, 3, 900)
    observed = graph.select(np.arange(graph.num_facts) % 5 > 0)
    facts = graph.triples[::5]
    for count in (None, 20):
        targets = corrupt(facts, graph, observed, count, np.random.default_rng(0))
        for column, (fact, found) in zip(np.repeat([2, 0], len(facts)), lists_of(targets), strict=True):
            same = observed.triples[observed.triples[:, 1] == fact[1]]
            able = set(same[:, column].tolist())
            known = {
                f[column] for f in fact_set(graph.triples) if f[1] == fact[1] and f[2 - column] == fact[2 - column]
            }
            entities = {query[column] for query in found}
            assert not entities & known
            if count is None:
                assert able - known <= entities
                assert len(entities) == max(50, len(able - known))
            else:
                assert entities <= able - known
                assert len(entities) == 20


def test_a_role_that_nobody_has_is_filled_with_others():
    graph = KnowledgeGraph.from_triples([(0, 0, 1), (2, 1, 3)], 80, 2)
    targets = corrupt(graph.triples[:1], graph, graph.select(np.array([False, True])), None, np.random.default_rng(0))
    assert np.diff(targets.candidates).tolist() == [50, 50]


def test_folds_of_the_protocols():
    graph = relatives()
    whole, fifty = (PROTOCOLS[name].apply(graph, 0) for name in ("entities", "entities-50"))
    known = fact_set(graph.triples)
    for split in (whole, fifty):
        assert np.diff(split.valid.targets.candidates).tolist() == [50] * len(split.valid.positives)
        assert len(split.train.negatives) == 0
        assert not known & fact_set(split.test.negatives)
        assert len(split.test.positives) == 2 * len(fact_set(split.test.positives))
    assert np.diff(fifty.test.targets.candidates).tolist() == [50] * len(fifty.test.positives)
    half = len(whole.test.positives) // 2
    assert [found for _, found in lists_of(whole.test.targets)] == plain_lists(whole.test.positives[:half], graph)


def test_a_few_corruptions_are_also_enough_to_validate():
    split = draw_split(relatives(), CoveringSplit(), EntityCorruptions(count=7), 0, protocol="few")
    assert all(set(np.diff(fold.targets.candidates)) == {7} for fold in (split.valid, split.test))


def test_what_a_record_says():
    assert EntityCorruptions().text == "each fact with all other entities as tail, and as head, known facts left out"
    assert "50 other entities that have the same role" in EntityCorruptions(50, roles=True).text
    with pytest.raises(ValueError, match="`count` must be at least 1, got 0"):
        EntityCorruptions(0)


def test_lists_that_do_not_fit_are_refused_with_a_remedy(monkeypatch):
    monkeypatch.setattr("linkwl.memory.available_memory", lambda: 1_000_000)
    with pytest.raises(MemoryLimitError, match=r"ranking 120 facts among 240 entities each, .* protocol `entities-50`"):
        PROTOCOLS["entities"].apply(relatives(), 0)
