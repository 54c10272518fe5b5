"""Which roles of an entity speak for a further one: what other entities with these roles have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.graph import KnowledgeGraph
from linkwl.typing import FloatArray, IntArray


@dataclass(frozen=True)
class RoleEvidence:
    """A role of an entity, and how often those who have it have the role that is asked for.

    With R relations, an entity has role r if it is the head of a fact of relation r, and role R + r if it is the tail
    of one. Its types are roles from 2 R on.
    """

    entity: int
    role: int
    asked: int
    """The role that is asked for."""
    entities: int
    """Number of entities with the role."""
    both: int
    """Number of these that have the role that is asked for as well."""
    lift: float
    """How many times as frequent entities with the role are among those with the asked one as among all entities,
    after two further ones among whom they are as frequent as among all; the model reads its logarithm."""

    def to_text(self, graph: KnowledgeGraph) -> str:
        """The evidence in a sentence."""
        asked = role_text(graph, self.asked, plural=True)
        return (
            f"{graph.ids[self.entity]} is {role_text(graph, self.role)}: of {self.entities:,} such entities "
            f"{self.both:,} are {asked}, and among {asked} they are {self.lift:.1f} times as frequent as among all."
        )

    def to_json(self, graph: KnowledgeGraph) -> dict[str, Any]:
        """The evidence as values for JSON."""
        return {
            "entity": graph.ids[self.entity],
            "role": role_text(graph, self.role),
            "asked": role_text(graph, self.asked),
            "entities": self.entities,
            "both": self.both,
            "lift": self.lift,
        }


def role_text(graph: KnowledgeGraph, role: int, *, plural: bool = False) -> str:
    """A role in words: ``a head of capital``, ``tails of capital``, ``of type country``."""
    count = graph.num_relations
    if role >= 2 * count:
        assert graph.types is not None
        return f"of type {graph.types.names[role - 2 * count]}"
    what, name = ("head" if role < count else "tail"), graph.relations[role % count]
    return f"{what}s of {name}" if plural else f"a {what} of {name}"


def role_evidence(graph: KnowledgeGraph, entity: int, asked: int, most: int = 2) -> list[RoleEvidence]:
    """The roles of an entity that speak most for it having another one; only those that make it likelier.

    Args:
        graph: The graph.
        entity: The entity.
        asked: The role that is asked for, of a head or a tail.
        most: Maximum number of roles.
    """
    owner, role = _roles(graph)
    number, both, lift = _lifts(graph, owner, role, asked)
    own = role[owner == entity]
    own = own[(own != asked) & (lift[own] > 1)]
    chosen = own[np.argsort(-lift[own], kind="stable")][:most]
    return [RoleEvidence(entity, int(q), asked, int(number[q]), int(both[q]), float(lift[q])) for q in chosen]


def _roles(graph: KnowledgeGraph) -> tuple[IntArray, IntArray]:
    """Every entity with each of its roles once."""
    count, types = graph.num_relations, graph.types
    ptr, _, role = graph.incidence
    owner = np.repeat(np.arange(graph.num_nodes), np.diff(ptr))
    numbers = np.unique(owner * (2 * count) + role)
    owner, role = np.divmod(numbers, max(2 * count, 1))
    if types is not None:
        owner = np.concatenate([owner, np.repeat(np.arange(graph.num_nodes), np.diff(types.ptr))])
        role = np.concatenate([role, 2 * count + types.col.astype(np.int64)])
    return owner, role


def _lifts(graph: KnowledgeGraph, owner: IntArray, role: IntArray, asked: int) -> tuple[IntArray, IntArray, FloatArray]:
    """For each role the entities with it, those that have the asked one as well, and the lift.

    The lift is that of :func:`linkwl.sparse.roles.read_roles`, not as a logarithm.
    """
    num_roles = 2 * graph.num_relations + (0 if graph.types is None else len(graph.types.names))
    has_asked = np.zeros(graph.num_nodes, dtype=np.bool_)
    has_asked[owner[role == asked]] = True
    number = np.bincount(role, minlength=num_roles)
    both = np.bincount(role[has_asked[owner]], minlength=num_roles)
    share = np.maximum(number, 1) / max(graph.num_nodes, 1)
    return number, both, (both + 2 * share) / (number[asked] + 2) / share
