"""Explains the score of a query by removing groups of evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.memory import memory_asked_once
from linkwl.models import LinkModel, Scorer
from linkwl.predict.contributions import BUDGET, check_budget
from linkwl.predict.explain_triple import explain_triple
from linkwl.predict.explanation import Explanation, GroupScores, count_text, make_parts, names_of
from linkwl.predict.groups import MOST_GROUPS, MOST_TERMS, Group, pair_groups, united
from linkwl.predict.variants import Variants

_NAMED = 3
"""Number of shared neighbours of a group that are named in a text."""


@dataclass(frozen=True)
class PairExplanation(Explanation):
    """The parts of the score of a pair; the groups are those of :func:`linkwl.predict.groups.pair_groups`."""

    degrees: tuple[int, int]
    num_common: int
    """Number of common neighbours."""

    def to_json(self, graph: Graph | None = None) -> dict[str, Any]:
        """The parts as values for JSON, with node names of the explanation's graph, or of another one."""
        graph = self.names_from(graph)
        assert isinstance(graph, Graph)
        groups = []
        for part in self.parts:
            group: Group = part.group
            paths = [names_of(graph, path) for path in group.paths]
            ways = {"arrows": [arrows(graph, path) for path in group.paths]} if graph.is_directed else {}
            cut = [names_of(graph, edge) for edge in sorted(group.edges)]
            values = {"kind": group.kind, "text": self.group_text(graph, group), "count": group.count}
            values |= {"members": [member.kind for member in group.members]} if group.members else {}
            groups.append(values | {"paths": paths, **ways, "cut": cut} | part.to_json())
        return {
            "pair": names_of(graph, self.query),
            "is_link": self.is_link,
            "score": self.score,
            "baseline": self.baseline,
            "groups": groups,
            "share": self.share,
            "num_scores": self.num_scores,
            "degrees": list(self.degrees),
            "num_common": self.num_common,
        }

    def to_text(self, graph: Graph | None = None) -> str:
        """The parts in words, with the names of the explanation's graph, or of another one."""
        graph = self.names_from(graph)
        assert isinstance(graph, Graph)
        p, q = map(str, names_of(graph, self.pair))
        pair = f"{p} -> {q}" if graph.is_directed else f"{p} and {q}"
        lines = [
            f"{pair}: score {self.number_text(self.score)}"
            + " (an observed link, removed to explain it)" * self.is_link,
            f"  {p} has {count_text(self.degrees[0], 'link')}, {q} has {self.degrees[1]}; they share "
            f"{count_text(self.num_common, 'neighbour')}."
            + " Links count in both directions." * graph.is_directed
            + " The link itself is not counted." * self.is_link,
        ]
        lines += [self.heading_text()] if self.parts else []
        for part in self.parts:
            lines.append(self.part_text(part, self.group_text(graph, part.group)))
        return "\n".join([*lines, *self.summary_text()])

    def group_text(self, graph: Graph, group: Group) -> str:
        """A group of evidence in words."""
        if group.members:
            return "; and ".join(self.group_text(graph, member) for member in group.members)
        first = path_text(graph, group.paths[0]) if group.paths else ""
        if group.kind == "neighbours":
            low, high = group.degrees
            if group.count == 1:
                return f"shared neighbour {names_of(graph, group.paths[0])[1]}, which has {count_text(high, 'link')}"
            degrees = f"{low:,} to {high:,} links" if low < high else f"{count_text(low, 'link')} each"
            named = [str(names_of(graph, path)[1]) for path in group.paths[:_NAMED]]
            listed = ", ".join(named) + (", ..." if group.count > len(named) else "")
            other = "other " if group.is_rest else ""
            return f"{group.count:,} {other}shared neighbours with {degrees}: {listed}"
        if group.kind == "paths":
            other = "other " if group.is_rest else ""
            return first if group.count == 1 else f"{group.count:,} {other}paths of three links, such as {first}"
        if group.kind == "reverse":
            return f"the reverse link {first}"
        if group.kind == "features":
            return "what is known about the two: their features"
        if group.kind == "places":
            return f"their places{self._distance(graph)}"
        ends = {edge[0] for edge in group.edges}
        whose = f"of {graph.ids[min(ends)]}" if len(ends) == 1 else "of the two"
        links = "link" if group.count == 1 else "links"
        other = "other " if group.is_rest else ""
        return f"the {group.count:,} {other}{links} {whose}" + ", and what lies farther away" * group.reaches_far

    def _distance(self, graph: Graph) -> str:
        known = graph.attributes
        if known is None or known.positions is None:
            return ""
        unit = " km" if known.positions.metric == "map" else ""
        return f", {known.positions.distances(np.array([self.pair]))[0]:,.4g}{unit} apart"


def explain_query(
    model: LinkModel,
    observed: Observed,
    query: Sequence[int],
    *,
    groups: int | None = None,
    budget: int = BUDGET,
    seed: int = 0,
    on_progress: Callable[[int, int], None] | None = None,
    prepare: Callable[[Observed], Scorer] | None = None,
) -> Explanation:
    """The contributions of groups of evidence to the score of a query, under any model.

    The evidence is divided into a few groups: shared neighbours, paths, attributes of the two nodes, and their other
    links. Every number comes from scores of the model on the graph without some groups. The contribution of a group is
    its Shapley value: what it adds to the score, averaged over all orders of adding the groups. The baseline and the
    contributions add up to the score, and are the same for (p, q) and (q, p). Up to six groups are exact, and
    there usually are four, which take sixteen scores; more groups take more scores, or have a standard error. Groups
    that replace each other, so that their contributions contradict what their removal does, are listed as one; see
    :func:`linkwl.predict.interplay.unite`. Heuristics have only groups that their formula reads. For triples see
    :func:`linkwl.predict.explain_triple.explain_triple`.

    Args:
        model: The model.
        observed: The observed graph.
        query: Two different nodes, or a triple whose head and tail differ.
        groups: Number of groups, and one more for each kind that would have none; by default four, or ten for a formula
            that adds up shared neighbours.
        budget: Number of scores, at most; but at least two for each group, and two.
        seed: Seed of the combinations of groups that are scored if there are more than the budget.
        on_progress: Called with the number of scores computed so far, and the total number.
        prepare: The result of :meth:`linkwl.models.LinkModel.exact`, if there is one already.

    Raises:
        InputError: If `groups` or `budget` are too small or too large.
    """
    check_budget(groups, budget)
    indices = tuple(int(value) for value in observed.check_queries(np.array([query]))[0])
    if indices[0] == indices[-1]:
        raise ValueError(f"`query` must be about two different nodes, got {indices[0]} twice.")
    score = model.exact() if prepare is None else prepare
    with memory_asked_once():
        if isinstance(observed, KnowledgeGraph):
            most = groups or MOST_GROUPS
            options: dict[str, Any] = {"budget": budget, "seed": seed, "on_progress": on_progress, "prepare": score}
            return explain_triple(model, observed, indices, groups=most, **options)
        assert isinstance(observed, Graph)
        pair, graph = (indices[0], indices[1]), model.view(observed)
        return _explain_pair(model, score, graph, pair, groups, budget, seed, on_progress)


def _explain_pair(
    model: LinkModel,
    prepare: Callable[[Observed], Scorer],
    graph: Graph,
    query: tuple[int, int],
    most: int | None,
    budget: int,
    seed: int,
    on_progress: Callable[[int, int], None] | None,
) -> PairExplanation:
    is_turned = not graph.is_directed and query[0] > query[1]
    pair = query[::-1] if is_turned else query
    fact = np.array([pair], dtype=np.int32)
    is_link = bool(graph.contains(fact)[0])
    graph = graph.without(fact) if is_link else graph
    evidence = model.evidence(graph)
    groups = pair_groups(graph, pair, evidence, most or (MOST_TERMS if evidence.is_sum else MOST_GROUPS))
    variants = Variants(graph, pair, groups)
    scores = GroupScores(lambda present: float(prepare(variants(present))(fact)[0]), on_progress)
    found = scores.share(len(groups), is_sum=evidence.is_sum, budget=budget, seed=seed)
    links = graph.links
    return PairExplanation(
        query=query,
        is_link=is_link,
        score=found.score,
        baseline=found.baseline,
        parts=make_parts([_turned(group) for group in groups] if is_turned else groups, found, united),
        num_scores=scores.done,
        degrees=(int(links.degree[query[0]]), int(links.degree[query[1]])),
        num_common=len(np.intersect1d(links.neighbours(query[0]), links.neighbours(query[1]))),
    )


def _turned(group: Group) -> Group:
    """The group with its paths from the second node to the first; links keep their order."""
    return group if group.kind == "links" else replace(group, paths=tuple(path[::-1] for path in group.paths))


def arrows(graph: Observed, path: Sequence[int]) -> list[str]:
    """The directions of the edges on a path: ``->`` along it, ``<-`` against it, or ``<->``."""
    steps = np.array(list(pairwise(path)), dtype=np.int32)
    ways = zip(graph.contains(steps).tolist(), graph.contains(steps[:, ::-1]).tolist(), strict=True)
    return [{(True, False): "->", (False, True): "<-"}.get(way, "<->") for way in ways]


def path_text(graph: Observed, path: Sequence[int]) -> str:
    """The names on a path, with the directions of its edges if they have any."""
    first, *others = map(str, names_of(graph, path))
    between = arrows(graph, path) if graph.is_directed else ["-"] * len(others)
    return first + "".join(f" {arrow} {name}" for arrow, name in zip(between, others, strict=True))
