"""What is asked for: all missing links or facts, or those of which a part is given."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.graph.node_ids import NodeId
from linkwl.predict.candidates import AllPairs, Candidates, OneNode, SomeNodes, WithinHops
from linkwl.predict.triple_candidates import TripleGrid, TriplesOfRoles, TriplesWithinHops
from linkwl.typing import IntArray

ROLES = "roles"
"""The candidates whose head and tail are known as such for their relation."""


@dataclass(frozen=True)
class Question:
    """The given parts of the missing links or facts, by name; the others are looked for."""

    head: NodeId | None = None
    relation: NodeId | None = None
    tail: NodeId | None = None
    for_node: NodeId | None = None
    """A node of a link, or the head or tail of a fact."""
    relations_of: tuple[NodeId, NodeId] | None = None
    """Two nodes, to look for the relations from the first to the second and from the second to the first."""
    for_nodes: tuple[NodeId, ...] | None = None
    """Nodes, of which at least one is a node of a link, or the head or tail of a fact."""

    @property
    def given(self) -> list[str]:
        """The names of the given parts."""
        return [field.name for field in fields(self) if getattr(self, field.name) is not None]

    def candidates(self, observed: Observed, text: str = "all", *, most: int | None = None) -> Candidates:
        """The queries that answer it.

        Args:
            observed: The graph.
            text: ``all``; ``hops:3`` for pairs of nodes within three edges; or, for facts, ``roles`` for heads and
                tails that their relation already has.
            most: Number of candidates of ``hops`` to stop at; then those of some random nodes are given.

        Raises:
            InputError: If a name is unknown, parts exclude each other, or the question does not fit the graph.
        """
        self._check_nodes()
        hops = None if text == ROLES else find_hops(text)
        if most is not None and hops is None:
            raise InputError("a limit is for candidates such as 'hops:3', of which it takes those of some nodes.")
        if isinstance(observed, Graph):
            if text == ROLES:
                raise InputError(
                    f"{observed.name} is a graph of pairs, and roles are those of relations; use 'hops:3'."
                )
            return self._pairs(observed, hops, most)
        assert isinstance(observed, KnowledgeGraph)
        return self._triples(observed, hops, most, has_roles=text == ROLES)

    def _pairs(self, graph: Graph, hops: int | None, most: int | None) -> Candidates:
        if surplus := [name for name in self.given if name not in ("for_node", "for_nodes")]:
            raise InputError(
                f"{graph.name} is a graph of pairs, and only facts have a {_word(surplus[0])}; ask for the links of "
                "one node instead."
            )
        if self.for_node is None and self.for_nodes is None:
            return AllPairs(graph) if hops is None else WithinHops(graph, hops, most=most)
        if hops is not None:
            raise InputError("the candidates of one node are all other nodes; give a node or candidates, not both.")
        if self.for_nodes is not None:
            return SomeNodes(graph, _distinct(graph.ids.indices(self.for_nodes)))
        assert self.for_node is not None
        return OneNode(graph, int(graph.ids.indices([self.for_node])[0]))

    def _triples(self, graph: KnowledgeGraph, hops: int | None, most: int | None, *, has_roles: bool) -> Candidates:
        self._check()
        relation = None if self.relation is None else int(graph.relations.indices([self.relation])[0])
        if hops is not None or has_roles:
            if any(name != "relation" for name in self.given):
                raise InputError("the candidates of given nodes are all nodes; give a node or candidates, not both.")
            if hops is None:
                return TriplesOfRoles(graph, relation)
            return TriplesWithinHops(graph, hops, relation, most=most)
        everyone = np.arange(graph.num_nodes)
        if self.relations_of is not None:
            first, second = (graph.ids.indices([name]) for name in self.relations_of)
            both = [(first, second), (second, first)]
            return TripleGrid(graph, both[:1] if first[0] == second[0] else both)
        named = self.for_nodes if self.for_node is None else (self.for_node,)
        if named is not None:
            nodes = _distinct(graph.ids.indices(named))
            return TripleGrid(graph, [(nodes, everyone), (np.delete(everyone, nodes), nodes)], relation)
        ends: list[IntArray] = [
            everyone if name is None else graph.ids.indices([name]) for name in (self.head, self.tail)
        ]
        return TripleGrid(graph, [(ends[0], ends[1])], relation)

    def _check(self) -> None:
        given = set(self.given)
        if given >= {"head", "relation", "tail"}:
            raise InputError(
                "head, relation and tail together are one fact, and nothing is left to find; leave one out, or score "
                "given triples."
            )
        for name, allowed in (("relations_of", set()), ("for_node", {"relation"}), ("for_nodes", {"relation"})):
            if name in given and (others := sorted(given - {name} - allowed)):
                raise InputError(
                    f"{_QUOTED[name]} and the {_word(others[0])} of a fact exclude each other; give one of them."
                )

    def _check_nodes(self) -> None:
        if self.for_nodes is None:
            return
        if self.for_node is not None:
            raise InputError("`for_node` and `for_nodes` exclude each other; give one of them.")
        if len(self.for_nodes) == 0:
            raise InputError("`for_nodes` is an empty list; name at least one node.")


_QUOTED = {
    "relations_of": "the relations of two nodes",
    "for_node": "the facts of a node on either side",
    "for_nodes": "the facts of some nodes on either side",
}


def _word(name: str) -> str:
    return {"for_node": "node", "for_nodes": "nodes", "relations_of": "relation"}.get(name, name)


def node_names(for_nodes: Iterable[NodeId] | None) -> tuple[NodeId, ...] | None:
    """The names of several nodes.

    Raises:
        InputError: If a single name was given.
    """
    if isinstance(for_nodes, str | int):
        raise InputError(f"`for_nodes` is a list of nodes, got {for_nodes!r}; one node is given as `for_node`.")
    return None if for_nodes is None else tuple(for_nodes)


def _distinct(nodes: IntArray) -> IntArray:
    """Each node once, in the order in which they were named."""
    return np.array(list(dict.fromkeys(nodes.tolist())), dtype=np.int64)


def find_hops(text: str) -> int | None:
    """The number of edges in ``hops:3``; None for ``all``.

    Raises:
        InputError: If the text is neither.
    """
    if text == "all":
        return None
    kind, _, number = text.partition(":")
    if kind != "hops" or not number.isdecimal() or not 2 <= int(number) <= 99:
        raise InputError(
            f"unknown candidates {text!r}; use 'all', 'hops:3' for pairs within three edges, or for facts 'roles'."
        )
    return int(number)
