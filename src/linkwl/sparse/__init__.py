"""Kernels on compressed rows: arrays in, arrays out."""

from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.join import Triples, join, join_left, join_right
from linkwl.sparse.stars import Stars, at_stars, star_sums
from linkwl.sparse.sums import entry_sums, neighbour_sum, segment_sum, weighted_row_sums
from linkwl.sparse.typed_pairs import TypedPairs, ordered_pairs, unordered_pairs
from linkwl.sparse.union_plan import UnionPlan, plan_unions
from linkwl.sparse.walk_plan import WalkPlan, plan_walks
from linkwl.sparse.walks import WalkTable, WalkValues

__all__ = [
    "Stars",
    "Triples",
    "TypedPairs",
    "UnionPlan",
    "WalkPlan",
    "WalkTable",
    "WalkValues",
    "at_stars",
    "common_neighbour_sums",
    "entry_sums",
    "join",
    "join_left",
    "join_right",
    "neighbour_sum",
    "ordered_pairs",
    "plan_unions",
    "plan_walks",
    "segment_sum",
    "star_sums",
    "unordered_pairs",
    "weighted_row_sums",
]
