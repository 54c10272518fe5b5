"""NumPy and SciPy files: a sparse adjacency matrix (``.npz``) or an array of edges (``.npy``)."""

from __future__ import annotations

import math
import sys
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import numpy as np
import scipy.sparse as sp

from linkwl.errors import InputError, LinkwlError
from linkwl.graph.convert import from_array
from linkwl.graph.convert_matrix import check_empty_rows, from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.reading import Choice, Reading
from linkwl.graph.value_columns import NOTHING, ValueColumns
from linkwl.memory import check_memory, memory_refused

_BYTES_PER_ENTRY = 24
"""Of an array that becomes a graph: row, column and value of an entry."""


def read_npz(
    path: Path,
    *,
    name: str,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    bipartite: Choice = None,
) -> Graph:
    """The graph whose adjacency matrix was written by ``scipy.sparse.save_npz``."""
    form = "SciPy sparse matrix"
    matrix = load_sparse(path)
    return from_matrix(matrix, name=name, directed=directed, values=values, form=form, path=path, bipartite=bipartite)


def read_npy(
    path: Path,
    *,
    name: str,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    bipartite: Choice = None,
) -> Graph:
    """The graph of an ``(num_edges, 2)`` array of node ids, or of an adjacency matrix."""
    reading = Reading(bipartite=bipartite)
    return from_array(
        load_dense(path), name=name, directed=directed, values=values, form="NumPy array", path=path, reading=reading
    )


def load_sparse(path: Path) -> sp.csr_array:
    """A sparse matrix written by ``scipy.sparse.save_npz``."""
    _check_sparse(path)
    with _readable(path, "not a sparse matrix written by `scipy.sparse.save_npz`"), path.open("rb") as stream:
        matrix = sp.load_npz(stream)  # numpy does not close a damaged file that it opened itself
        if matrix.format in ("csr", "csc", "bsr"):
            matrix.check_format(full_check=True)  # other formats check their indices on construction
        return sp.csr_array(matrix)


def load_dense(path: Path) -> np.ndarray:
    """An array written by ``numpy.save``; arrays of Python objects are refused."""
    with _readable(path, "not a numeric array written by `numpy.save`"), path.open("rb") as stream:
        shape, itemsize = _read_header(stream, path.stat().st_size)
        needed = float(itemsize + _BYTES_PER_ENTRY) * math.prod(shape)
        check_memory(needed, f"{path}: an array of {_product(shape)} numbers", "write an edge list instead")
        stream.seek(0)
        array = np.lib.format.read_array(stream, allow_pickle=False)
        _check_text(array)
        return array


def _check_text(array: np.ndarray) -> None:
    """Raises ValueError if a text holds numbers that are no characters; NumPy and Python would not notice."""
    if array.dtype.kind == "U":
        codes = array.ravel(order="K").view(f"{array.dtype.byteorder}u4")
        if codes.max(initial=0) > sys.maxunicode:
            raise ValueError("there is no such character")


@contextmanager
def _readable(path: Path, problem: str) -> Iterator[None]:
    """Turns the many kinds of errors of zipfile, numpy and scipy into one."""
    try:
        with memory_refused(f"{path}: its array", "write an edge list instead"), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about files written by Python 2
            yield
    except LinkwlError:
        raise
    except Exception as error:
        raise InputError(f"{problem}; write it again.", path=path) from error


def _check_sparse(path: Path) -> None:
    """Checks the sizes that the parts of a sparse matrix state, before any of them is read."""
    sizes: dict[str, int] = {}
    with (
        _readable(path, "not a sparse matrix written by `scipy.sparse.save_npz`"),
        path.open("rb") as stream,
        zipfile.ZipFile(stream) as archive,
    ):
        parts = archive.infolist()
        needed = 4.0 * sum(part.file_size for part in parts)  # the parts, and their entries by rows
        check_memory(needed, f"{path}: its matrix", "write an edge list instead")
        for part in parts:
            with archive.open(part) as member:
                shape, _ = _read_header(member, part.file_size)
                sizes[part.filename] = math.prod(shape)
        with archive.open("shape.npy") as member:
            num_rows = int(np.lib.format.read_array(member, allow_pickle=False)[0])
        check_empty_rows(num_rows, sizes["data.npy"], path)


def _read_header(stream: IO[bytes], num_bytes: int) -> tuple[tuple[int, ...], int]:
    """Shape and bytes per number of an array; raises ValueError unless a stream of this length holds exactly these."""
    version = np.lib.format.read_magic(stream)
    read = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}[version]
    shape, _, dtype = read(stream)
    if dtype.hasobject or dtype.itemsize == 0 or min(shape, default=0) < 0:
        raise ValueError(f"arrays of {dtype} and shape {shape} are not read")
    if math.prod(shape) * dtype.itemsize != num_bytes - stream.tell():
        raise ValueError("the array is shorter or longer than its header says")
    return shape, dtype.itemsize


def _product(shape: tuple[int, ...]) -> str:
    return " x ".join(f"{size:,}" for size in shape)
