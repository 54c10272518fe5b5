"""Decisions about missing links: which of them are accepted as links, and which are rejected."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from linkwl.typing import Queries

ACCEPTED, REJECTED, LATER = VERDICTS = ("accepted", "rejected", "later")
"""The verdicts of a decision; one that is put off for later says nothing."""


@dataclass(frozen=True, eq=False)
class Decisions:
    """Decisions about queries of a graph: pairs, or triples."""

    accepted: Queries
    """Queries that are to be facts and are none in the graph yet; distinct."""
    rejected: Queries
    """Queries that are known not to hold; distinct, and none of them is a fact of the graph."""
    num_known: int = 0
    """Number of accepted queries that are facts of the graph already."""
    num_later: int = 0
    """Number of decisions that were put off; they are not used."""

    def __bool__(self) -> bool:
        return len(self.accepted) + len(self.rejected) > 0

    @property
    def judged(self) -> Queries:
        """All queries with a verdict, accepted ones first."""
        return np.concatenate([self.accepted, self.rejected])

    def to_json(self) -> dict[str, Any]:
        """The entry in a training record: the numbers of each kind, and the queries by index."""
        return {
            "accepted": len(self.accepted),
            "rejected": len(self.rejected),
            "already known": self.num_known,
            "later": self.num_later,
            "accepted queries": self.accepted.tolist(),
            "rejected queries": self.rejected.tolist(),
        }


def decisions_text(counts: Mapping[str, Any]) -> str:
    """How many decisions of each kind there were, from the entry of a training record."""
    parts = [f"{counts['accepted']:,} accepted", f"{counts['rejected']:,} rejected"]
    if counts["already known"]:
        parts.append(f"{counts['already known']:,} accepted that the graph has already")
    if counts["later"]:
        parts.append(f"{counts['later']:,} for later, which are not used")
    return f"decisions: {', '.join(parts)}"
