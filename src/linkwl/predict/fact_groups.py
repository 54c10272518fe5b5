"""Groups of evidence about a triple: facts of a knowledge graph that can be removed together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from linkwl.graph import KnowledgeGraph
from linkwl.predict.explanation import count_text
from linkwl.predict.fact_paths import Fact, FactPath, find_paths
from linkwl.predict.rules import Rule, count_rule, rules_of

FactKind: TypeAlias = Literal["rule", "paths", "facts", "together"]
"""Paths that follow one rule; all other paths; the other facts of an entity, or of both; several groups as one."""

MOST_PATHS = 24
"""Number of paths that are looked for."""
_SHOWN = 4
"""Number of paths of a group that are kept to be shown."""


@dataclass(frozen=True)
class FactGroup:
    """Facts that are removed together."""

    kind: FactKind
    count: int
    """Number of paths, or of facts."""
    facts: frozenset[Fact]
    """The facts to remove."""
    paths: tuple[FactPath, ...] = ()
    """Its paths, the most promising first; only the first of many."""
    rule: Rule | None = None
    """The rule that its paths follow, counted in the graph without the query; None if it has too many paths."""
    entities: tuple[int, ...] = ()
    """The entities whose facts these are."""
    members: tuple[FactGroup, ...] = ()
    """The groups that it unites, if it is of the kind ``together``."""

    @property
    def rules(self) -> list[Rule]:
        """The rules of the group, or of those that it unites."""
        found = [member.rule for member in self.members or (self,)]
        return [rule for rule in found if rule is not None]

    @property
    def is_background(self) -> bool:
        """Whether it belongs to one of the entities and not to both."""
        return self.kind == "facts"

    def to_text(self, graph: KnowledgeGraph) -> str:
        """The group in words."""
        if self.members:
            return "; and ".join(member.to_text(graph) for member in self.members)
        if self.kind == "facts":
            names = [str(graph.ids[node]) for node in self.entities]
            return f"{count_text(self.count, 'other fact')} of {' and '.join(names)}"
        first = self.paths[0].to_text(graph)
        if self.kind == "paths":
            return first if self.count == 1 else f"{self.count:,} other paths, such as {first}"
        return first if self.count == 1 else f"{first}, and {count_text(self.count - 1, 'more such path')}"


def fact_groups(graph: KnowledgeGraph, triple: Fact, most: int) -> list[FactGroup]:
    """The evidence about a triple in a few groups; no fact is in two of them.

    Paths of up to three facts from head to tail are grouped by the rule that they follow, short and reliable rules
    first; the paths of all other rules are one group. Of a path of three facts the middle one is removed, so that the
    two entities keep their facts. The last group, or two if there is room, are all other facts of head and tail.

    Args:
        graph: The graph, without the triple.
        triple: Head, relation and tail.
        most: Number of groups, at most.
    """
    head, relation, tail = triple
    rules = {rule.body: rule for rule in rules_of(graph, relation)}
    confidence = {body: rule.confidence for body, rule in rules.items()}
    by_rule: dict[tuple[int, ...], list[FactPath]] = {}
    for path in find_paths(graph, triple, MOST_PATHS, confidence):
        by_rule.setdefault(path.roles, []).append(path)
    used: set[Fact] = set()
    separate: list[FactGroup] = []
    others: list[FactPath] = []
    num_own = 2 if most >= len(by_rule) + 2 or most > 4 else 1
    room = max(most - num_own, 1)
    num_rules = len(by_rule) if len(by_rule) <= room else room - 1
    for number, (roles, paths) in enumerate(by_rule.items()):
        facts = frozenset(fact for path in paths for fact in path.cut) - used
        if number >= num_rules or not facts:
            others += paths
            continue
        used |= facts
        rule = rules.get(roles) or count_rule(graph, roles, relation)
        separate.append(FactGroup("rule", len(paths), facts, tuple(paths[:_SHOWN]), rule))
    left = frozenset(fact for path in others for fact in path.cut) - used
    if left:
        separate.append(FactGroup("paths", len(others), left, tuple(others[:_SHOWN])))
    return separate + _own(graph, head, tail, used | left, num_own)


def united_facts(groups: Sequence[FactGroup]) -> FactGroup:
    """Several groups as one."""
    facts = frozenset(fact for group in groups for fact in group.facts)
    paths = tuple(path for group in groups for path in group.paths)
    return FactGroup("together", sum(group.count for group in groups), facts, paths, members=tuple(groups))


def facts_of(graph: KnowledgeGraph, node: int) -> set[Fact]:
    """All facts of an entity."""
    as_tail = graph.tail_order[graph.tail_ptr[node] : graph.tail_ptr[node + 1]]
    rows = [*graph.triples[graph.head_ptr[node] : graph.head_ptr[node + 1]].tolist(), *graph.triples[as_tail].tolist()]
    return {(h, r, t) for h, r, t in rows}


def _own(graph: KnowledgeGraph, head: int, tail: int, used: set[Fact], count: int) -> list[FactGroup]:
    """The facts of head and tail that are in no other group, in one group or in two."""
    of_head = frozenset(facts_of(graph, head)) - used
    of_tail = frozenset(facts_of(graph, tail)) - used - of_head
    parts: Mapping[tuple[int, ...], frozenset[Fact]] = {(head,): of_head, (tail,): of_tail}
    if count == 1 and of_head and of_tail:
        parts = {(head, tail): of_head | of_tail}
    return [FactGroup("facts", len(facts), facts, entities=ends) for ends, facts in parts.items() if facts]
