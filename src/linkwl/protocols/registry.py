"""Every protocol by its name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from linkwl.errors import UnknownNameError
from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.metrics import find_metric
from linkwl.protocols.protocol import Protocol
from linkwl.splits import (
    DividedSplit,
    EntityCorruptions,
    EntitySplit,
    HardNegatives,
    KnownNegatives,
    LabelledNegatives,
    RandomSplit,
    TemporalSplit,
    UniformNegatives,
)

PAPER = Protocol("paper", RandomSplit(valid_ratio=0.05, test_ratio=0.10), UniformNegatives(), ("auc", "ap"))
"""The setting of the paper's tables 1 and 2."""

HITS = Protocol(
    "hits",
    RandomSplit(valid_ratio=0.10, test_ratio=0.20),
    UniformNegatives(),
    ("hits@100", "hits@50", "mrr", "auc"),
)
"""70/10/20 and one pool of negatives, the setting in which BUDDY, NCN and Refined-GAE are measured."""

HEART = Protocol("heart", RandomSplit(valid_ratio=0.05, test_ratio=0.10), HardNegatives(), ("mrr", "hits@10"))
"""Each positive against 500 hard corruptions of its ends, after HeaRT."""

TEMPORAL = Protocol(
    "temporal",
    TemporalSplit(valid_ratio=0.05, test_ratio=0.10),
    KnownNegatives(),
    ("auc", "ap", "precision@10"),
    seeds=3,
)
"""The past is observed, the future predicted; seeds differ only in negatives and training."""

INDIGO = Protocol(
    "indigo",
    DividedSplit(),
    LabelledNegatives(),
    ("acc", "auc", "relation-hits@3", "relation-hits@3-pessimistic"),
    selects="acc+auc+relation-hits@3",
)
"""The setting of the paper's table 3: triples against uniform ones, and each relation among all relations."""

FACTS = replace(INDIGO, id="facts", metrics=("acc", "auc"), selects="acc+auc")
"""The same without the ranking of relations, for graphs with few of them."""

_ENTITY_METRICS = ("mrr", "hits@1", "hits@3", "hits@10")

ENTITIES = Protocol("entities", DividedSplit(), EntityCorruptions(), _ENTITY_METRICS, seeds=5)
"""Each fact among all entities as its tail, and as its head; known facts are left out."""

ENTITIES_50 = Protocol("entities-50", DividedSplit(), EntityCorruptions(count=50), _ENTITY_METRICS, seeds=5)
"""Each fact among 50 random entities on either side, the setting of GraIL."""

ENTITIES_ROLES = Protocol("entities-roles", DividedSplit(), EntityCorruptions(roles=True), _ENTITY_METRICS, seeds=5)
"""Each fact among the entities that already have the same role."""

ENTITIES_UNSEEN = Protocol("entities-unseen", EntitySplit(), EntityCorruptions(), _ENTITY_METRICS, seeds=5)
"""Facts about entities that training has never seen, each among all of them."""

PROTOCOLS: dict[str, Protocol] = {
    protocol.id: protocol
    for protocol in (
        PAPER,
        HITS,
        HEART,
        TEMPORAL,
        INDIGO,
        FACTS,
        ENTITIES,
        ENTITIES_50,
        ENTITIES_ROLES,
        ENTITIES_UNSEEN,
    )
}
"""The protocols, in the order of lists."""


def protocol_for(graph: Observed) -> Protocol:
    """The protocol that a model for use is trained under: ``paper`` for pairs, ``indigo`` for triples.

    Pairs with different times have ``temporal``: what is asked of such a graph is its future.
    ``indigo`` ranks the relation of a fact among the first three, so some pairs of nodes need three other relations
    that are not known to join them. Triples of too few relations for that have the protocol ``facts``.
    """
    if isinstance(graph, Graph):
        return PAPER if graph.time is None or np.ptp(graph.time) == 0 else TEMPORAL
    assert isinstance(graph, KnowledgeGraph)
    if graph.num_facts == 0:
        return FACTS
    head, relation, tail = graph.triples.T
    _, relations_of_pair = np.unique(head.astype(np.int64) * graph.num_nodes + tail, return_counts=True)
    num_other = len(np.unique(relation)) - int(relations_of_pair.max())
    return INDIGO if num_other >= max(find_metric(name).min_relations for name in INDIGO.metrics) else FACTS


def find_protocol(name: str) -> Protocol:
    """The protocol with this name.

    Raises:
        UnknownNameError: If there is none.
    """
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS, remedy=f"Known: {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[name]
