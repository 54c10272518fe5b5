"""Kernels on compressed rows: arrays in, arrays out."""

from linkwl.sparse.common_neighbours import common_neighbour_sums
from linkwl.sparse.neighbour_sum import neighbour_sum

__all__ = ["common_neighbour_sums", "neighbour_sum"]
