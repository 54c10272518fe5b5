"""Graphs: the immutable value, its readers and converters."""

from linkwl.graph.build import build_graph, build_knowledge_graph
from linkwl.graph.division import Division, Labelled
from linkwl.graph.entity_types import EntityTypes
from linkwl.graph.features import Features
from linkwl.graph.graph import Graph
from linkwl.graph.incidence import Incidence
from linkwl.graph.intake import Intake
from linkwl.graph.knowledge_graph import KnowledgeGraph
from linkwl.graph.load import load_graph
from linkwl.graph.node_ids import NodeId, NodeIds
from linkwl.graph.observed import Observed
from linkwl.graph.reading import Reading

__all__ = [
    "Division",
    "EntityTypes",
    "Features",
    "Graph",
    "Incidence",
    "Intake",
    "KnowledgeGraph",
    "Labelled",
    "NodeId",
    "NodeIds",
    "Observed",
    "Reading",
    "build_graph",
    "build_knowledge_graph",
    "load_graph",
]
