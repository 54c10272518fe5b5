"""Reads a matrix of a MATLAB file in a process of its own: ``python matlab_child.py FILE VARIABLE BYTES SECONDS``.

SciPy's compiled reader trusts the sizes and types that a file states, and a damaged file can end the process. This one
may end; it has little memory and time to lose, and imports nothing of linkwl, so that it starts quickly. It writes a
line of JSON, and then the rows, columns and values of the non-zero entries as plain numbers.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import scipy.io
import scipy.sparse as sp


def main(path: str, variable: str, memory: int, seconds: int) -> None:
    """Answers ``problem``, ``present`` (the variables, if this one is missing), or the ``shape`` of the matrix."""
    _limit(memory, seconds)
    arrays: list[np.ndarray] = []
    answer: dict[str, Any]
    try:
        matrix = scipy.io.loadmat(path, variable_names=[variable]).get(variable)
        if matrix is None:
            answer = {"present": [name for name, *_ in scipy.io.whosmat(path)]}
        else:
            kind = matrix.dtype.kind
            answer = {"shape": matrix.shape, "dtype": matrix.dtype.str if kind in "biufcSU" else "O"}
            if kind in "biuf" and matrix.ndim == 2:
                arrays = _entries(matrix)
                answer["entries"] = len(arrays[0])
    except MemoryError:
        answer = {"problem": "memory"}
    except Exception:  # scipy raises many kinds of errors on damaged files
        answer = {"problem": "damaged"}
    stream = sys.stdout.buffer
    stream.write(json.dumps(answer).encode() + b"\n")
    for array in arrays:
        stream.write(np.ascontiguousarray(array).data)
    stream.flush()


def _entries(matrix: Any) -> list[np.ndarray]:
    """The rows, columns and values of the non-zero entries; raises ValueError if the matrix is not valid."""
    if sp.issparse(matrix) and matrix.format in ("csr", "csc"):
        matrix.check_format(full_check=True)
    found = sp.coo_array(matrix)  # checks its indices
    return [found.row.astype(np.int64), found.col.astype(np.int64), found.data]


def _limit(memory: int, seconds: int) -> None:
    """Limits the memory beyond what the process has taken so far (0: no limit) and its time on a processor."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if memory:
            pages = int(Path("/proc/self/statm").read_text().split()[0])
            most = memory + pages * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (most, most))
    except (ImportError, OSError, ValueError):  # a system without such limits, or with tighter ones
        pass


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
