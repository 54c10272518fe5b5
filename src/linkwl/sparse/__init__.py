"""Kernels on compressed rows: arrays in, arrays out."""

from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.join import join, join_left, join_right
from linkwl.sparse.neighbour_sum import neighbour_sum
from linkwl.sparse.segment_sum import segment_sum
from linkwl.sparse.triples import Triples
from linkwl.sparse.union_plan import UnionPlan, plan_unions
from linkwl.sparse.walk_plan import WalkPlan, plan_walks
from linkwl.sparse.walk_values import WalkTable, WalkValues
from linkwl.sparse.weighted_row_sums import weighted_row_sums

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
