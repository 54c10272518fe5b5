"""The names of nodes and relations in the source, mapped to the indices 0 .. n-1."""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from linkwl.errors import UnknownNameError
from linkwl.typing import IntArray

NodeId = int | str


class NodeIds:
    """An immutable, ordered set of node names.

    Names are integers or strings, in ascending order, so that the same edges in another order of lines give the same
    graph. The names 0 .. n-1 need no table.

    Args:
        values: The distinct names, ascending, as an Arrow array of int64 or of strings; or the number of nodes,
            for the names 0 .. n-1.
        kind: The kind of thing that is named, for messages.

    Example:
        >>> ids = NodeIds(pa.array(["ann", "bob"]))
        >>> ids[1], ids.indices(["bob", "ann"]).tolist()
        ('bob', [1, 0])
    """

    def __init__(self, values: pa.Array | int, kind: str = "node") -> None:
        self._kind = kind
        if isinstance(values, int):
            self._values, self._count = None, values
        else:
            self._values, self._count = values, len(values)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> NodeId:
        if not -self._count <= index < self._count:
            raise IndexError(f"{self._kind} index {index} is out of range for {self._count} {self._kind}s.")
        index = int(index) % self._count
        return index if self._values is None else self._values[index].as_py()

    def __iter__(self) -> Iterator[NodeId]:
        return iter(self.to_arrow().to_pylist())

    @property
    def is_range(self) -> bool:
        """Whether the names are 0 .. n-1."""
        return self._values is None

    @property
    def are_numbers(self) -> bool:
        """Whether the names are integers."""
        return self._values is None or pa.types.is_integer(self._values.type)

    def to_arrow(self) -> pa.Array:
        """The names as an Arrow array, in order of node index."""
        return pa.array(np.arange(self._count)) if self._values is None else self._values

    def take(self, indices: IntArray) -> pa.Array:
        """The names of the nodes at ``indices``."""
        flat = np.asarray(indices).ravel()
        return pa.array(flat, pa.int64()) if self._values is None else self._values.take(pa.array(flat))

    def find(self, names: pa.Array | pa.ChunkedArray) -> IntArray:
        """The index of each name, or -1 for unknown names."""
        if self.are_numbers and not pa.types.is_integer(names.type):
            names = whole_numbers(names)
        elif not self.are_numbers and not pa.types.is_string(names.type):
            names = names.cast(pa.string())
        if self.are_numbers:
            names = names.cast(pa.int64(), safe=False)  # too large values become negative, and no name is negative
        if self._values is None:
            numbers = names.fill_null(-1).to_numpy()
            return np.where((numbers >= 0) & (numbers < self._count), numbers, -1)
        found = pc.index_in(names, value_set=self._values)
        if isinstance(found, pa.ChunkedArray):
            found = found.combine_chunks()
        return found.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)

    def indices(self, names: Iterable[NodeId]) -> IntArray:
        """The index of each name.

        Raises:
            UnknownNameError: If a name is unknown; the nearest names are suggested.
        """
        wanted = [str(name) for name in names]
        found = self.find(pa.array(wanted, type=pa.string()))
        if len(found) and found.min() < 0:
            name = wanted[int(np.argmin(found))]
            raise UnknownNameError(self._kind, name, self.around(name))
        return found

    def extended(self, others: NodeIds) -> tuple[NodeIds, IntArray]:
        """These names and then others that are not among them; and the index of each of the others.

        Names of both kinds, numbers and texts, become texts. The additional names come last, in their own order.
        """
        found = self.find(others.to_arrow()).copy()
        new = np.flatnonzero(found < 0)
        if len(new) == 0:
            return self, found
        found[new] = len(self) + np.arange(len(new))
        both = [self.to_arrow(), others.take(new)]
        if self.are_numbers != others.are_numbers:
            both = [names.cast(pa.string()) for names in both]
        return NodeIds(pa.concat_arrays(both), kind=self._kind), found

    def around(self, name: str, count: int = 10_000) -> list[NodeId]:
        """Names to search for one like ``name``: those that end with it, and ``count`` around its sorted position.

        A name ends with another one after a separator, in upper or lower case: ``concept:City`` with ``city``.
        """
        key: NodeId = name
        if self.are_numbers:
            key = int(name) if name.isdecimal() else 0
        middle = bisect_left(self, key)
        start = max(0, min(middle - count // 2, len(self) - count))
        near = self.take(np.arange(start, min(start + count, len(self)))).to_pylist()
        return list(dict.fromkeys([*near, *self._ending_with(name)[:count]]))

    def _ending_with(self, name: str) -> list[str]:
        if self._values is None or self.are_numbers or not name:
            return []
        found = self._values.filter(pc.ends_with(self._values, name, ignore_case=True))
        before = pc.utf8_slice_codeunits(found, -len(name) - 1, -len(name))
        return found.filter(pc.invert(pc.utf8_is_alnum(before))).to_pylist()

    def update_digest(self, digest: hashlib._Hash) -> None:
        """Feeds the names, unambiguously, into a running digest."""
        if self._values is None:
            digest.update(b"range")
        elif self.are_numbers:
            digest.update(b"int64")
            digest.update(np.ascontiguousarray(self._values.to_numpy()).data)
        else:
            digest.update(b"text")
            digest.update(pc.binary_length(self._values).to_numpy(zero_copy_only=False).astype(np.int64).data)
            digest.update("".join(self._values.to_pylist()).encode())

    def __repr__(self) -> str:
        kind = "numbers" if self.are_numbers else "texts"
        return f"NodeIds({self._count} {kind})"


def whole_numbers(names: pa.Array | pa.ChunkedArray) -> pa.Array:
    """Strings as int64, null where a string is not the plain decimal form of a non-negative integer."""
    texts = names.cast(pa.string())
    is_plain = pc.match_substring_regex(texts, r"^(0|[1-9][0-9]{0,18})$")
    fits = pc.or_(pc.less(pc.binary_length(texts), 19), pc.less_equal(texts, str(2**63 - 1)))
    return pc.if_else(pc.and_(is_plain, fits), texts, None).cast(pa.int64())
