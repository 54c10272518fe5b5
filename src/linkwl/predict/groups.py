"""Groups of evidence about a pair: edges, or attributes of its two nodes, that can be removed together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from linkwl.graph import Graph
from linkwl.models.evidence import Evidence, EvidenceKind
from linkwl.typing import BoolArray, IntArray, Pairs

MOST_GROUPS = 4
"""Number of groups by default: all their combinations are sixteen."""
MOST_TERMS = 10
"""Number of groups of a score that is a sum; each takes one score."""
_MANY = 8
"""More shared neighbours than this are grouped by their degree."""
_SHOWN = 6
"""Number of paths of a group that are kept to be shown."""

Edge = tuple[int, int]
NodePath = tuple[int, ...]


@dataclass(frozen=True)
class Group:
    """Evidence that is removed together."""

    kind: EvidenceKind | Literal["together"]
    count: int
    """Number of shared neighbours, of paths, or of links; 0 for attributes. Of several groups, the sum."""
    edges: frozenset[Edge]
    """The edges to remove, in both directions."""
    paths: tuple[NodePath, ...]
    """Its paths or links, as nodes; the most informative first, and only the first of many."""
    degrees: tuple[int, int] = (0, 0)
    """The smallest and the largest degree of the shared neighbours."""
    is_rest: bool = False
    """Whether it collects what is left of its kind after others were listed one by one."""
    reaches_far: bool = False
    """Whether whatever lies farther away goes with it."""
    members: tuple[Group, ...] = ()
    """The groups that it unites, if it is of the kind ``together``."""

    @property
    def is_background(self) -> bool:
        """Whether it belongs to one of the nodes and not to both."""
        return self.kind == "links"


def pair_groups(graph: Graph, pair: tuple[int, int], evidence: Evidence, most: int = MOST_GROUPS) -> list[Group]:
    """The evidence about a pair in a few groups; no edge is in two of them.

    - *Shared neighbours*: the edges to both nodes. Those with the fewest links, which say most, are listed one by one;
      the others are grouped by degree.
    - *Paths of three edges*: the middle edge, so that the two nodes keep their links. Those between nodes with few
      links are listed one by one if there is room.
    - *Links*: all other links of each node: its degree, and whatever lies farther away.
    - *Reverse edge*, *features* of the two nodes and numbers of the pair, and their *places*, as far as there are any.

    Args:
        graph: The graph, without the edge from the first node to the second.
        pair: The two nodes.
        evidence: What the model reads.
        most: Number of groups, at most; one more for each kind that would have none.
    """
    p, q = pair
    kinds, links = evidence.kinds, graph.links
    is_of_p, is_of_q = (np.isin(np.arange(graph.num_nodes), links.neighbours(end)) for end in (p, q))
    shared = np.flatnonzero(is_of_p & is_of_q) if "neighbours" in kinds else np.empty(0, dtype=np.int64)
    shared = shared[np.argsort(links.degree[shared], kind="stable")]
    middle = _middle_edges(links, p, q) if "paths" in kinds else np.empty((0, 2), dtype=np.int64)
    others = _attributes(graph, pair, kinds)
    if "reverse" in kinds and graph.is_directed and graph.has_edges(np.array([(q, p)]))[0]:
        others.append(Group("reverse", 1, frozenset([(q, p)]), ((p, q),)))
    reaches_far = {"neighbours", "paths"} <= kinds
    own = [_links_of(links, end, {p, q}, shared, reaches_far) for end in (p, q)] if "links" in kinds else []
    own = [group for group in own if group.edges]
    if len(own) == 2 and most - len(others) - len(own) < min(3, len(shared) + len(middle)):
        own = [_links_of_both(*own)]
    room = max(most - len(others) - len(own), int(len(shared) > 0) + int(len(middle) > 0))
    for_paths = min(len(middle), max(room - len(shared), 1))
    neighbours = _neighbour_groups(links, p, q, shared, room - for_paths)
    return [*neighbours, *_path_groups(p, q, middle, for_paths, is_of_p, is_of_q), *others, *own]


def united(groups: Sequence[Group]) -> Group:
    """Several groups as one."""
    edges = frozenset(edge for group in groups for edge in group.edges)
    paths = tuple(path for group in groups for path in group.paths)
    return Group("together", sum(group.count for group in groups), edges, paths, members=tuple(groups))


def _attributes(graph: Graph, pair: tuple[int, int], kinds: Iterable[EvidenceKind]) -> list[Group]:
    """The groups of what is known about the two nodes."""
    known = graph.attributes
    has_places = known is not None and known.positions is not None and bool(known.positions.is_known[list(pair)].all())
    has_features = graph.features is not None or (known is not None and known.pairs is not None)
    found: list[tuple[EvidenceKind, bool]] = [("features", has_features), ("places", has_places)]
    return [Group(kind, 0, frozenset(), ()) for kind, is_there in found if is_there and kind in kinds]


def _links_of(links: Graph, node: int, pair: set[int], shared: IntArray, reaches_far: bool) -> Group:
    """The links of a node to others than these; those to nodes with few links are shown."""
    left_out = pair | set(shared.tolist())
    ends = np.array([end for end in links.neighbours(node).tolist() if end not in left_out], dtype=np.int64)
    ends = ends[np.argsort(links.degree[ends], kind="stable")]
    edges = [(node, end) for end in ends.tolist()]
    shown = tuple(edges[:_SHOWN])
    return Group("links", len(edges), frozenset(edges), shown, is_rest=len(shared) > 0, reaches_far=reaches_far)


def _links_of_both(first: Group, second: Group) -> Group:
    """The links of two nodes in one group."""
    half = _SHOWN // 2
    paths = (*first.paths[:half], *second.paths[:half])
    return replace(first, count=first.count + second.count, edges=first.edges | second.edges, paths=paths)


def _neighbour_groups(links: Graph, p: int, q: int, shared: IntArray, room: int) -> list[Group]:
    """Shared neighbours in so many groups; they come in ascending order of their degrees."""
    if len(shared) <= room:
        return [_neighbours(links, p, q, [node]) for node in shared.tolist()]
    if room < 1:
        return []
    if len(shared) <= _MANY or room < 3:
        parts = [shared[room - 1 :]]
    else:
        rest = shared[room - 2 :]
        degree = links.degree[rest]
        is_low = degree <= degree[(len(rest) - 1) // 2]
        is_low = is_low if not is_low.all() else degree < degree[-1]
        parts = [rest[is_low], rest[~is_low]] if is_low.any() else [rest]
    alone = shared[: len(shared) - sum(map(len, parts))]
    single = [_neighbours(links, p, q, [node]) for node in alone.tolist()]
    return single + [_neighbours(links, p, q, part.tolist(), is_rest=bool(single)) for part in parts]


def _neighbours(links: Graph, p: int, q: int, nodes: Sequence[int], *, is_rest: bool = False) -> Group:
    edges = frozenset(edge for node in nodes for edge in ((p, node), (node, q)))
    degree = links.degree[list(nodes)]
    paths = tuple((p, node, q) for node in nodes[:_SHOWN])
    return Group("neighbours", len(nodes), edges, paths, (int(degree.min()), int(degree.max())), is_rest)


def _middle_edges(links: Graph, p: int, q: int) -> Pairs:
    """The middle edges of paths of three edges, those between nodes with few links first."""
    of_p, of_q = (set(links.neighbours(end).tolist()) - {p, q} for end in (p, q))
    first, second = (of_p, of_q) if len(of_p) <= len(of_q) else (of_q, of_p)
    found = {(min(r, s), max(r, s)) for r in first for s in second.intersection(links.neighbours(r).tolist()) if r != s}
    edges = np.array(sorted(found), dtype=np.int64).reshape(-1, 2)
    return edges[np.argsort(links.degree[edges].prod(axis=1), kind="stable")]


def _path_groups(p: int, q: int, middle: Pairs, room: int, is_of_p: BoolArray, is_of_q: BoolArray) -> list[Group]:
    """Paths of three edges in so many groups, by their middle edges."""
    if not len(middle) or room < 1:
        return []
    num_single = len(middle) if len(middle) <= room else room - 1
    parts = [middle[k : k + 1] for k in range(num_single)]
    if num_single < len(middle):
        parts.append(middle[num_single:])
    groups: list[Group] = []
    for place, part in enumerate(parts):
        ways = [(p, r, s, q) for a, b in part.tolist() for r, s in ((a, b), (b, a)) if is_of_p[r] and is_of_q[s]]
        edges = frozenset((a, b) for a, b in part.tolist())
        groups.append(Group("paths", len(ways), edges, tuple(ways[:_SHOWN]), is_rest=0 < num_single == place))
    return groups
