"""NumPy and SciPy files: a sparse adjacency matrix (``.npz``) or an array of edges (``.npy``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from linkwl.errors import InputError
from linkwl.graph.convert import from_array, from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.value_columns import NOTHING, ValueColumns


def read_npz(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph whose adjacency matrix was written by ``scipy.sparse.save_npz``."""
    matrix = load_sparse(path)
    return from_matrix(matrix, name=name, directed=directed, values=values, form="SciPy sparse matrix", path=path)


def read_npy(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph of an ``(num_edges, 2)`` array of node ids, or of a square adjacency matrix."""
    return from_array(load_dense(path), name=name, directed=directed, values=values, form="NumPy array", path=path)


def load_sparse(path: Path) -> sp.csr_array:
    """A sparse matrix written by ``scipy.sparse.save_npz``."""
    try:
        with path.open("rb") as stream:  # numpy does not close a damaged file that it opened itself
            matrix = sp.load_npz(stream)
        if matrix.format in ("csr", "csc", "bsr"):
            matrix.check_format()  # other formats check their indices on construction
        return sp.csr_array(matrix)
    except Exception as error:  # zipfile, numpy and scipy raise different errors
        problem = "not a sparse matrix written by `scipy.sparse.save_npz`; write it again."
        raise InputError(problem, path=path) from error


def load_dense(path: Path) -> np.ndarray:
    """An array written by ``numpy.save``; arrays of Python objects are refused."""
    try:
        with path.open("rb") as stream:
            return np.lib.format.read_array(stream, allow_pickle=False)
    except Exception as error:
        raise InputError("not a numeric array written by `numpy.save`; write it again.", path=path) from error
