"""A graph of triples (head, relation, tail)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa

from linkwl.frames import to_frame
from linkwl.graph import csr
from linkwl.graph.digest import update_with_features
from linkwl.graph.division import Division
from linkwl.graph.entity_types import EntityTypes
from linkwl.graph.features import Features, checked_features, seal_features
from linkwl.graph.functional import FunctionalRelations, find_functional
from linkwl.graph.graph import Graph
from linkwl.graph.graph_view import knowledge_graph_html, triple_table
from linkwl.graph.incidence import Incidence, find_incidence
from linkwl.graph.intake import Intake
from linkwl.graph.integer_sets import distinct, find_places, pair_numbers, row_starts
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.queries import check_nodes, checked_pairs, checked_triples
from linkwl.ranges import equal_entries
from linkwl.records import GraphRecord
from linkwl.typing import BoolArray, IntArray, Pairs, Queries, Task


@dataclass(frozen=True, eq=False, repr=False)
class KnowledgeGraph:
    """An immutable set of triples (head, relation, tail), with node names, features and types.

    Build one with :meth:`from_triples`. Triples are distinct and ascend. A triple whose head is its tail is allowed, as
    a fact and as a query: there are n * r * n possible triples for n nodes and r relations.

    A triple is encoded as the integer ``(head * r + relation) * n + tail``, so that order, look-ups and ranks are those
    of integers.

    Example:
        >>> graph = KnowledgeGraph.from_triples([(0, 0, 1), (1, 1, 2), (0, 0, 1)], num_nodes=3, num_relations=2)
        >>> graph
        KnowledgeGraph('graph', 3 nodes, 2 relations, 2 triples)
        >>> graph.contains([(1, 1, 2), (2, 1, 1)]).tolist()
        [True, False]
        >>> graph.without([(0, 0, 1)])  # a new graph; a graph never changes
        KnowledgeGraph('graph', 3 nodes, 2 relations, 1 triples)
    """

    task: ClassVar[Task] = "triples"

    triples: Queries
    """The distinct triples in ascending order; int32, shape ``(num_triples, 3)``."""
    ids: NodeIds
    relations: NodeIds
    """The names of the relations."""
    features: Features | None = None
    name: str = "graph"
    intake: Intake | None = None
    """How the graph was read from its source, if it was."""
    division: Division | None = None
    """Which facts train, validate and test, if the authors of a benchmark say so; graphs of other facts have none."""
    types: EntityTypes | None = None
    """The types of the nodes, if they are known."""

    def __post_init__(self) -> None:
        self.triples.setflags(write=False)
        if self.num_nodes > csr.MAX_NODES or self.num_relations > csr.MAX_NODES or self._num_queries >= 2**63:
            raise ValueError(
                f"{self.num_nodes} nodes and {self.num_relations} relations make {self._num_queries} possible triples, "
                f"at most {2**63 - 1} are supported; leave out nodes or relations."
            )
        seal_features(self.features, self.num_nodes)
        if self.types is not None and self.types.num_nodes != self.num_nodes:
            raise ValueError(f"`types` must be of {self.num_nodes} nodes, got those of {self.types.num_nodes}.")

    @classmethod
    def from_triples(
        cls,
        triples: Queries | Sequence[Sequence[int]],
        num_nodes: int,
        num_relations: int,
        *,
        ids: NodeIds | None = None,
        relations: NodeIds | None = None,
        features: Features | None = None,
        types: EntityTypes | None = None,
        name: str = "graph",
        form: str = "triples",
        notes: tuple[str, ...] = (),
    ) -> KnowledgeGraph:
        """A graph from triples of indices; duplicates are merged.

        Args:
            triples: Indices of head, relation and tail, shape ``(num_rows, 3)``.
            num_nodes: Number of nodes, including those of no triple.
            num_relations: Number of relations.
            ids: The nodes' names; by default 0 .. n-1.
            relations: The relations' names; by default 0 .. r-1.
            features: One row per node.
            types: The types of the nodes.
            name: The graph's name.
            form: The kind of source, for the intake.
            notes: Decisions of the reader, for the intake.

        Raises:
            ValueError: If triples, names, features and types do not fit the numbers of nodes and relations.
        """
        ids = NodeIds(int(num_nodes)) if ids is None else ids
        relations = NodeIds(int(num_relations), kind="relation") if relations is None else relations
        for what, names, count in (("ids", ids, num_nodes), ("relations", relations, num_relations)):
            if len(names) != count:
                raise ValueError(f"`{what}` must have {count} names, got {len(names)}.")
        empty = cls(np.empty((0, 3), dtype=np.int32), ids, relations, features, name, types=types)
        rows = empty.check_queries(triples)
        facts = empty._triples(distinct(empty._numbers(rows)))
        intake = Intake(form, len(rows), 0, len(rows) - len(facts), 0, notes)
        return replace(empty, triples=facts, intake=intake)

    @property
    def query_columns(self) -> dict[str, NodeIds]:
        """Head, relation and tail."""
        return {"head": self.ids, "relation": self.relations, "tail": self.ids}

    @property
    def num_nodes(self) -> int:
        """Number of nodes, including those of no triple."""
        return len(self.ids)

    @property
    def num_relations(self) -> int:
        """Number of relations, including those of no triple."""
        return len(self.relations)

    @property
    def num_features(self) -> int:
        """Width of the feature rows; 0 without features."""
        return 0 if self.features is None else int(self.features.shape[1])

    @property
    def is_directed(self) -> bool:
        """Always true: head and tail have different roles."""
        return True

    @property
    def num_facts(self) -> int:
        """Number of distinct triples."""
        return len(self.triples)

    @property
    def facts(self) -> Queries:
        """The triples; see :class:`~linkwl.Observed`."""
        return self.triples

    @property
    def _num_queries(self) -> int:
        return self.num_nodes * self.num_relations * self.num_nodes

    @property
    def density(self) -> float:
        """The share of all possible triples that are facts."""
        return self.num_facts / max(self._num_queries, 1)

    @property
    def num_absent(self) -> int:
        """Number of possible triples that are not facts."""
        return self._num_queries - self.num_facts

    @cached_property
    def head_ptr(self) -> IntArray:
        """The triples of head h are ``triples[head_ptr[h] : head_ptr[h + 1]]``; int64, shape ``(num_nodes + 1,)``."""
        return row_starts(self.triples[:, 0], self.num_nodes)

    @cached_property
    def tail_order(self) -> IntArray:
        """Positions of the triples by ascending tail, and by position among those of one tail; int64."""
        order = np.argsort(self.triples[:, 2], kind="stable")
        order.setflags(write=False)
        return order

    @cached_property
    def tail_ptr(self) -> IntArray:
        """The triples of tail t are ``triples[tail_order[tail_ptr[t] : tail_ptr[t + 1]]]``; int64."""
        return row_starts(self.triples[self.tail_order, 2], self.num_nodes)

    @cached_property
    def incidence(self) -> Incidence:
        """The facts at every node, outgoing and incoming, in compressed rows; for kernels."""
        return find_incidence(self.triples, self.num_nodes, self.num_relations)

    @cached_property
    def links(self) -> Graph:
        """The undirected graph of the pairs of nodes that some triple joins; names and features are the same."""
        return Graph.from_columns(
            self.triples[:, 0],
            self.triples[:, 2],
            self.num_nodes,
            ids=self.ids,
            form="knowledge graph",
            features=self.features,
            name=self.name,
        )

    @cached_property
    def functional(self) -> FunctionalRelations:
        """The relations with one tail for each head, or one head for each tail."""
        return find_functional(self)

    def facts_between(self, pairs: Pairs) -> tuple[IntArray, IntArray]:
        """The facts from the first node to the second of each pair: the place of the pair, and the relation."""
        numbers, relations = self._relations_by_pair
        wanted = pairs[:, 0].astype(np.int64) * self.num_nodes + pairs[:, 1]
        owner, place = equal_entries(wanted, numbers)
        return owner, relations[place]

    @cached_property
    def loop_relations(self) -> BoolArray:
        """Whether each relation has a fact from a node to itself; shape ``(num_relations,)``."""
        head, relation, tail = self.triples.T
        found = np.zeros(self.num_relations, dtype=np.bool_)
        found[relation[head == tail]] = True
        found.setflags(write=False)
        return found

    @property
    def has_loops(self) -> bool:
        """Whether some fact is from a node to itself."""
        return bool(self.loop_relations.any())

    def absent(self, ranks: IntArray) -> Queries:
        """The triples that are not facts, at the given ascending ranks of their ascending order.

        Below the i-th fact there are ``number - i`` of them, so each rank is found by bisection.
        """
        ranks = np.asarray(ranks, dtype=np.int64)
        if len(ranks) and not (ranks[0] >= 0 and ranks[-1] < self.num_absent and (ranks[1:] >= ranks[:-1]).all()):
            raise ValueError(f"`ranks` must ascend within 0 .. {self.num_absent - 1}.")
        below = self._fact_numbers - np.arange(self.num_facts)
        return self._triples(ranks + np.searchsorted(below, ranks, side="right"))

    def check_queries(self, queries: Queries | Sequence[Sequence[int]]) -> Queries:
        """Checks that the triples are of this graph; returns them as int32, shape ``(num_triples, 3)``.

        Raises:
            ValueError: If they have another shape, are not integers, or name nodes or relations that do not exist.
        """
        array = checked_triples(queries)
        for column, what, count in (
            (0, "heads", self.num_nodes),
            (1, "relations", self.num_relations),
            (2, "tails", self.num_nodes),
        ):
            values = array[:, column]
            if len(values) and not 0 <= values.min() <= values.max() < count:
                raise ValueError(
                    f"`triples` must have {what} 0 .. {count - 1} of the graph, got {values.min()} .. {values.max()}."
                )
        return np.ascontiguousarray(array, dtype=np.int32)

    def contains(self, queries: Queries) -> BoolArray:
        """Whether each triple is a fact."""
        return self._find(queries) >= 0

    def without(self, queries: Queries) -> KnowledgeGraph:
        """The same nodes and relations without these triples; triples that are not facts change nothing."""
        return self.hider(queries)(np.arange(len(queries)))

    def hider(self, queries: Queries) -> Callable[[IntArray], KnowledgeGraph]:
        """A function from positions in ``queries`` to the graph without those triples, as :meth:`without` does.

        The triples are looked up once, no matter how often the function is called.
        """
        found = self._find(queries)

        def hide(places: IntArray) -> KnowledgeGraph:
            hidden = found[places]
            keep = np.ones(self.num_facts, dtype=np.bool_)
            keep[hidden[hidden >= 0]] = False
            return self.select(keep)

        return hide

    def cut(self, pairs: Pairs) -> KnowledgeGraph:
        """The same nodes without any triple between the two nodes of a pair, in either direction."""
        array = check_nodes(checked_pairs(pairs), self.num_nodes)
        joined = np.unique(pair_numbers(array[:, 0], array[:, 1], self.num_nodes))
        ends = pair_numbers(self.triples[:, 0], self.triples[:, 2], self.num_nodes)
        return self.select(find_places(joined, ends) < 0)

    def with_(self, queries: Queries) -> KnowledgeGraph:
        """The same nodes and relations with these additional triples."""
        return replace(self, triples=self._union(queries), intake=None, division=None)

    def reserve(self, queries: Queries) -> KnowledgeGraph:
        """Facts and queries together without names, features or types: the queries that negatives must avoid."""
        relations = NodeIds(self.num_relations, kind="relation")
        return KnowledgeGraph(self._union(queries), NodeIds(self.num_nodes), relations, name=self.name)

    def select(self, keep: BoolArray) -> KnowledgeGraph:
        """The same nodes and relations with only the triples ``triples[keep]``."""
        if keep.dtype != np.bool_ or keep.shape != (self.num_facts,):
            raise ValueError(f"`keep` must hold one flag per triple ({self.num_facts}), got {keep.dtype} {keep.shape}.")
        return replace(self, triples=self.triples[keep], intake=None, division=None)

    def subgraphs(self, label: IntArray, groups: Sequence[Collection[int]]) -> list[KnowledgeGraph]:
        """The same nodes and relations, for each group with only the triples whose label is in it.

        Args:
            label: A small non-negative integer for every triple.
            groups: Labels to keep, for each of the graphs.
        """
        return [self.select(np.isin(label, list(group))) for group in groups]

    def of_nodes(self, nodes: IntArray) -> KnowledgeGraph:
        """The graph of some nodes alone: the facts among them, with the nodes numbered anew and the same relations.

        Args:
            nodes: The nodes that stay, distinct and ascending.
        """
        number = np.full(self.num_nodes, -1)
        number[nodes] = np.arange(len(nodes))
        head, relation, tail = self.triples.T
        rows = np.stack([number[head], relation, number[tail]], axis=1)
        inside = rows[(rows[:, 0] >= 0) & (rows[:, 2] >= 0)].astype(np.int32)
        ids = NodeIds(self.ids.take(nodes))
        features = None if self.features is None else checked_features(self.features[nodes])
        types = None if self.types is None else self.types.take(nodes)
        return replace(self, triples=inside, ids=ids, features=features, types=types, intake=None, division=None)

    def with_features(self, features: Features | None) -> KnowledgeGraph:
        """The same graph with a copy of these node features."""
        return replace(self, features=None if features is None else checked_features(features))

    def with_types(self, types: EntityTypes | None) -> KnowledgeGraph:
        """The same graph with these types of its nodes."""
        return replace(self, types=types)

    def noted(self, *notes: str) -> KnowledgeGraph:
        """The same graph with further notes in its intake."""
        return self if self.intake is None else replace(self, intake=self.intake.noted(*notes))

    def with_relations(self, names: NodeIds) -> KnowledgeGraph:
        """The same facts with the relations of another graph, matched by name.

        The relations are ``names``, in their order, and then those of this graph that are not among them.
        """
        relations, index = names.extended(self.relations)
        if len(relations) == len(index) and (index == np.arange(len(index))).all():
            return self
        empty = replace(self, triples=self.triples[:0], relations=relations, intake=None, division=None)
        head, relation, tail = self.triples.T
        return empty.with_(np.stack([head, index[relation], tail], axis=1))

    @property
    def record(self) -> GraphRecord:
        """The graph's entry in a record."""
        return GraphRecord(self.name, self.num_nodes, self.num_facts, self.digest)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of nodes, relations, names, triples, features and types; name, intake and division do not count."""
        digest = hashlib.sha256(f"linkwl knowledge graph 1 {self.num_nodes} {self.num_relations} ".encode())
        self.ids.update_digest(digest)
        self.relations.update_digest(digest)
        digest.update(f"triples {self.num_facts}".encode())
        digest.update(np.ascontiguousarray(self.triples).data)
        update_with_features(digest, self.features)
        if self.types is not None:
            self.types.update_digest(digest)
        return digest.hexdigest()

    def __repr__(self) -> str:
        extra = f", {self.num_features} features" if self.features is not None else ""
        extra += f", {len(self.types.names)} types" if self.types is not None else ""
        counts = f"{self.num_nodes} nodes, {self.num_relations} relations, {self.num_facts} triples"
        return f"KnowledgeGraph({self.name!r}, {counts}{extra})"

    def to_arrow(self) -> pa.Table:
        """The facts by name: ``head``, ``relation`` and ``tail``."""
        return triple_table(self)

    def to_pandas(self) -> Any:
        """The table of :meth:`to_arrow` as a pandas data frame; needs pandas."""
        return to_frame(self.to_arrow())

    def _repr_html_(self) -> str:
        return knowledge_graph_html(self)

    @cached_property
    def _relations_by_pair(self) -> tuple[IntArray, IntArray]:
        """The pair of each fact as an integer, ascending, and its relation."""
        numbers = self.triples[:, 0].astype(np.int64) * self.num_nodes + self.triples[:, 2]
        order = np.argsort(numbers, kind="stable")
        return numbers[order], self.triples[order, 1]

    @cached_property
    def _fact_numbers(self) -> IntArray:
        return self._numbers(self.triples)

    def _numbers(self, triples: Queries) -> IntArray:
        """Each triple as an integer; the encoding preserves the order."""
        head, relation, tail = triples.astype(np.int64).T
        return (head * self.num_relations + relation) * self.num_nodes + tail

    def _triples(self, numbers: IntArray) -> Queries:
        """The triples that these integers encode."""
        row, tail = np.divmod(numbers, max(self.num_nodes, 1))
        head, relation = np.divmod(row, max(self.num_relations, 1))
        return np.stack([head, relation, tail], axis=1).astype(np.int32)

    def _find(self, queries: Queries) -> IntArray:
        """The position of each triple among the facts, or -1."""
        return find_places(self._fact_numbers, self._numbers(self.check_queries(queries)))

    def _union(self, queries: Queries) -> Queries:
        return self._triples(distinct(np.append(self._fact_numbers, self._numbers(self.check_queries(queries)))))
