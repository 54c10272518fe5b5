"""Which test is finer than which, found on every link of every small graph and of the named witnesses."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import numpy as np
from scipy.sparse.csgraph import connected_components

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.typing import BoolArray, IntArray, Pairs
from linkwl.wl.case import Link
from linkwl.wl.engine import TESTS
from linkwl.wl.enumeration import all_graphs, canonical_form
from linkwl.wl.partition import partition_all
from linkwl.wl.witnesses import GRAPHS, WITNESSES

OnProgress = Callable[[int, int, str], None]
"""Called with the number of finished steps, the number of steps and the name of the next step."""

MAX_NODES = 8
"""Largest graphs that are enumerated; with 9 nodes there would be 274,668 graphs."""

SCOPES = {"any": "any two graphs", "connected": "both connected", "same": "same graph"}
"""Which links are compared with which."""

CLAIMS: tuple[tuple[str, str, str | None, str], ...] = (
    ("1-wl", "local-2-wl", "~", ""),
    ("1-wl", "2-wl", "<", ""),
    ("1-wl", "local-2-fwl", "<", ""),
    ("1-wl", "2-fwl", "<", ""),
    ("2-wl", "2-fwl", "<", ""),
    ("2-wl", "local-2-fwl", "inc", ""),
    ("local-2-fwl", "2-fwl", "<", "strictness not argued"),
    ("1-wl", "1-wl+01", "<", ""),
    ("2-wl", "1-wl+01", None, "not stated"),
    ("1-wl+01", "local-2-fwl", "inc", ""),
    ("1-wl+01", "2-fwl", "inc", "implied"),
    ("1-wl+01", "1-wl+drnl", None, "not stated"),
    ("1-wl+drnl", "local-2-fwl", None, "left open"),
    ("1-wl+drnl", "2-fwl", None, "left open"),
)
"""Two tests, their relation according to the paper (None if it states none) and a remark on it."""

CONTAINMENTS: tuple[tuple[str, str, str], ...] = (
    ("1-wl", "local-2-wl", "any"),
    ("local-2-wl", "1-wl", "any"),
    ("local-2-wl", "2-wl", "any"),
    ("2-wl", "2-fwl", "any"),
    ("local-2-wl", "local-2-fwl", "any"),
    ("local-2-fwl", "2-fwl", "any"),
    ("1-wl", "1-wl+01", "any"),
    ("1-wl+01", "1-wl+drnl", "any"),
    ("2-wl", "1-wl", "same"),
    ("2-wl", "local-2-fwl", "met"),
    ("2-wl", "1-wl+01", "met"),
)
"""Proved containments: in this scope the second test distinguishes every two links that the first does.

The scope ``met`` holds the links that have an end in every component.
"""


@dataclass(frozen=True)
class Place:
    """A link and its graph."""

    graph: str
    num_nodes: int
    edges: tuple[Link, ...] | None
    """None for a witness graph larger than those enumerated, which is identified by its name."""
    link: Link


@dataclass(frozen=True)
class Separation:
    """The smallest two links found that one test distinguishes and another does not.

    Links are ordered by the nodes of their graph, then by its edges; the later link comes as early as possible, and so
    does the earlier one.
    """

    equal: str
    different: str
    scope: str
    first: Place
    second: Place
    witness: str | None
    """The id in :data:`~linkwl.wl.witnesses.WITNESSES`, if these two links are a named witness."""
    alike: tuple[str, ...]
    """All the tests under which the two links are equal; under the others they differ."""

    @property
    def is_enumerated(self) -> bool:
        """Whether both graphs are among those enumerated, so that there is nothing smaller."""
        return self.second.edges is not None


@dataclass(frozen=True)
class Cell:
    """How two tests relate on the links of one scope: ``~``, ``<`` (the second is finer), ``>`` or ``inc``."""

    relation: str
    """On the enumerated graphs and the named witnesses."""
    enumerated: str
    """On the enumerated graphs alone."""
    separations: tuple[Separation, ...]
    """The smallest witness of every difference."""


@dataclass(frozen=True)
class Row:
    """Two tests: their relation in each scope, and according to the paper."""

    first: str
    second: str
    paper: str | None
    remark: str
    cells: dict[str, Cell]
    """By scope."""

    @property
    def verdict(self) -> str:
        """How far the paper's relation holds."""
        if self.paper is None:
            return self.remark
        holds = tuple(self.cells[scope].relation == self.paper for scope in SCOPES)
        verdict = _VERDICTS.get(holds, "not so")
        return f"{verdict} ({self.remark})" if self.remark else verdict


_VERDICTS: dict[tuple[bool, ...], str] = {
    (True, True, True): "correct",
    (True, True, False): "only between graphs",
    (True, False, False): "only with a component that misses the link",
}


@dataclass(frozen=True)
class RelationTable:
    """How the tests relate on all graphs up to a size and on larger named witnesses."""

    max_nodes: int
    engine: str
    num_graphs: int
    """Number of enumerated graphs."""
    num_links: int
    """Number of their ordered non-adjacent links."""
    named: tuple[str, ...]
    """Names of the larger witness graphs."""
    classes: dict[str, int]
    """Number of classes of the enumerated links under each test."""
    rows: tuple[Row, ...]
    violations: tuple[Separation, ...]
    """Links that contradict :data:`CONTAINMENTS`; there should be none."""

    def to_json(self) -> str:
        """The table as JSON text."""
        values = asdict(self)
        for row, found in zip(values["rows"], self.rows, strict=True):
            row["verdict"] = found.verdict
        return json.dumps(values, indent=2) + "\n"


@dataclass(frozen=True, eq=False)
class ColouredLinks:
    """Links in ascending order of their graphs' nodes and edges, with their classes under each test."""

    max_nodes: int
    """Graphs with more nodes are named witnesses."""
    engine: str
    graphs: Sequence[Graph]
    graph_of: IntArray
    """The index in ``graphs`` of every link's graph."""
    links: Pairs
    is_connected: BoolArray
    """Whether the link's graph is connected."""
    is_met: BoolArray
    """Whether every component of the graph has an end of the link."""
    classes: dict[str, IntArray]

    def within(self, scope: str) -> tuple[IntArray, Callable[[str], IntArray]]:
        """The positions of the links of a scope, and a function from a test to their classes."""
        everywhere = np.ones(len(self.links), dtype=np.bool_)
        places = np.flatnonzero({"connected": self.is_connected, "met": self.is_met}.get(scope, everywhere))
        own = self.graph_of[places] if scope == "same" else 0
        return places, lambda test: self.classes[test][places] * len(self.graphs) + own


def relation_table(
    max_nodes: int = 6, *, engine: str = "exact", on_progress: OnProgress | None = None
) -> RelationTable:
    """How the seven tests relate on non-adjacent links, found by enumeration.

    Takes every ordered non-adjacent link of every graph with 2 .. ``max_nodes`` nodes, and the links of the named
    witnesses in larger graphs, and colours them together. The graphs are observed graphs, without the target's edge.
    Takes seconds for 6 nodes, half a minute for 7, minutes for 8.

    Args:
        max_nodes: Number of nodes of the largest enumerated graphs, 2 to 8.
        engine: ``exact`` (dictionaries) or ``fast`` (hashing).
        on_progress: Called before every step and at the end.

    Raises:
        InputError: If ``max_nodes`` is out of range.

    Example:
        >>> row = relation_table(4).rows[1]
        >>> row.first, row.second, [cell.relation for cell in row.cells.values()], row.verdict
        ('1-wl', '2-wl', ['<', '<', '~'], 'only between graphs')
    """
    steps = ("graphs", *TESTS, "relations")
    report = on_progress or (lambda done, total, what: None)
    coloured = colour_links(max_nodes, engine=engine, on_step=lambda what: report(steps.index(what), len(steps), what))
    report(len(steps) - 1, len(steps), steps[-1])
    table = tabulate(coloured)
    report(len(steps), len(steps), "done")
    return table


def colour_links(
    max_nodes: int, *, engine: str = "exact", on_step: Callable[[str], None] | None = None
) -> ColouredLinks:
    """The links of :func:`relation_table`, with their classes."""
    if not 2 <= max_nodes <= MAX_NODES:
        raise InputError(
            f"cannot enumerate all graphs with up to {max_nodes} nodes; choose a number of nodes from 2 to {MAX_NODES}."
        )
    on_step = on_step or (lambda what: None)
    on_step("graphs")
    targets = [*_enumerated(max_nodes), *_named(max_nodes)]
    components = [connected_components(graph.to_scipy(), directed=False) for graph, _ in targets]
    sizes = [len(links) for _, links in targets]
    count = np.repeat([number for number, _ in components], sizes)
    touched = [1 + np.not_equal(*own[links.T]) for (_, own), (_, links) in zip(components, targets, strict=True)]
    classes = {}
    for test in TESTS:
        on_step(test)
        classes[test] = np.concatenate(partition_all(targets, test, engine=engine))
    return ColouredLinks(
        max_nodes,
        engine,
        graphs=[graph for graph, _ in targets],
        graph_of=np.repeat(np.arange(len(targets)), sizes),
        links=np.concatenate([links for _, links in targets]),
        is_connected=count == 1,
        is_met=count == np.concatenate(touched),
        classes=classes,
    )


def tabulate(coloured: ColouredLinks) -> RelationTable:
    """Builds the table, with any violations of the containments, from coloured links."""
    sizes = np.array([graph.num_nodes for graph in coloured.graphs])
    enumerated = sizes[coloured.graph_of] <= coloured.max_nodes
    violations = (smallest_separation(coloured, fine, coarse, scope) for coarse, fine, scope in CONTAINMENTS)
    return RelationTable(
        max_nodes=coloured.max_nodes,
        engine=coloured.engine,
        num_graphs=int((sizes <= coloured.max_nodes).sum()),
        num_links=int(enumerated.sum()),
        named=tuple(graph.name for graph in coloured.graphs if graph.num_nodes > coloured.max_nodes),
        classes={test: len(np.unique(classes[enumerated])) for test, classes in coloured.classes.items()},
        rows=tuple(
            Row(first, second, paper, remark, {scope: _cell(coloured, first, second, scope) for scope in SCOPES})
            for first, second, paper, remark in CLAIMS
        ),
        violations=tuple(violation for violation in violations if violation is not None),
    )


def smallest_separation(coloured: ColouredLinks, equal: str, different: str, scope: str) -> Separation | None:
    """The smallest two links of a scope that are equal under one test and different under another, or None.

    The links are in ascending order. The first link that differs from the first of its class is the later one of the
    two: all links before it in that class were equal.
    """
    places, classes = coloured.within(scope)
    found = first_split(classes(equal), classes(different))
    if found is None:
        return None
    i, j = places[list(found)].tolist()
    first, second = _place(coloured, i), _place(coloured, j)
    alike = tuple(test for test, own in coloured.classes.items() if own[i] == own[j])
    return Separation(equal, different, scope, first, second, _witness_id(first, second), alike)


def first_split(coarse: IntArray, fine: IntArray) -> tuple[int, int] | None:
    """The first of a class of ``coarse`` and the first later position whose class in ``fine`` differs from it."""
    _, index, inverse = np.unique(coarse, return_index=True, return_inverse=True)
    first = index[inverse]
    differs = np.flatnonzero(fine != fine[first])
    return (int(first[differs[0]]), int(differs[0])) if len(differs) else None


def _cell(coloured: ColouredLinks, first: str, second: str, scope: str) -> Cell:
    ways = [smallest_separation(coloured, *way, scope) for way in ((first, second), (second, first))]
    return Cell(
        relation=_RELATIONS[ways[0] is not None, ways[1] is not None],
        enumerated=_RELATIONS[tuple(way is not None and way.is_enumerated for way in ways)],
        separations=tuple(way for way in ways if way is not None),
    )


_RELATIONS: dict[tuple[bool, ...], str] = {
    (False, False): "~",
    (True, False): "<",
    (False, True): ">",
    (True, True): "inc",
}
"""Keys: whether the second test separates links that the first does not, and vice versa."""


def _enumerated(max_nodes: int) -> list[tuple[Graph, Pairs]]:
    """All graphs with all their non-adjacent links; a named graph keeps the node numbers of :data:`GRAPHS`."""
    named = {canonical_form(graph).name: graph for graph in GRAPHS.values() if graph.num_nodes <= max_nodes}
    graphs = [named.get(graph.name, graph) for n in range(2, max_nodes + 1) for graph in all_graphs(n)]
    return [(graph, _non_adjacent(graph)) for graph in graphs]


def _non_adjacent(graph: Graph) -> Pairs:
    """Both directions of every non-edge, in ascending order."""
    pairs = graph.non_edges(np.arange(graph.num_non_edges))
    return np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)


def _named(max_nodes: int) -> list[tuple[Graph, Pairs]]:
    """The links of the witnesses in larger graphs, by size."""
    links: dict[str, set[Link]] = {}
    for graph, link in (place for witness in WITNESSES.values() for place in (witness.first, witness.second)):
        if graph.num_nodes > max_nodes:
            links.setdefault(graph.name, set()).add(link)
    targets = [(GRAPHS[name], np.array(sorted(own), dtype=np.int32)) for name, own in links.items()]
    return sorted(targets, key=lambda target: (target[0].num_nodes, target[0].num_edges))


def _place(coloured: ColouredLinks, i: int) -> Place:
    graph = coloured.graphs[coloured.graph_of[i]]
    p, q = coloured.links[i].tolist()
    edges = tuple((u, v) for u, v in graph.edges.tolist()) if graph.num_nodes <= coloured.max_nodes else None
    return Place(graph.name, graph.num_nodes, edges, (p, q))


def _witness_id(*places: Place) -> str | None:
    links = {(place.graph, place.link) for place in places}
    for witness in WITNESSES.values():
        if links == {(graph.name, link) for graph, link in (witness.first, witness.second)}:
            return witness.id
    return None
