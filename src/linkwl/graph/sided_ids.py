"""The names of the nodes of a bipartite graph whose two sides have names of their own."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import InputError
from linkwl.graph.node_ids import NodeId, NodeIds, whole_numbers
from linkwl.typing import IntArray

_MARKS = ("left:", "right:")


class SideIds(NodeIds):
    """The names of all nodes, each as its own side calls it; only those on one side can be found.

    Args:
        values: The names on the left, then those on the right; the same name may be on both.
        names: The names on this side.
        first: The index of its first node in the whole graph.
    """

    def __init__(self, values: pa.Array, names: NodeIds, first: int) -> None:
        super().__init__(values)
        self._names, self._first = names, first

    def find(self, names: pa.Array | pa.ChunkedArray) -> IntArray:
        """The index of each name, or -1 for names that are not on this side."""
        found = self._names.find(names)
        return np.where(found < 0, -1, found + self._first)

    def around(self, name: str, count: int = 10_000) -> list[NodeId]:
        """Names on this side to search for one like ``name``."""
        return self._names.around(name, count)


class SidedIds(NodeIds):
    """The names of the nodes on the left, then those on the right.

    A name on one side only is its node's name in the whole graph. If some names are on both sides, then all nodes are
    called ``left:NAME`` and ``right:NAME``, and a plain name is understood where it is on one side only.

    Args:
        left: The names on the left.
        right: The names on the right.

    Example:
        >>> ids = SidedIds(NodeIds(pa.array([1, 2])), NodeIds(pa.array([2, 3])))
        >>> list(ids), ids.indices([1, 3, "right:2"]).tolist(), ids.right.take(np.array([2, 3])).to_pylist()
        (['left:1', 'left:2', 'right:2', 'right:3'], [0, 3, 2], [2, 3])
    """

    def __init__(self, left: NodeIds, right: NodeIds) -> None:
        self.num_left = len(left)
        self.is_marked = bool((left.find(right.to_arrow()) >= 0).any())
        sides = [left.to_arrow(), right.to_arrow()]
        if sides[0].type != sides[1].type:
            sides = [side.cast(pa.string()) for side in sides]
        plain = pa.concat_arrays(sides)
        self.left, self.right = SideIds(plain, left, 0), SideIds(plain, right, len(left))
        if self.is_marked:
            texts = (side.cast(pa.string()) for side in sides)
            sides = [pc.binary_join_element_wise(mark, side, "") for mark, side in zip(_MARKS, texts, strict=True)]
        super().__init__(pa.concat_arrays(sides))

    @classmethod
    def split(cls, names: NodeIds, num_left: int, is_marked: bool) -> SidedIds:
        """The two sides of names that were joined, of which the first ``num_left`` are on the left.

        Raises:
            ValueError: If they are not the names of two sides.
        """
        values = names.to_arrow()
        sides = [values.slice(0, num_left), values.slice(num_left)]
        if is_marked:
            sides = [pc.utf8_slice_codeunits(side, len(mark)) for side, mark in zip(sides, _MARKS, strict=True)]
        sided = cls(*(NodeIds(numbers_if_all(side)) for side in sides))
        if not sided.to_arrow().equals(values):
            raise ValueError("these are not the names of two sides.")
        return sided

    def find(self, names: pa.Array | pa.ChunkedArray) -> IntArray:
        """The index of each name, or -1 for unknown names and for plain names that are on both sides."""
        found = super().find(names)
        if not self.is_marked:
            return found
        left, right = self.left.find(names), self.right.find(names)
        plain = np.where(right < 0, left, np.where(left < 0, right, -1))
        return np.where(found < 0, plain, found)

    def indices(self, names: Iterable[NodeId]) -> IntArray:
        """The index of each name.

        Raises:
            InputError: If a name is on both sides.
            UnknownNameError: If a name is unknown; the nearest names are suggested.
        """
        wanted = list(names)
        for name in wanted if self.is_marked else ():
            both = pa.array([str(name)], pa.string())
            if self.left.find(both)[0] >= 0 and self.right.find(both)[0] >= 0:
                raise InputError(f"{str(name)!r} is on both sides; write 'left:{name}' or 'right:{name}'.")
        return super().indices(wanted)

    def around(self, name: str, count: int = 10_000) -> list[NodeId]:
        """Names on both sides to search for one like ``name``."""
        return list(dict.fromkeys([*self.left.around(name, count), *self.right.around(name, count)]))


def numbers_if_all(names: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Names as integers if all of them are plain whole numbers, as those on one side may be; else as they are."""
    if pa.types.is_integer(names.type) or len(names) == 0:
        return names
    numbers = whole_numbers(pc.utf8_trim_whitespace(names.cast(pa.string())))
    return names if numbers.null_count else numbers
