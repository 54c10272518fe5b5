"""Every protocol by its name."""

from __future__ import annotations

from linkwl.errors import UnknownNameError
from linkwl.protocols.protocol import Protocol
from linkwl.splits import (
    DividedSplit,
    HardNegatives,
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
    UniformNegatives(),
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

PROTOCOLS: dict[str, Protocol] = {protocol.id: protocol for protocol in (PAPER, HITS, HEART, TEMPORAL, INDIGO)}
"""The protocols, in the order of lists."""


def find_protocol(name: str) -> Protocol:
    """The protocol with this name.

    Raises:
        UnknownNameError: If there is none.
    """
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS, remedy=f"Known: {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[name]
