"""The kinds of evidence that the score of a pair may depend on."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias, get_args

EvidenceKind: TypeAlias = Literal["neighbours", "paths", "reverse", "links", "features", "places"]
"""Shared neighbours; paths of three edges; the edge from the second node to the first, in a directed graph; all other
links of the two nodes; what is known about the two nodes, and about the pair; their coordinates."""


class Evidence(NamedTuple):
    """What the score of a pair depends on."""

    kinds: frozenset[EvidenceKind]
    is_sum: bool = False
    """Whether the score is a sum of one term for each shared neighbour."""

    @classmethod
    def of(cls, *kinds: EvidenceKind, is_sum: bool = False) -> Evidence:
        """The evidence of these kinds."""
        return cls(frozenset(kinds), is_sum)


ANYTHING = Evidence(frozenset(get_args(EvidenceKind)))
WALKS = Evidence.of("neighbours", "paths", "reverse", "links")
"""Whatever the edges say."""
