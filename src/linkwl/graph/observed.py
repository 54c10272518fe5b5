"""The interface of graphs for models, splits and training, for edges and for triples."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import ClassVar, Protocol, Self, runtime_checkable

from linkwl.graph.features import Features
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import NodeIds
from linkwl.records import GraphRecord
from linkwl.typing import BoolArray, IntArray, Pairs, Queries, Task


@runtime_checkable
class Observed(Protocol):
    """An immutable graph of observed facts.

    A fact is an edge of a :class:`~linkwl.Graph` or a triple of a :class:`~linkwl.KnowledgeGraph`. A query has the
    same columns as a fact.

    Example:
        >>> import linkwl
        >>> graph = linkwl.load_dataset("airports")
        >>> isinstance(graph, linkwl.Observed), graph.task, graph.num_facts
        (True, 'pairs', 3017)
        >>> graph.without(graph.facts[:17]).num_facts  # a new graph; this one does not change
        3000
    """

    task: ClassVar[Task]
    """The kind of query."""

    @property
    def name(self) -> str:
        """The name of the graph."""

    @property
    def num_nodes(self) -> int:
        """Number of nodes, including isolated ones."""

    @property
    def ids(self) -> NodeIds:
        """The names of the nodes."""

    @property
    def query_columns(self) -> dict[str, NodeIds]:
        """The columns of a query by name, with the names allowed in each."""

    @property
    def is_directed(self) -> bool:
        """Whether a fact and its reverse are two facts."""

    @property
    def features(self) -> Features | None:
        """One row per node; None without features."""

    @property
    def num_features(self) -> int:
        """Width of the feature rows; 0 without features."""

    @property
    def digest(self) -> str:
        """SHA-256 of everything that a model may see; the graph's name and intake do not count."""

    @property
    def record(self) -> GraphRecord:
        """The graph's entry in a record."""

    @property
    def num_facts(self) -> int:
        """Number of distinct facts."""

    @property
    def facts(self) -> Queries:
        """The distinct facts in ascending order; int32."""

    @property
    def num_absent(self) -> int:
        """Number of possible queries that are not facts."""

    @property
    def density(self) -> float:
        """The share of all possible queries that are facts."""

    @property
    def links(self) -> Graph:
        """The undirected graph of the node pairs that some fact joins."""

    def absent(self, ranks: IntArray) -> Queries:
        """The queries that are not facts, at the given ascending ranks of their ascending order.

        Each has one rank below :attr:`num_absent`, so uniform ranks give uniform negatives.
        """

    def check_queries(self, queries: Queries) -> Queries:
        """Checks that the queries are about this graph; returns them as int32, with two or three columns.

        Raises:
            ValueError: If they have another shape, are not integers, or name something that does not exist.
        """

    def contains(self, queries: Queries) -> BoolArray:
        """Whether each query is a fact."""

    def without(self, queries: Queries) -> Self:
        """The same nodes without these facts; queries that are not facts change nothing."""

    def with_(self, queries: Queries) -> Self:
        """The same nodes with these additional facts."""

    def hider(self, queries: Queries) -> Callable[[IntArray], Self]:
        """A function from positions in ``queries`` to the graph without those, as :meth:`without` does.

        The queries are looked up once, no matter how often the function is called.
        """

    def cut(self, pairs: Pairs) -> Self:
        """The same nodes without any fact that joins one of these pairs of nodes, in either direction."""

    def subgraphs(self, label: IntArray, groups: Sequence[Collection[int]]) -> list[Self]:
        """The same nodes, for each group with only the facts whose label is in it.

        Args:
            label: A small non-negative integer for every fact.
            groups: Labels to keep, for each of the graphs.
        """

    def reserve(self, queries: Queries) -> Self:
        """Facts and queries together without names or features: the queries that negatives must avoid."""
