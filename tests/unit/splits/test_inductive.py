from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl.datasets import load_airports
from linkwl.errors import SplitError
from linkwl.graph import Division, KnowledgeGraph
from linkwl.protocols import PROTOCOLS
from linkwl.splits import CoveringSplit, DividedSplit, EntityCorruptions, EntitySplit, audit_split, draw_split
from triple_graphs import fact_set, random_triples, relatives


def divided(graph: KnowledgeGraph, unseen: KnowledgeGraph | None = None) -> KnowledgeGraph:
    """The first facts train; of the other graph, all but the last are observed."""
    train, valid, test = np.split(graph.triples, [graph.num_facts - 40, graph.num_facts - 20])
    division = Division(train.copy(), valid.copy(), test.copy())
    if unseen is not None:
        observed, unused, targets = np.split(unseen.triples, [unseen.num_facts - 15, unseen.num_facts - 10])
        hidden = np.concatenate([unused, targets])
        division = replace(
            division, unseen=unseen.without(hidden), unseen_valid=unused.copy(), unseen_test=targets.copy()
        )
    return replace(graph, division=division)


def named(fold_graph, facts):
    return {(fold_graph.ids[int(h)], int(r), fold_graph.ids[int(t)]) for h, r, t in facts}


def test_the_division_of_a_benchmark_is_used():
    graph = divided(random_triples(30, 3, 300))
    held_out = DividedSplit().hold_out(graph, np.random.default_rng(0))
    division = graph.division
    assert [fact_set(found) for found in held_out.positives] == [
        fact_set(part) for part in (division.train, division.valid, division.test)
    ]
    assert fact_set(held_out.train.triples) == fact_set(division.train)
    assert fact_set(held_out.test.triples) == fact_set(division.train) | fact_set(division.valid)
    assert not held_out.is_inductive


def test_an_inductive_benchmark_is_tested_on_its_other_graph():
    graph = divided(random_triples(30, 3, 300), random_triples(20, 3, 150, seed=1, first=100))
    division = graph.division
    split = PROTOCOLS["entities-50"].apply(graph, 0)
    assert split.is_inductive
    assert split.test.observed is division.unseen
    assert fact_set(split.test.positives) == fact_set(division.unseen_test)
    assert fact_set(split.train.observed.triples) == fact_set(division.train)
    audit = audit_split(split, graph)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    assert audit.left_out == len(division.test) + len(division.unseen_valid)


def test_training_negatives_of_an_inductive_split_avoid_no_test_target():
    graph = divided(random_triples(30, 3, 300), random_triples(20, 3, 150, seed=1, first=100))
    split = PROTOCOLS["entities-50"].apply(graph, 0)
    valid = split.valid.targets
    expected = fact_set(graph.division.train) | fact_set(valid.positives) | fact_set(valid.negatives)
    assert fact_set(split.reserved.triples) == expected


def test_other_graphs_are_split_so_that_all_is_covered():
    graph = relatives()
    ours, plain = (splitter.hold_out(graph, np.random.default_rng(0)) for splitter in (DividedSplit(), CoveringSplit()))
    assert all(map(np.array_equal, ours.positives, plain.positives))


def test_a_division_without_facts_to_validate_is_refused():
    graph = divided(random_triples(30, 3, 300))
    empty = np.empty((0, 3), dtype=np.int32)
    for part in ("valid", "test"):
        other = replace(graph, division=replace(graph.division, **{part: empty}))
        with pytest.raises(SplitError, match=f"random: the benchmark has no {part} facts"):
            DividedSplit().hold_out(other, np.random.default_rng(0))


@given(st.integers(15, 60), st.integers(1, 5), st.integers(80, 400), st.integers(0, 20))
def test_a_split_by_entities_does_not_leak(num_nodes, num_relations, num_rows, seed):
    graph = random_triples(num_nodes, num_relations, num_rows, seed)
    try:
        held_out = EntitySplit(0.1, 0.3, 0.2).hold_out(graph, np.random.default_rng(seed))
    except SplitError:
        return
    train, valid, test = held_out.positives
    seen, unseen = held_out.train, held_out.test
    assert not set(seen.ids) & set(unseen.ids)
    facts = named(graph, graph.triples)
    in_training, at_test = named(seen, [*train, *valid]), named(unseen, [*unseen.triples, *test])
    assert in_training | at_test <= facts
    assert len(in_training) == len(train) + len(valid)
    # Exactly the facts that join both sides, or an entity without any fact on its own side, are dropped.
    sides = {name: side for side, graph_ in ((0, seen), (1, unseen)) for name in graph_.ids}
    kept = {(h, r, t) for h, r, t in facts if h in sides and t in sides and sides[h] == sides[t]}
    assert kept == in_training | at_test
    assert fact_set(seen.triples) == fact_set(train)
    assert not fact_set(unseen.triples) & fact_set(test)
    for held, observed in ((valid, seen), (test, unseen)):
        assert np.isin(held[:, [0, 2]], observed.triples[:, [0, 2]]).all()
        assert np.isin(held[:, 1], train[:, 1]).all()


def test_the_audit_of_a_split_by_entities():
    graph = relatives()
    split = draw_split(graph, EntitySplit(), EntityCorruptions(), 0, protocol="unseen")
    audit = audit_split(split, graph)
    assert audit.passed, [check for check in audit.checks if not check.passed]
    kept = sum(len(fold.positives) for fold in (split.train, split.valid, split.test)) - len(split.valid.positives) // 2
    kept += split.test.observed.num_facts - len(split.test.positives) // 2
    assert audit.left_out == graph.num_facts - kept
    assert audit.findings["test entities with the name of an entity in training"] == 0


def test_the_audit_finds_a_test_fact_among_the_train_facts():
    """The same names on both sides, so that a test fact is observed in training."""
    graph = relatives()
    split = draw_split(graph, EntitySplit(), EntityCorruptions(), 0, protocol="unseen")
    leaked = replace(split.train, observed=graph)
    audit = audit_split(replace(split, train=leaked, valid=replace(split.valid, observed=graph)), graph)
    broken = {check.name for check in audit.checks if not check.passed}
    assert "train: no held-out edge is observed" in broken


def test_few_facts_or_pairs_are_refused():
    with pytest.raises(SplitError, match=r"random: 3 facts are too few to divide the entities"):
        EntitySplit().hold_out(random_triples(20, 1, 3), np.random.default_rng(0))
    for splitter, what in (
        (EntitySplit(), "a split by entities is"),
        (DividedSplit(), "the division of a benchmark is"),
    ):
        with pytest.raises(SplitError, match=f"airports: {what} for triples, and this is a graph of pairs"):
            splitter.hold_out(load_airports(), np.random.default_rng(0))


def test_seeds_give_distinct_splits_and_repeat_themselves():
    graph = relatives()
    digests = [PROTOCOLS["entities-unseen"].apply(graph, seed).digest for seed in range(4)]
    assert len(set(digests)) == 4
    assert PROTOCOLS["entities-unseen"].apply(graph, 2).digest == digests[2]
