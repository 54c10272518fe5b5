"""MATLAB files: a square sparse matrix in the variable ``net``."""

from __future__ import annotations

from pathlib import Path

import scipy.io

from linkwl.errors import InputError
from linkwl.graph.convert import from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.value_columns import NOTHING, ValueColumns

VARIABLE = "net"


def read_matlab(path: Path, *, name: str, directed: bool | None = None, values: ValueColumns = NOTHING) -> Graph:
    """The graph whose adjacency matrix is the variable ``net`` of a MATLAB 5 to 7 file."""
    try:
        variables = scipy.io.loadmat(path)
    except NotImplementedError as error:
        raise InputError("MATLAB 7.3 files are not read; save it again with `save -v7`.", path=path) from error
    except Exception as error:  # scipy raises many kinds of errors on damaged files
        raise InputError("not a readable MATLAB file; save it again with `save -v7`.", path=path) from error
    if VARIABLE not in variables:
        present = ", ".join(key for key in variables if not key.startswith("__")) or "none"
        raise InputError(f"expected the matrix in a variable `{VARIABLE}`, found: {present}; rename it.", path=path)
    matrix = variables[VARIABLE]
    return from_matrix(matrix, name=name, directed=directed, values=values, form="MATLAB matrix", path=path)
