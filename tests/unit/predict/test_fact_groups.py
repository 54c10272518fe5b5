from __future__ import annotations

import numpy as np
import pytest

from linkwl.predict.fact_groups import fact_groups, facts_of
from linkwl.predict.rules import count_rule
from triple_model import family


@pytest.fixture(scope="module")
def families():
    return family()


@pytest.mark.parametrize("most", [2, 4, 6, 10])
def test_no_fact_is_in_two_groups_and_all_facts_of_both_are_in_one(families, most):
    for row in families.triples[::60].tolist():
        graph, (head, relation, tail) = families.without(np.array([row])), row
        if head == tail:
            continue
        groups = fact_groups(graph, (head, relation, tail), most)
        facts = [fact for group in groups for fact in group.facts]
        assert len(facts) == len(set(facts))
        assert facts_of(graph, head) | facts_of(graph, tail) <= set(facts)
        assert graph.contains(np.array(facts)).all()
        assert len(groups) <= most


def test_paths_are_grouped_by_their_rule(families):
    row = families.triples[7].tolist()
    graph = families.without(np.array([row]))
    groups = fact_groups(graph, tuple(row), 8)
    rules = [group for group in groups if group.kind == "rule"]
    assert rules
    for group in rules:
        assert {path.roles for path in group.paths} == {group.paths[0].roles}
        assert group.rule == count_rule(graph, group.paths[0].roles, row[1])
    assert len({group.paths[0].roles for group in rules}) == len(rules)


def test_head_and_tail_are_separate_if_there_is_room(families):
    row = families.triples[7].tolist()
    graph = families.without(np.array([row]))
    few, many = ([group for group in fact_groups(graph, tuple(row), most) if group.is_background] for most in (3, 12))
    assert {end for group in few for end in group.entities} >= {end for group in many for end in group.entities}
    assert len(few) <= 1
    assert all(len(group.entities) == 1 for group in many)
