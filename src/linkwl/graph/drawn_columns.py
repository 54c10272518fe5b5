"""Which attributes of nodes were computed from the links: layouts, and statistics of the graph.

A program that draws or analyses a graph writes its results into the file. They were computed from all links, also from
those that a split hides, so a model that reads them has seen the answers.
"""

from __future__ import annotations

from collections.abc import Sequence

from linkwl.graph.column_words import column_key

# fmt: off
_STATISTICS = {
    "degree", "indegree", "outdegree", "weighteddegree", "weightedindegree", "weightedoutdegree", "strength",
    "eccentricity", "closnesscentrality", "closenesscentrality", "closeness", "harmonicclosnesscentrality",
    "harmonicclosenesscentrality", "betweenesscentrality", "betweennesscentrality", "betweenness", "authority", "hub",
    "authorities", "hubs", "pagerank", "pageranks", "eigencentrality", "eigenvectorcentrality", "eigenvector",
    "centrality", "degreecentrality", "clustering", "clusteringcoefficient", "triangles", "coreness", "kcore", "core",
    "modularity", "modularityclass", "community", "cluster", "louvain", "leiden", "componentid", "component",
    "strongcompnum", "strongcomponentid", "statinfclass", "neighborhoodconnectivity", "neighbourhoodconnectivity",
    "averageshortestpathlength", "topologicalcoefficient", "radiality", "stress", "edgecount", "numberofdirectededges",
    "numberofundirectededges", "partnerofmultiedgednodepairs", "selfloops", "issinglenode",
}
"""What Gephi, Cytoscape, igraph and networkx call their statistics."""
_DRAWING = {
    "x", "y", "z", "size", "r", "g", "b", "a", "alpha", "color", "colour", "vx", "vy", "fx", "fy", "index", "fixed",
    "width", "height", "w", "h",
}
_SIGNS_OF_A_DRAWING = ({"r", "g", "b"}, {"vx", "vy"}, {"x", "y", "size"}, {"x", "y", "color"}, {"x", "y", "colour"})
# fmt: on
DRAWN = ("viz.", "graphics.", "pos.")
"""How the names of attributes begin that say where a program has drawn a node."""


def computed_columns(names: Sequence[str]) -> list[str]:
    """Those of the columns that look as if they were computed from the links.

    ``x`` and ``y`` alone can be real places; beside colours, sizes or velocities they are a drawing.

    Example:
        >>> computed_columns(["x", "y", "r", "g", "b", "age", "Modularity Class"])
        ['x', 'y', 'r', 'g', 'b', 'Modularity Class']
        >>> computed_columns(["x", "y", "age"])
        []
    """
    keys = {column_key(name) for name in names}
    is_drawing = any(sign <= keys for sign in _SIGNS_OF_A_DRAWING)
    found = _STATISTICS | (_DRAWING if is_drawing else set())
    return [name for name in names if column_key(name) in found or name.startswith(DRAWN)]


def drawn_place(names: Sequence[str]) -> str | None:
    """The coordinates of a drawing among the columns, in the words of ``--coordinates``, if there are any."""
    for prefix in DRAWN:
        if {f"{prefix}x", f"{prefix}y"} <= set(names):
            return f"plane:{prefix}x,{prefix}y"
    return None
