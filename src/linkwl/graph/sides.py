"""Whether the two ends of the edges are different kinds of things, and which nodes are on which side."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from linkwl.errors import InputError
from linkwl.graph.column_words import suggest_sides
from linkwl.graph.graph import Graph
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.reading import Choice
from linkwl.graph.sided_ids import SidedIds, numbers_if_all
from linkwl.typing import IntArray

_SAMPLE = 2000
_FEWEST_ROWS = 5
"""Fewer edges without a common name say nothing."""


class Sides(NamedTuple):
    """Whether two columns are two sides, and the notes on it."""

    are_separate: bool
    notes: tuple[str, ...] = ()


def decide_sides(
    asked: Choice,
    source: pa.ChunkedArray,
    target: pa.ChunkedArray,
    *,
    declared: bool | None = None,
    reason: str = "",
    names: tuple[str, str] | None = None,
) -> Sides:
    """Whether two columns of names are separate, as the sides of a bipartite graph.

    Without a request they are if the source declares it, if the columns are called as people and things
    (``user_id``, ``item_id``), or if one holds numbers and the other names.

    Args:
        asked: Whether separate sides are wanted.
        source: The names of the first ends.
        target: The names of the second ends.
        declared: Whether the source declares two sides, if it declares anything.
        reason: How it declares that, for the note.
        names: The names of the columns, if they have names.
    """
    if asked is True or asked is False:
        return Sides(asked, ("two sides, with names of their own",) if asked else ())
    if declared is not None:
        return Sides(declared, (f"two sides, as {reason}",) if declared else ())
    refusal = "--bipartite no reads one kind of nodes"
    if suggest_sides(names):
        assert names is not None
        return Sides(True, (f"two sides, because the columns are called `{names[0]}` and `{names[1]}`: {refusal}",))
    if _are_of_two_kinds(source, target):
        return Sides(True, (f"two sides, because one column holds numbers and the other names: {refusal}",))
    if _share_names(source, target):
        return Sides(False, ("not bipartite, because some names are in both columns",) if asked else ())
    if asked == "auto":
        return Sides(True, (f"two sides, because no name is in both columns: {refusal}",))
    hint = "no name is in both columns: if they are two kinds of things, use --bipartite"
    return Sides(False, (hint,) if len(source) >= _FEWEST_ROWS else ())


def _are_of_two_kinds(source: pa.ChunkedArray, target: pa.ChunkedArray) -> bool:
    """Whether one column holds whole numbers only, and the other no number."""
    if len(source) < _FEWEST_ROWS:
        return False
    for numbers, texts in ((source, target), (target, source)):
        if _are_numbers(numbers):
            return (
                pa.types.is_string(texts.type) and not pc.any(pc.match_substring_regex(texts, r"^\s*\d*\s*$")).as_py()
            )
    return False


def _are_numbers(names: pa.ChunkedArray) -> bool:
    return pa.types.is_integer(names.type) or all(
        pa.types.is_integer(numbers_if_all(part).type) for part in (names.slice(0, _SAMPLE), names)
    )


def _share_names(source: pa.ChunkedArray, target: pa.ChunkedArray) -> bool:
    """Whether a name is in both columns; a few rows of most graphs show it."""
    for columns in ((source.slice(0, _SAMPLE), target.slice(0, _SAMPLE)), (source, target)):
        one, other = (pc.unique(column) for column in columns)
        if not (pa.types.is_integer(one.type) and pa.types.is_integer(other.type)):
            one, other = (pc.utf8_trim_whitespace(names.cast(pa.string())) for names in (one, other))
        if pc.any(pc.is_in(one, value_set=other)).as_py():
            return True
    return False


def with_sides(graph: Graph, asked: Choice, first: IntArray, path: Path | None = None) -> Graph:
    """The graph with the two sides that its edges allow, if they are asked for and exist; nodes on the left come first.

    In every component most of the nodes in ``first``, the first ends of edges, are on the left; so are nodes without
    edges.

    Raises:
        InputError: If sides are asked for, and some nodes can be on neither.
    """
    if asked is None or asked is False:
        return graph
    part = two_sides(graph, first)
    if part is None:
        if asked == "auto":
            return graph.noted("not bipartite, because of a cycle of odd length")
        problem = "the graph is not bipartite: it has a cycle of odd length; leave out --bipartite."
        raise InputError(problem, path=path)
    order = np.argsort(part, kind="stable")
    place = np.empty(len(order), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    num_left = int((part == 0).sum())
    left, right = (NodeIds(graph.ids.take(nodes)) for nodes in (order[:num_left], order[num_left:]))
    edges = place[graph.edges]
    edges.sort(axis=1)
    sided = Graph.from_pairs(
        edges,
        graph.num_nodes,
        ids=SidedIds(left, right),
        name=graph.name,
        features=None if graph.features is None else graph.features[order],
        weight=graph.edge_weight,
        time=graph.edge_time,
        part=part[order],
        attributes=None if graph.attributes is None else graph.attributes.take(order),
    )
    return sided.noted("two sides, found by following the edges", intake=graph.intake)


def two_sides(graph: Graph, first: IntArray) -> IntArray | None:
    """The side of each node, 0 or 1, so that every edge joins the two sides; None if there is no such division.

    Every node is doubled, and an edge (p, q) joins the first p with the second q and the second p with the first q. A
    component is bipartite if the two copies of its nodes stay apart, which then are its sides.
    """
    n = graph.num_nodes
    adjacency = graph.links.to_scipy()
    _, label = connected_components(sp.block_array([[None, adjacency], [adjacency.T, None]]), directed=False)
    one, two = label[:n], label[n:]
    is_joined = graph.links.degree > 0
    if (one == two)[is_joined].any():
        return None
    side = one > two
    component = np.minimum(one, two)
    votes = np.bincount(component[first], np.where(side[first], 1.0, -1.0), minlength=2 * n)
    is_turned = votes[component] > 0  # most first ends are on the right
    return np.where(is_joined, side ^ is_turned, False).astype(np.int8)
