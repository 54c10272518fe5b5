"""Explains the score of a triple by removing facts: those of paths between its entities, and those of each entity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.graph import KnowledgeGraph, Observed
from linkwl.models import LinkModel, Scorer
from linkwl.predict.contributions import BUDGET, Coalition
from linkwl.predict.explanation import Explanation, GroupScores, count_text, make_parts, names_of
from linkwl.predict.fact_groups import FactGroup, fact_groups, facts_of, united_facts
from linkwl.predict.groups import MOST_GROUPS
from linkwl.predict.role_evidence import RoleEvidence, role_evidence
from linkwl.predict.rules import Rule


@dataclass(frozen=True)
class TripleExplanation(Explanation):
    """The parts of the score of a triple; the groups are those of :func:`linkwl.predict.fact_groups.fact_groups`."""

    degrees: tuple[int, int]
    """Number of facts of head and tail, without the query itself."""
    roles: tuple[RoleEvidence, ...]
    """Which roles of the head, and of the tail, speak most for the relation."""

    def to_json(self, graph: KnowledgeGraph | None = None) -> dict[str, Any]:
        """The parts as values for JSON, with names of the explanation's graph, or of another one."""
        graph = self.names_from(graph)
        assert isinstance(graph, KnowledgeGraph)
        return {
            "triple": _names(graph, self.query),
            "is_link": self.is_link,
            "score": self.score,
            "baseline": self.baseline,
            "groups": [_group_json(graph, part.group) | part.to_json() for part in self.parts],
            "share": self.share,
            "num_scores": self.num_scores,
            "degrees": list(self.degrees),
            "roles": [evidence.to_json(graph) for evidence in self.roles],
        }

    def to_text(self, graph: KnowledgeGraph | None = None) -> str:
        """The parts in words, with the names of the explanation's graph, or of another one."""
        graph = self.names_from(graph)
        assert isinstance(graph, KnowledgeGraph)
        h, r, t = map(str, _names(graph, self.query))
        lines = [
            f"{h} -{r}-> {t}: score {self.number_text(self.score)}"
            + " (an observed fact, removed to explain it)" * self.is_link,
            f"  {h} has {count_text(self.degrees[0], 'fact')}, {t} has {self.degrees[1]}."
            + " The fact itself is not counted." * self.is_link,
        ]
        lines += [self.heading_text()] if self.parts else []
        for part in self.parts:
            lines.append(self.part_text(part, self.group_text(graph, part.group)))
            lines += [f"{' ' * 22}{rule_text(rule, graph)}" for rule in part.group.rules]
        lines += [*self.summary_text(), *(f"  {evidence.to_text(graph)}" for evidence in self.roles)]
        return "\n".join(lines)

    def group_text(self, graph: KnowledgeGraph, group: FactGroup) -> str:
        """A group of facts in words."""
        return group.to_text(graph)


def rule_text(rule: Rule, graph: KnowledgeGraph) -> str:
    """A rule and how often it holds, in words."""
    number = f"{rule.support:,} of {count_text(rule.paths, 'such path')}"
    return f"{rule.to_text(graph)}: holds for {number}, {rule.confidence:.0%}"


def explain_triple(
    model: LinkModel,
    observed: KnowledgeGraph,
    triple: tuple[int, ...],
    *,
    groups: int = MOST_GROUPS,
    budget: int = BUDGET,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    prepare: Callable[[Observed], Scorer] | None = None,
) -> TripleExplanation:
    """The contributions of rules, and of the other facts of the two entities, to the score of a triple.

    Every number comes from scores of the model on the graph without some facts, for any model of triples. The
    contribution of a group is its Shapley value, as for pairs; see :func:`linkwl.predict.explain_query`.

    Args:
        model: The model.
        observed: The observed graph.
        triple: Head, relation and another tail, by index.
        groups: Number of groups.
        budget: Number of scores, at most; but at least two for each group, and two.
        seed: Seed of the combinations of groups that are scored if there are more than the budget.
        on_progress: Called with the number of scores computed so far, and the total number.
        prepare: The result of :meth:`linkwl.models.LinkModel.exact`, if there is one already.
    """
    prepare = model.exact() if prepare is None else prepare
    head, relation, tail = triple
    fact = np.array([triple], dtype=np.int32)
    is_link = bool(observed.contains(fact)[0])
    graph = observed.without(fact) if is_link else observed
    found_groups = fact_groups(graph, (head, relation, tail), groups)

    def score(present: Coalition) -> float:
        absent = [group for number, group in enumerate(found_groups) if number not in present]
        gone = np.array(sorted({fact for group in absent for fact in group.facts}), dtype=np.int32).reshape(-1, 3)
        return float(prepare(graph.without(gone) if len(gone) else graph)(fact)[0])

    scores = GroupScores(score, on_progress)
    found = scores.share(len(found_groups), is_sum=False, budget=budget, seed=seed)
    return TripleExplanation(
        query=triple,
        is_link=is_link,
        score=found.score,
        baseline=found.baseline,
        parts=make_parts(found_groups, found, united_facts),
        num_scores=scores.done,
        degrees=(len(facts_of(graph, head)), len(facts_of(graph, tail))),
        roles=(*role_evidence(graph, head, relation), *role_evidence(graph, tail, graph.num_relations + relation)),
    )


def _group_json(graph: KnowledgeGraph, group: FactGroup) -> dict[str, Any]:
    """A group as values for JSON, with names."""
    return {
        "kind": group.kind,
        "text": group.to_text(graph),
        "count": group.count,
        "paths": [
            {
                "text": path.to_text(graph),
                "nodes": names_of(graph, path.nodes),
                "facts": [_names(graph, fact) for step in path.steps for fact in step],
            }
            for path in group.paths
        ],
        "cut": [_names(graph, fact) for fact in sorted(group.facts)],
        "rule": None if group.rule is None else group.rule.to_json(graph),
        **({"members": [_group_json(graph, member) for member in group.members]} if group.members else {}),
    }


def _names(graph: KnowledgeGraph, triple: tuple[int, ...]) -> list[Any]:
    return [names[value] for names, value in zip(graph.query_columns.values(), triple, strict=True)]
