"""What is drawn of a graph: its nodes with their places, if they are known, and its edges."""

from __future__ import annotations

from typing import Any

import numpy as np

from linkwl.graph import Graph
from linkwl.serving.state import Opened
from linkwl.typing import IntArray

MOST_NODES = 6000
MOST_EDGES = 150_000


def drawing_kind(opened: Opened) -> str:
    """``map`` if the nodes have latitudes and longitudes, else ``network``."""
    places = _positions(opened)
    return "map" if places is not None and places.metric == "map" else "network"


def drawing_of(opened: Opened) -> dict[str, Any]:
    """The drawing as values for JSON.

    Of a graph that is too large, the nodes of the likeliest missing links and those with the most links are drawn.
    """
    links = opened.graph.links
    nodes = shown_nodes(opened)
    place = np.full(links.num_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    edges = place[links.edges]
    edges = edges[(edges >= 0).all(axis=1)]
    places = _positions(opened)
    x = y = None
    if places is not None:
        first, second = places.coordinates[nodes, 0], places.coordinates[nodes, 1]
        x, y = (second, first) if places.metric == "map" else (first, second)
    return {
        "kind": drawing_kind(opened),
        "metric": None if places is None else places.metric,
        "x": None if x is None else _numbers(x),
        "y": None if y is None else _numbers(y),
        "degree": links.degree[nodes].tolist(),
        "edges": edges.reshape(-1).tolist(),
        "shown": None if len(nodes) == links.num_nodes else nodes.tolist(),
        "num_nodes": links.num_nodes,
    }


def shown_nodes(opened: Opened) -> IntArray:
    """The nodes that are drawn, in ascending order."""
    links = opened.graph.links
    if links.num_nodes <= MOST_NODES and links.num_edges <= MOST_EDGES:
        return np.arange(links.num_nodes)
    ranked = np.unique(opened.top.queries[:, [0, -1]])
    first = np.concatenate([ranked, np.argsort(-links.degree, kind="stable")])
    order = first[np.sort(np.unique(first, return_index=True)[1])]  # each node once, in this order
    count = min(MOST_NODES, len(order))
    while True:
        is_shown = np.zeros(links.num_nodes, dtype=np.bool_)
        is_shown[order[:count]] = True
        if count <= 2 or np.count_nonzero(is_shown[links.edges].all(axis=1)) <= MOST_EDGES:
            return np.flatnonzero(is_shown)
        count = 3 * count // 4


def _positions(opened: Opened) -> Any:
    """The places of the nodes, if they are on a map or in a plane."""
    graph = opened.graph
    known = graph.attributes if isinstance(graph, Graph) else None
    places = None if known is None else known.positions
    return places if places is not None and places.coordinates.shape[1] == 2 else None


def _numbers(values: Any) -> list[float | None]:
    return [round(value, 5) if np.isfinite(value) else None for value in values.tolist()]
