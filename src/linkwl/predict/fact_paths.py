"""Paths of facts between two entities of a knowledge graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.ranges import equal_entries, range_entries
from linkwl.typing import BoolArray, FloatArray, IntArray

Fact = tuple[int, int, int]
Confidence = Mapping[tuple[int, ...], float]
MOST_FOLLOWED = 2_000_000
"""Number of facts that are followed at most to find paths of three; at entities with few facts first."""


class FactPath(NamedTuple):
    """A path of up to three steps, each along a fact; no entity occurs twice.

    With R relations, role r leads from the head of a fact of relation r to its tail, and role R + r from its tail to
    its head. If a relation holds both ways between two entities, the two facts are one step, in role r.
    """

    nodes: tuple[int, ...]
    roles: tuple[int, ...]
    """The role of each step."""
    steps: tuple[tuple[Fact, ...], ...]
    """The fact of each step, or the two."""

    @property
    def cut(self) -> tuple[Fact, ...]:
        """The facts that are removed to cut it: those of one step, of both steps of two, or of the middle of three.

        So a path of three steps is cut without changing the facts of its two ends.
        """
        steps = self.steps if len(self.steps) < 3 else self.steps[1:-1]
        return tuple(fact for step in steps for fact in step)

    def to_text(self, graph: KnowledgeGraph) -> str:
        """The path in words."""
        is_both = [len(step) == 2 for step in self.steps]
        return path_text(graph, [graph.ids[node] for node in self.nodes], self.roles, is_both)


def path_text(
    graph: KnowledgeGraph, names: Sequence[object], roles: Sequence[int], is_both: Sequence[bool] | None = None
) -> str:
    """A path in words, with an arrow in the direction of each fact: ``Paris <-capital- France -member of-> EU``."""
    text = str(names[0])
    for name, role, both in zip(names[1:], roles, is_both or [False] * len(roles), strict=True):
        start, end = (
            ("<-" if both or role >= graph.num_relations else "-"),
            ("->" if role < graph.num_relations else "-"),
        )
        text += f" {start}{graph.relations[role % graph.num_relations]}{end} {name}"
    return text


def find_paths(graph: KnowledgeGraph, triple: Fact, most: int, confidence: Confidence) -> list[FactPath]:
    """Paths of up to three steps from head to tail, short ones first, and the most promising first among these.

    The best path of every rule comes before the second of any. The rules with one and two facts come in the order of
    their confidence. Of those with three, the first ones say: an end shares an entity with another one that has the
    relation. Among the paths of one rule, those through entities with few facts come first. At least a third of the
    places are for paths of three steps, if there are so many.

    Args:
        graph: The graph, without the triple.
        triple: Head, relation and tail.
        most: Maximum number of paths.
        confidence: How often rules of one and two facts hold for the relation, by the roles of their paths.
    """
    steps = _Steps(graph, triple[0], triple[2])
    short = [*_of_one(steps, confidence), *_of_two(steps, confidence)]
    long = _of_three(steps, triple[1], most)
    num_short = max(most - len(long), most - most // 3)
    return [*short[:num_short], *long][:most]


class _Steps:
    """The steps from every entity in compressed rows, as in :class:`linkwl.graph.Incidence`, for paths of two ends."""

    def __init__(self, graph: KnowledgeGraph, head: int, tail: int) -> None:
        self.head, self.tail, self.num_relations = head, tail, graph.num_relations
        ptr, other, role = graph.incidence
        self.num_facts = np.diff(ptr)
        owner = np.repeat(np.arange(graph.num_nodes), self.num_facts)
        # An entry in role R + r is left out if the same two entities have one in role r; entries ascend by role.
        pair = owner * graph.num_nodes + other
        turned = _has(pair, role, role + graph.num_relations)
        is_second = _has(pair, role, role - graph.num_relations)
        keep = ~is_second & (owner != other)
        self.other, self.role, self.is_both = other[keep], role[keep], turned[keep]
        self.ptr = np.concatenate([[0], np.cumsum(np.bincount(owner[keep], minlength=graph.num_nodes))])

    def of(self, node: int) -> slice:
        """The places of the steps of an entity."""
        return slice(int(self.ptr[node]), int(self.ptr[node + 1]))

    def inward(self, node: int) -> IntArray:
        """The places of the steps of an entity that lead to neither end; ascending by the other entity."""
        places = np.arange(self.ptr[node], self.ptr[node + 1])
        return places[(self.other[places] != self.head) & (self.other[places] != self.tail)]

    def turned(self, places: IntArray) -> IntArray:
        """The roles of steps taken the other way; a step that holds both ways keeps its role."""
        count = self.num_relations
        return np.where(self.is_both[places], self.role[places], (self.role[places] + count) % (2 * count))

    def path(self, nodes: Sequence[int], roles: Sequence[int], is_both: Sequence[bool]) -> FactPath:
        """The path through these entities."""
        count, steps = self.num_relations, []
        for a, role, b, both in zip(nodes, roles, nodes[1:], is_both, strict=False):
            fact = (a, role, b) if role < count else (b, role - count, a)
            steps.append((fact, fact[::-1]) if both else (fact,))
        return FactPath(tuple(nodes), tuple(roles), tuple(steps))


def _has(pair: IntArray, role: IntArray, wanted: IntArray) -> BoolArray:
    """Whether the pair of each entry has another entry with the wanted role."""
    num_roles = int(role.max(initial=0)) + 1
    is_possible = (wanted >= 0) & (wanted < num_roles)
    keys = pair * num_roles + role  # they ascend
    place = np.minimum(np.searchsorted(keys, pair * num_roles + wanted), max(len(keys) - 1, 0))
    return is_possible & (keys[place] == pair * num_roles + wanted)


def _of_one(steps: _Steps, confidence: Confidence) -> list[FactPath]:
    places = steps.of(steps.head)
    is_direct = steps.other[places] == steps.tail
    found = zip(steps.role[places][is_direct].tolist(), steps.is_both[places][is_direct].tolist(), strict=True)
    ranked = sorted(found, key=lambda step: (-confidence.get((step[0],), 0.0), step))
    return [steps.path((steps.head, steps.tail), (role,), (both,)) for role, both in ranked]


def _of_two(steps: _Steps, confidence: Confidence) -> list[FactPath]:
    start, end = steps.inward(steps.head), steps.inward(steps.tail)
    left, right = equal_entries(steps.other[start], steps.other[end])
    start, end = start[left], end[right]
    roles = np.stack([steps.role[start], steps.turned(end)], axis=1)
    is_both = np.stack([steps.is_both[start], steps.is_both[end]], axis=1)
    strength = np.array([confidence.get((s, q), 0.0) for s, q in roles.tolist()])
    return _ranked(steps, steps.other[start][:, None], roles, is_both, strength, len(roles))


def _of_three(steps: _Steps, relation: int, most: int) -> list[FactPath]:
    start, end = steps.inward(steps.head), steps.inward(steps.tail)
    second = np.unique(steps.other[start])
    size = np.diff(steps.ptr)[second]
    few_first = np.argsort(size, kind="stable")
    second = np.sort(second[few_first[np.cumsum(size[few_first]) <= MOST_FOLLOWED]])
    place, middle = range_entries(steps.ptr[second], steps.ptr[second + 1])
    owner = second[place]
    is_useful = np.isin(steps.other[middle], steps.other[end])
    owner, middle = owner[is_useful], middle[is_useful]
    left, right = equal_entries(owner, steps.other[start])
    start, middle = start[right], middle[left]
    left, right = equal_entries(steps.other[middle], steps.other[end])
    start, middle, end = start[left], middle[left], end[right]
    roles = np.stack([steps.role[start], steps.role[middle], steps.turned(end)], axis=1)
    is_both = np.stack([steps.is_both[places] for places in (start, middle, end)], axis=1)
    inner = np.stack([steps.other[start], steps.other[middle]], axis=1)
    # Head or tail stands in the same relation to an entity as another one does, and that one has the relation.
    like_head = (roles[:, 2] == relation) & (roles[:, 0] == steps.turned(middle))
    like_tail = (roles[:, 0] == relation) & (roles[:, 1] == steps.role[end])
    return _ranked(steps, inner, roles, is_both, (like_head | like_tail).astype(np.float64), most)


def _ranked(
    steps: _Steps, inner: IntArray, roles: IntArray, is_both: BoolArray, strength: FloatArray, most: int
) -> list[FactPath]:
    """Paths by their place among those of the same roles, then by strength, then by the facts of inner entities."""
    weight = steps.num_facts[inner].astype(np.float64).prod(axis=1)
    body = np.zeros(len(roles), dtype=np.int64)
    for column in roles.T:
        body = body * (2 * steps.num_relations) + column
    order = np.lexsort((*inner.T, weight, body))
    first = np.searchsorted(body[order], body[order])
    place = np.empty(len(order), dtype=np.int64)
    place[order] = np.arange(len(order)) - first
    chosen = np.lexsort((*inner.T, body, weight, -strength, place))[:most]
    rows = zip(*(columns[chosen].tolist() for columns in (inner, roles, is_both)), strict=True)
    return [steps.path((steps.head, *nodes, steps.tail), path, both) for nodes, path, both in rows]
