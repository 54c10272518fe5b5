"""Decodes the Planetoid pickles without running their code.

A pickle names the functions to call while it is read. These files, written by Python 2, name six, all for plain data;
each is replaced by a stand-in that only stores its arguments. Any other name is refused.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import IO, Any

import numpy as np
import scipy.sparse as sp

from linkwl.errors import InputError


def unpickle(path: Path) -> Any:
    """The object in a Planetoid file: a ``scipy.sparse.csr_array`` or a dict of lists.

    Raises:
        InputError: If the file names a function other than the six known ones.
    """
    with path.open("rb") as stream:
        stored = _Unpickler(stream, path).load()
    return stored.to_scipy() if isinstance(stored, _Matrix) else stored


class _DType:
    """Stand-in for ``numpy.dtype``."""

    def __init__(self, code: str, *_: Any) -> None:
        self.code, self.byte_order = code, "="

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.byte_order = state[1]


class _Array:
    """Stand-in for ``numpy.ndarray``: one dimension, with its bytes as text."""

    def __init__(self, *_: Any) -> None:
        self.dtype, self.text = _DType("f4"), ""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        _, _, self.dtype, _, self.text = state

    def to_numpy(self) -> np.ndarray[Any, Any]:
        return np.frombuffer(self.text.encode("latin1"), dtype=self.dtype.byte_order + self.dtype.code)


class _Matrix:
    """Stand-in for ``scipy.sparse.csr_matrix``."""

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.state = state

    def to_scipy(self) -> sp.csr_array:
        data, indices, indptr = (self.state[part].to_numpy() for part in ("data", "indices", "indptr"))
        return sp.csr_array((data, indices, indptr), shape=self.state["_shape"])


def _neighbour_lists(*_: Any) -> dict[int, list[int]]:
    """Stand-in for ``collections.defaultdict``: every node has an entry, so no default is needed."""
    return {}


_STAND_INS = {
    ("__builtin__", "list"): list,
    ("collections", "defaultdict"): _neighbour_lists,
    ("numpy", "dtype"): _DType,
    ("numpy", "ndarray"): _Array,
    ("numpy.core.multiarray", "_reconstruct"): _Array,
    ("scipy.sparse.csr", "csr_matrix"): _Matrix,
}


class _Unpickler(pickle.Unpickler):
    def __init__(self, stream: IO[bytes], path: Path) -> None:
        super().__init__(stream, encoding="latin1", fix_imports=False)
        self._path = path

    def find_class(self, module: str, name: str, /) -> Any:
        try:
            return _STAND_INS[module, name]
        except KeyError:
            raise InputError(
                f"asks for {module}.{name}, which no Planetoid file needs; delete the file and fetch it again.",
                path=self._path,
            ) from None
