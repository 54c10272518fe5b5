"""Relations with one tail for each head, or one head for each tail, as far as the facts show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from linkwl.graph.integer_sets import distinct, find_places
from linkwl.graph.node_ids import NodeIds
from linkwl.typing import BoolArray, IntArray, Queries

if TYPE_CHECKING:
    from linkwl.graph.knowledge_graph import KnowledgeGraph

End: TypeAlias = Literal["tail", "head"]
"""The end of which there is one."""

FEWEST = 20
"""With fewer heads, a relation could have one tail for each by chance."""
LEAST_SHARE = 0.98
"""The least share of the heads that have exactly one tail; a few mistakes in the data do not matter."""
_SHOWN = 5


@dataclass(frozen=True, eq=False)
class FunctionalRelations:
    """Which relations are functional in the data, and which ends already have their only fact.

    A relation is functional if nearly every head has exactly one tail, such as a date of birth, and inverse functional
    if nearly every tail has exactly one head. Only the facts say so: a relation of which little is known may look like
    one. See :func:`find_functional`.
    """

    relations: NodeIds
    one_tail: BoolArray
    """Whether each relation is functional; shape ``(num_relations,)``."""
    one_head: BoolArray
    """Whether each relation is inverse functional."""
    heads: IntArray
    """Heads of functional relations as integers ``head * num_relations + relation``, ascending."""
    tails: IntArray
    """Tails of inverse functional relations in the same way."""

    def __bool__(self) -> bool:
        return bool(self.one_tail.any() or self.one_head.any())

    def second_tails(self, triples: Queries) -> BoolArray:
        """Whether each triple would give its head another tail under a functional relation."""
        return self._is_taken(triples[:, 0], triples[:, 1], self.one_tail, self.heads)

    def second_heads(self, triples: Queries) -> BoolArray:
        """Whether each triple would give its tail another head under an inverse functional relation."""
        return self._is_taken(triples[:, 2], triples[:, 1], self.one_head, self.tails)

    def names(self, end: End) -> list[str]:
        """The relations that have one tail for each head, or one head for each tail."""
        chosen = np.flatnonzero(self.one_tail if end == "tail" else self.one_head)
        return [str(self.relations[int(relation)]) for relation in chosen]

    def to_json(self) -> dict[str, list[str]]:
        """The names as values for JSON."""
        return {"one_tail": self.names("tail"), "one_head": self.names("head")}

    def to_text(self) -> str:
        """The relations in words: ``each head has one tail under has priority``; empty without any."""
        other: dict[End, End] = {"tail": "head", "head": "tail"}
        found = {end: self.names(end) for end in other}
        return "; ".join(
            f"each {other[end]} has one {end} under {', '.join(names[:_SHOWN])}{', ...' * (len(names) > _SHOWN)}"
            for end, names in found.items()
            if names
        )

    def _is_taken(self, node: IntArray, relation: IntArray, is_single: BoolArray, known: IntArray) -> BoolArray:
        found: BoolArray = is_single[relation]
        places = np.flatnonzero(found)
        numbers = node[places].astype(np.int64) * len(self.relations) + relation[places]
        found[places] = find_places(known, numbers) >= 0
        return found


def find_functional(graph: KnowledgeGraph) -> FunctionalRelations:
    """The relations that are functional, or inverse functional, in a graph; in time of sorting its facts.

    Example:
        >>> from linkwl import KnowledgeGraph
        >>> facts = [(k, 0, 20 + k % 3) for k in range(20)]
        >>> graph = KnowledgeGraph.from_triples(facts, 23, 1)
        >>> found = find_functional(graph)
        >>> found.to_text()
        'each head has one tail under 0'
        >>> found.second_tails(np.array([(0, 0, 21), (22, 0, 21)])).tolist()
        [True, False]
    """
    (one_tail, heads), (one_head, tails) = (_single(graph, column) for column in (0, 2))
    return FunctionalRelations(graph.relations, one_tail, one_head, heads, tails)


def _single(graph: KnowledgeGraph, column: int) -> tuple[BoolArray, IntArray]:
    """Whether nearly every node in a column has one fact of each relation, and the nodes of such relations."""
    count = graph.num_relations
    numbers = np.sort(graph.triples[:, column].astype(np.int64) * count + graph.triples[:, 1])
    nodes = distinct(numbers)
    has_one = np.diff(np.append(np.searchsorted(numbers, nodes), len(numbers))) == 1
    relation = nodes % max(count, 1)
    total = np.bincount(relation, minlength=count)
    single = np.bincount(relation, weights=has_one, minlength=count)
    is_single = (total >= FEWEST) & (single >= LEAST_SHARE * total)
    return is_single, nodes[is_single[relation]]
