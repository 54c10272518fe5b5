"""Classical heuristics: a closed-form similarity on the observed graph, with nothing to fit."""

from linkwl.models.heuristics.katz import Katz, KatzConfig
from linkwl.models.heuristics.neighbourhood import (
    AdamicAdar,
    CommonNeighbours,
    Jaccard,
    PreferentialAttachment,
    ResourceAllocation,
)
from linkwl.models.heuristics.ppr import PersonalisedPageRank, PersonalisedPageRankConfig
from linkwl.models.heuristics.simrank import SimRank, SimRankConfig

__all__ = [
    "AdamicAdar",
    "CommonNeighbours",
    "Jaccard",
    "Katz",
    "KatzConfig",
    "PersonalisedPageRank",
    "PersonalisedPageRankConfig",
    "PreferentialAttachment",
    "ResourceAllocation",
    "SimRank",
    "SimRankConfig",
]
