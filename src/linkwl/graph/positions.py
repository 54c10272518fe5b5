"""Where nodes are: on a map or in a plane."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np

from linkwl.errors import InputError
from linkwl.memory import check_memory
from linkwl.typing import BoolArray, FloatArray, IntArray, Pairs

Metric: TypeAlias = Literal["map", "plane"]
"""Great-circle distances between latitudes and longitudes in degrees, or straight lines."""

EARTH_KM = 6371.0
NUM_NEAREST = 32
"""Number of nearest nodes that are known of each node."""
_BYTES = 40.0
"""For each of them: indices and distances, in two copies."""


class Nearest(NamedTuple):
    """The nearest nodes of each node, closest first; shape ``(num_nodes, NUM_NEAREST)``."""

    nodes: IntArray
    """-1 where there are fewer, or the place of the node is unknown."""
    distance: FloatArray
    """In the unit of :attr:`Positions.points`; infinite where there are fewer."""


@dataclass(frozen=True, eq=False)
class Positions:
    """The coordinates of nodes.

    Example:
        >>> cities = Positions(np.array([[52.5, 13.4], [48.9, 2.4]]), "map")
        >>> cities.distances(np.array([[0, 1]])).round().tolist()
        [871.0]
    """

    coordinates: FloatArray
    """Latitude and longitude, or the coordinates in a plane or in space; NaN where unknown; float64."""
    metric: Metric

    def __post_init__(self) -> None:
        self.coordinates.setflags(write=False)

    @classmethod
    def of(cls, coordinates: Any, metric: Metric = "plane") -> Positions:
        """A copy of coordinates, one row per node.

        Raises:
            InputError: If they are no such matrix.
        """
        table = np.array(coordinates, dtype=np.float64)
        if table.ndim != 2 or not table.shape[1]:
            raise InputError(f"coordinates must be a matrix with one row per node, got shape {table.shape}.")
        return cls(np.where(np.isfinite(table).all(axis=1, keepdims=True), table, np.nan), metric)

    @cached_property
    def is_known(self) -> BoolArray:
        """Whether the place of each node is known."""
        return np.asarray(np.isfinite(self.coordinates).all(axis=1))

    @cached_property
    def points(self) -> FloatArray:
        """The places as points: of the plane, or of the surface of the Earth, in kilometres from its centre."""
        if self.metric == "plane":
            return np.ascontiguousarray(self.coordinates)
        latitude, longitude = np.radians(self.coordinates).T
        around = np.stack([np.cos(longitude), np.sin(longitude)], axis=1) * np.cos(latitude)[:, None]
        return EARTH_KM * np.column_stack([around, np.sin(latitude)])

    def distances(self, pairs: Pairs) -> FloatArray:
        """The distance of each pair, in kilometres on a map; NaN where a place is unknown."""
        return self.along_surface(_straight(self.points, pairs))

    def along_surface(self, straight: FloatArray) -> FloatArray:
        """The distances of points at these distances in a straight line."""
        if self.metric == "plane":
            return straight
        return 2 * EARTH_KM * np.arcsin(np.minimum(straight / (2 * EARTH_KM), 1.0))

    @cached_property
    def nearest(self) -> Nearest:
        """The nearest nodes of each node, found once by a k-d tree; equally near ones in the order of nodes."""
        from scipy.spatial import KDTree

        num_nodes = len(self.coordinates)
        what = f"finding the nearest of {num_nodes:,} nodes"
        check_memory(_BYTES * NUM_NEAREST * num_nodes, what, "leave the coordinates out")
        nodes = np.full((num_nodes, NUM_NEAREST), -1, dtype=np.int64)
        distance = np.full((num_nodes, NUM_NEAREST), np.inf)
        known = np.flatnonzero(self.is_known)
        width = min(NUM_NEAREST, len(known) - 1)
        if width < 1:
            return Nearest(nodes, distance)
        points = self.points[known]
        found = KDTree(points).query(points, k=width + 1)[1]
        found = _without_oneself(found)
        pairs = np.stack([np.repeat(known, width), known[found.reshape(-1)]], axis=1)
        exact = _straight(self.points, pairs).reshape(-1, width)
        order = np.lexsort((found, exact), axis=1)
        nodes[known, :width] = known[np.take_along_axis(found, order, axis=1)]
        distance[known, :width] = np.take_along_axis(exact, order, axis=1)
        return Nearest(nodes, distance)

    def num_listings(self, pairs: Pairs) -> IntArray:
        """Of how many ends of each pair the other end is among the nearest: 0, 1 or 2."""
        nodes = self.nearest.nodes
        listed = [(nodes[pairs[:, end]] == pairs[:, [1 - end]]).any(axis=1) for end in (0, 1)]
        return np.sum(listed, axis=0)


def _straight(points: FloatArray, pairs: Pairs) -> FloatArray:
    """Distances in a straight line, the same to the bit in both orders."""
    square = np.zeros(len(pairs))
    for axis in points.T:  # one after the other, as the kernels do
        square += (axis[pairs[:, 0]] - axis[pairs[:, 1]]) ** 2
    return np.sqrt(square)


def _without_oneself(found: IntArray) -> IntArray:
    """Each row without its own number; without its last one if its own is missing, among many at one place."""
    is_own = found == np.arange(len(found))[:, None]
    is_own[:, -1] |= ~is_own.any(axis=1)
    return found[~is_own].reshape(len(found), -1)
