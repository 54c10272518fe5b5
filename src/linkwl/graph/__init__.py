"""Graphs: the immutable value, its readers and converters."""

from linkwl.graph.build import build_graph
from linkwl.graph.division import Division, Labelled
from linkwl.graph.features import Features
from linkwl.graph.graph import Graph
from linkwl.graph.intake import Intake
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.load import load_graph
from linkwl.graph.node_ids import NodeId, NodeIds
from linkwl.graph.observed import Observed

__all__ = [
    "Division",
    "Features",
    "Graph",
    "Intake",
    "KnowledgeGraph",
    "Labelled",
    "NodeId",
    "NodeIds",
    "Observed",
    "build_graph",
    "load_graph",
]
