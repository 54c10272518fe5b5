"""Explains the score of a triple by removing facts: those of paths between its entities, and those of each entity."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.models import LinkModel
from linkwl.predict.explanation import (
    MOST_PATHS,
    MOST_TRIED,
    CutScore,
    Explanation,
    PathPart,
    count_text,
    drop_paths,
    names_of,
)
from linkwl.predict.fact_paths import Fact, FactPath, find_paths
from linkwl.predict.role_evidence import RoleEvidence, role_evidence
from linkwl.predict.rules import Rule, count_rule, rules_of


@dataclass(frozen=True)
class RelationPath(PathPart):
    """A path of one to three facts."""

    path: FactPath
    """The path with its relations."""
    rule: Rule | None
    """The rule that the path follows, counted in the graph without the query; None if it has too many paths."""

    @property
    def cut(self) -> tuple[Fact, ...]:
        """The removed facts: one, both of two, the middle one of three, so that the ends keep their other facts."""
        return self.path.cut


@dataclass(frozen=True)
class TripleExplanation(Explanation):
    """The parts of the score of a triple; paths, other paths, head, tail and rest add up to it.

    Without the listed paths, the score is compared with that of three graphs: without any fact of the tail, without any
    fact of the head, and without any fact of either. The last is the *rest*; what the facts of one entity alone add to
    it is the part of that entity; and what is left takes the facts of both: the *other paths*, and how the roles of the
    two entities fit together.
    """

    paths: tuple[RelationPath, ...]
    head: float
    """What the facts of the head add when the tail has none."""
    tail: float
    """What the facts of the tail add when the head has none."""
    rest: float
    """The score of the relation between the two if neither has any fact."""
    degrees: tuple[int, int]
    """Number of facts of head and tail, without the query itself."""
    roles: tuple[RoleEvidence, ...]
    """Which roles of the head, and of the tail, speak most for the relation."""

    def to_json(self, graph: KnowledgeGraph) -> dict[str, Any]:
        """The parts as values for JSON, with names."""
        return {
            "triple": _names(graph, self.query),
            "is_link": self.is_link,
            "score": self.score,
            "paths": [
                {
                    "text": part.path.to_text(graph),
                    "nodes": names_of(graph, part.nodes),
                    "facts": [_names(graph, fact) for step in part.path.steps for fact in step],
                    "cut": [_names(graph, fact) for fact in part.cut],
                    "contribution": part.contribution,
                    "score_without": part.score_without,
                    "rule": None if part.rule is None else part.rule.to_json(graph),
                }
                for part in self.paths
            ],
            "other_paths": self.other_paths,
            "nodes": self.nodes,
            "head": self.head,
            "tail": self.tail,
            "rest": self.rest,
            "degrees": list(self.degrees),
            "roles": [evidence.to_json(graph) for evidence in self.roles],
        }

    def to_text(self, graph: KnowledgeGraph) -> str:
        """The parts in words."""
        h, r, t = map(str, _names(graph, self.query))
        lines = [
            f"{h} -{r}-> {t}: score {self.score:.3f}" + " (an observed fact, removed to explain it)" * self.is_link,
            f"  {h} has {count_text(self.degrees[0], 'fact')}, {t} has {self.degrees[1]}."
            + " The fact itself is not counted." * self.is_link,
        ]
        if not self.paths:
            lines.append("  No path of up to three facts joins them.")
        for part in self.paths:
            way = part.path.to_text(graph)
            lines.append(f"  {part.contribution:+8.3f}  {way}  (without it alone: {part.score_without:.3f})")
            if part.rule is not None:
                lines.append(f"            {rule_text(part.rule, graph)}")
        lines += [
            f"  {self.other_paths:+8.3f}  all other paths, and how the roles of the two fit together",
            f"  {self.head:+8.3f}  {h} by itself",
            f"  {self.tail:+8.3f}  {t} by itself",
            f"  {self.rest:+8.3f}  what is left: {r} between the two if neither had a fact",
            *(f"  {evidence.to_text(graph)}" for evidence in self.roles),
        ]
        return "\n".join(lines)


def rule_text(rule: Rule, graph: KnowledgeGraph) -> str:
    """A rule and how often it holds, in words."""
    number = f"{rule.support:,} of {count_text(rule.paths, 'such path')}"
    return f"{rule.to_text(graph)}: holds for {number}, {rule.confidence:.0%}"


def explain_triple(
    model: LinkModel,
    observed: KnowledgeGraph,
    triple: tuple[int, ...],
    *,
    most_paths: int = MOST_PATHS,
    on_progress: Callable[[int, int], None] | None = None,
) -> TripleExplanation:
    """The contributions of the paths between two entities, and of the entities, to the score of a triple.

    Every number comes from scores of the model on the graph without some facts, so nothing is approximated, for any
    model of triples. Paths of up to three facts are cut one by one, at most two dozen of them, each rule's best first;
    those whose removal lowers the score most are reported. Then they are cut one after the other, once from the first
    to the last and once from the last to the first: the contribution of a path is the drop of the score, averaged over
    both orders. For the other parts see :class:`TripleExplanation`.

    Args:
        model: The model.
        observed: The observed graph.
        triple: Head, relation and another tail, by index.
        most_paths: Number of paths to list separately.
        on_progress: Called with the number of scores computed so far, and the total number.
    """
    prepare = model.exact()
    head, relation, tail = triple
    fact = np.array([triple], dtype=np.int32)
    is_link = bool(observed.contains(fact)[0])
    graph = observed.without(fact) if is_link else observed
    rules = {rule.body: rule for rule in rules_of(graph, relation)}
    confidence = {body: rule.confidence for body, rule in rules.items()}
    tried = {path: path.cut for path in find_paths(graph, (head, relation, tail), MOST_TRIED, confidence)}

    def score_without(facts: set[Fact]) -> float:
        gone = np.array(sorted(facts), dtype=np.int32).reshape(-1, 3)
        return float(prepare(graph.without(gone) if len(gone) else graph)(fact)[0])

    score = CutScore(score_without, len(tried) + 2 * min(most_paths, len(tried)) + 4, on_progress)
    whole, alone, drops, left = drop_paths(tried, score, most_paths)
    cut = {gone for path in drops for gone in path.cut}
    of_head, of_tail = (_facts_of(graph, end) for end in (head, tail))
    without_head, without_tail = score(cut | of_head), score(cut | of_tail)
    rest = score(cut | of_head | of_tail)

    def part(path: FactPath) -> RelationPath:
        rule = rules.get(path.roles) or count_rule(graph, path.roles, relation)
        return RelationPath(path.nodes, drops[path], alone[path], path, rule)

    return TripleExplanation(
        query=triple,
        is_link=is_link,
        score=whole,
        paths=tuple(map(part, drops)),
        other_paths=left - without_head - without_tail + rest,
        nodes=without_head + without_tail - rest,
        head=without_tail - rest,
        tail=without_head - rest,
        rest=rest,
        degrees=(len(of_head), len(of_tail)),
        roles=(*role_evidence(graph, head, relation), *role_evidence(graph, tail, graph.num_relations + relation)),
    )


def _facts_of(graph: KnowledgeGraph, node: int) -> set[Fact]:
    """All facts of an entity."""
    as_tail = graph.tail_order[graph.tail_ptr[node] : graph.tail_ptr[node + 1]]
    rows = [*graph.triples[graph.head_ptr[node] : graph.head_ptr[node + 1]].tolist(), *graph.triples[as_tail].tolist()]
    return {(h, r, t) for h, r, t in rows}


def _names(graph: KnowledgeGraph, triple: tuple[int, ...]) -> list[Any]:
    return [names[value] for names, value in zip(graph.query_columns.values(), triple, strict=True)]
