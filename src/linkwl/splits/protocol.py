"""Protocols: what a number means."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from linkwl.errors import UnknownNameError
from linkwl.graph import Graph
from linkwl.splits.random_split import RandomSplit
from linkwl.splits.split import Split


@dataclass(frozen=True)
class Protocol:
    """A named way of measuring, stored with every result."""

    id: str
    split: RandomSplit
    seeds: int
    """How many splits a full measurement averages over; seed k draws split k."""
    metrics: tuple[str, ...]
    """The first one selects models, on validation targets."""
    negatives: str
    test_observes: tuple[str, ...]
    """Folds whose edges are observed at test time."""

    def apply(self, graph: Graph, seed: int) -> Split:
        """Splits ``graph``; directions are forgotten first."""
        return self.split.apply(graph.to_undirected(), seed, protocol=self.id)

    def to_json(self) -> dict[str, Any]:
        """The protocol as plain values, ratios beside its id; how many seeds were run is for the runs to say."""
        values = asdict(self)
        del values["seeds"]
        return {"id": values.pop("id"), **values.pop("split"), **values}


PAPER = Protocol(
    id="paper",
    split=RandomSplit(valid_ratio=0.05, test_ratio=0.10),
    seeds=10,
    metrics=("auc", "ap"),
    negatives="one uniform non-edge per positive, distinct, disjoint between folds",
    test_observes=("train", "valid"),
)

PROTOCOLS = {protocol.id: protocol for protocol in (PAPER,)}


def find_protocol(name: str) -> Protocol:
    """The protocol of that name."""
    if name not in PROTOCOLS:
        raise UnknownNameError("protocol", name, PROTOCOLS, remedy=f"Known: {', '.join(PROTOCOLS)}.")
    return PROTOCOLS[name]
