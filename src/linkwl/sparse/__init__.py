"""Kernels on compressed rows: arrays in, arrays out."""

from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.join import Triples, join, join_left, join_right
from linkwl.sparse.sums import neighbour_sum, segment_sum, weighted_row_sums
from linkwl.sparse.union_plan import UnionPlan, plan_unions
from linkwl.sparse.walk_plan import WalkPlan, plan_walks
from linkwl.sparse.walks import WalkTable, WalkValues

__all__ = [
    "Triples",
    "UnionPlan",
    "WalkPlan",
    "WalkTable",
    "WalkValues",
    "common_neighbour_sums",
    "join",
    "join_left",
    "join_right",
    "neighbour_sum",
    "plan_unions",
    "plan_walks",
    "segment_sum",
    "weighted_row_sums",
]
