"""What a model reads of a graph."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Needs:
    """The inputs that a model uses or requires."""

    directed: bool = False
    """Whether it reads the directions of edges; the view of other models is undirected."""
    weights: bool = False
    """Whether it reads the weights of edges; to others, an edge is an edge."""
    features: bool = False
    """Whether it requires node features."""
    same_nodes: bool = False
    """Whether it knows only the nodes that it was trained on."""
    whole_graph: bool = False
    """Whether every score takes walks over the whole graph, and so long on a large one."""
