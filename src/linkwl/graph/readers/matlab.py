"""MATLAB files: a square sparse matrix in the variable ``net``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from linkwl.errors import InputError, MemoryLimitError
from linkwl.graph.convert_matrix import check_adjacency, check_empty_rows, from_matrix
from linkwl.graph.graph import Graph
from linkwl.graph.reading import Choice
from linkwl.graph.value_columns import NOTHING, ValueColumns
from linkwl.memory import available_memory, size_text

VARIABLE = "net"
_CHILD = Path(__file__).with_name("matlab_child.py")
_SECONDS, _SECONDS_PER_MB = 6, 0.5
"""Time on a processor for any file, and for its size."""
_PATIENCE = 10
"""How many times as long the process may wait for a processor or a disk."""


def read_matlab(
    path: Path,
    *,
    name: str,
    directed: bool | None = None,
    values: ValueColumns = NOTHING,
    bipartite: Choice = None,
) -> Graph:
    """The graph whose adjacency matrix is the variable ``net`` of a MATLAB 5 to 7 file.

    The file is read in a process of its own, because damaged files crash SciPy's reader.
    """
    if _is_version_7_3(path):
        raise InputError("MATLAB 7.3 files are not read; save it again with `save -v7`.", path=path)
    answer, content = _read_in_child(path)
    if "present" in answer:
        present = ", ".join(name[:60] for name in answer["present"][:10]) or "none"
        raise InputError(f"expected the matrix in a variable `{VARIABLE}`, found: {present}; rename it.", path=path)
    problem = answer.get("problem")
    if problem == "memory":
        raise MemoryLimitError(f"{path}: its matrix takes more memory than is free; write an edge list instead.")
    if problem is not None:
        raise InputError("not a readable MATLAB file; save it again with `save -v7`.", path=path)
    shape, dtype = tuple(answer["shape"]), np.dtype(answer["dtype"])
    check_adjacency(shape, dtype, path, has_sides=bipartite in (True, "auto"))
    count = answer["entries"]
    check_empty_rows(shape[0], count, path)
    row, col = (np.frombuffer(content, np.int64, count, offset=8 * k * count) for k in (0, 1))
    data = np.frombuffer(content, dtype, count, offset=16 * count)
    matrix = sp.coo_array((data, (row, col)), shape=shape)
    return from_matrix(
        matrix, name=name, directed=directed, values=values, form="MATLAB matrix", path=path, bipartite=bipartite
    )


def _is_version_7_3(path: Path) -> bool:
    with path.open("rb") as stream:
        header = stream.read(128)
    return header[124:126] == b"\0\2" and header[126:] == b"IM"


def _read_in_child(path: Path) -> tuple[dict[str, Any], bytes]:
    """The answer of ``matlab_child.py``, and the bytes that follow it."""
    seconds = int(_SECONDS + _SECONDS_PER_MB * path.stat().st_size / 1e6)
    free = available_memory()
    limits = [str(0 if free is None else free // 2), str(seconds)]  # the other half is for the graph
    command = [sys.executable, "-P", "-W", "ignore", str(_CHILD), str(path), VARIABLE, *limits]
    environment = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=environment,
            timeout=_PATIENCE * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise _too_slow(path, seconds) from error
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        problem = f"no process could be started to read it ({reason}); convert it to .npz or an edge list."
        raise InputError(problem, path=path) from error
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise _too_slow(path, seconds)
    line, _, content = done.stdout.partition(b"\n")
    if done.returncode != 0 or not line:
        free_text = "" if free is None else f" or takes more than {size_text(free // 2)}"
        problem = f"the file crashes SciPy's reader: it is damaged{free_text}; save it again with `save -v7`."
        raise InputError(problem, path=path)
    return json.loads(line), content


def _too_slow(path: Path, seconds: int) -> InputError:
    problem = f"reading this file takes more than {seconds} seconds; it is damaged: save it again with `save -v7`."
    return InputError(problem, path=path)
