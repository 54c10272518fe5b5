"""Rules of a knowledge graph: paths of relations whose ends are often joined by a further relation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from linkwl.graph import KnowledgeGraph
from linkwl.predict.fact_paths import path_text
from linkwl.ranges import equal_entries
from linkwl.sparse.rules import read_rules
from linkwl.typing import BoolArray, IntArray

MOST_WALKS = 2_000_000
"""Up to this many walks of three facts, a rule is counted."""
_VARIABLES = {1: "XY", 2: "XYZ", 3: "WXYZ"}


@dataclass(frozen=True)
class Rule:
    """Entities that a path of given roles joins are often joined by a relation, too.

    With R relations, role r leads from the head of a fact of relation r to its tail, and role R + r from its tail to
    its head.
    """

    body: tuple[int, ...]
    """The roles of the path, one for each fact."""
    relation: int
    paths: int
    """Number of such paths in the graph; no entity occurs twice in a path."""
    support: int
    """Number of these whose first and last entity the relation joins."""

    @property
    def confidence(self) -> float:
        """The share of the paths whose ends the relation joins."""
        return self.support / max(self.paths, 1)

    def to_text(self, graph: KnowledgeGraph) -> str:
        """The rule in words, with variables for entities."""
        variables = _VARIABLES[len(self.body)]
        body = path_text(graph, variables, self.body)
        return f"{body}  =>  {variables[0]} {graph.relations[self.relation]} {variables[-1]}"

    def to_json(self, graph: KnowledgeGraph) -> dict[str, Any]:
        """The rule as values for JSON."""
        return {
            "text": self.to_text(graph),
            "relation": graph.relations[self.relation],
            "paths": self.paths,
            "support": self.support,
            "confidence": self.confidence,
        }


def rules_of(graph: KnowledgeGraph, relation: int | None = None) -> list[Rule]:
    """The rules of one and two facts that hold at least once, by body and relation.

    The counts are exact in graphs of up to :data:`linkwl.sparse.rules.MOST_COUNTED` facts, and estimates from an even
    sample of the facts in larger ones.

    Args:
        graph: The graph.
        relation: A relation, to get only the rules for it.
    """
    graph = _without_loops(graph)
    count = graph.num_relations
    num_roles = 2 * count
    found = read_rules(*graph.incidence, graph.triples, count)
    facts = np.tile(np.bincount(graph.triples[:, 1], minlength=count), 2)
    together = np.rint(found.fact_share * (facts[:, None] + 2.0)).astype(np.int64)  # pairs joined by role s and by r
    together = np.minimum(together, facts[:, None])  # estimates may be larger
    one = [Rule((s,), r, int(facts[s]), int(together[s, r])) for s, r in np.argwhere(together).tolist()]
    body = np.repeat(found.path, np.diff(found.path_ptr))
    first, second = np.divmod(body, num_roles)
    paths = np.rint(found.path_walks).astype(np.int64) - _returns(graph)[first, (second + count) % num_roles]
    support = np.minimum(np.rint(found.path_share * (found.path_walks + 2.0)).astype(np.int64), paths)
    columns = (first, second, found.path_relation, paths, support)
    two = [Rule((s, q), r, n, k) for s, q, r, n, k in zip(*(c.tolist() for c in columns), strict=True)]
    return [rule for rule in one + two if relation in (None, rule.relation)]


def count_rule(graph: KnowledgeGraph, body: Sequence[int], relation: int) -> Rule | None:
    """How often one rule of up to three facts holds, by following its paths; None if there are too many.

    Args:
        graph: The graph.
        body: The roles of the path.
        relation: The relation between its ends.
    """
    steps = [_step(graph, role) for role in body]
    if _num_walks(steps, graph.num_nodes) > MOST_WALKS:
        return None
    nodes = np.stack(steps[0], axis=1)
    for source, target in steps[1:]:
        order = np.argsort(source, kind="stable")
        left, right = equal_entries(nodes[:, -1], source[order])
        nodes = np.column_stack([nodes[left], target[order][right]])
        nodes = nodes[_are_distinct(nodes)]
    triples = np.insert(nodes[:, [0, -1]], 1, relation, axis=1)
    return Rule(tuple(map(int, body)), relation, len(nodes), int(graph.contains(triples).sum()))


def _without_loops(graph: KnowledgeGraph) -> KnowledgeGraph:
    return graph.select(graph.triples[:, 0] != graph.triples[:, 2])


def _returns(graph: KnowledgeGraph) -> IntArray:
    """``[s, q]``: the number of ordered pairs of entities that both roles join; walks that return to their start."""
    ptr, other, role = graph.incidence
    owner = np.repeat(np.arange(graph.num_nodes), np.diff(ptr))
    _, pair = np.unique(owner * graph.num_nodes + other, return_inverse=True)
    shape = (int(pair.max(initial=-1)) + 1, 2 * graph.num_relations)
    has = sp.csr_array((np.ones(len(role), dtype=np.int64), (pair.reshape(-1), role)), shape=shape)
    return (has.T @ has).toarray()


def _step(graph: KnowledgeGraph, role: int) -> tuple[IntArray, IntArray]:
    """The entities that a role leads from and to, without loops."""
    count = graph.num_relations
    head, _, tail = graph.triples[graph.triples[:, 1] == role % count].T.astype(np.int64)
    keep = head != tail
    return (head[keep], tail[keep]) if role < count else (tail[keep], head[keep])


def _num_walks(steps: Sequence[tuple[IntArray, IntArray]], num_nodes: int) -> float:
    """The number of walks along the steps."""
    walks = np.ones(num_nodes)
    for source, target in reversed(steps):
        walks = np.bincount(source, weights=walks[target], minlength=num_nodes).astype(np.float64)
    return float(walks.sum())


def _are_distinct(nodes: IntArray) -> BoolArray:
    """Whether the last entity of each path occurs only once in it."""
    return (nodes[:, :-1] != nodes[:, -1:]).all(axis=1)
