"""A graph as a folder of arrays that are mapped into memory instead of read.

``graph.json`` lists the arrays with their types, shapes, sizes and digests. Before anything is mapped, every file must
have its size and its digest, and then the rows must be those of a graph: kernels do not check indices. Pages are loaded
when they are used, are shared between processes, and can be dropped by the system when memory is short.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from linkwl.errors import InputError
from linkwl.files import parse_json, replaced_folder, write_text
from linkwl.graph.csr import is_well_formed, labels_are_symmetric
from linkwl.graph.graph import Graph
from linkwl.graph.intake import Intake
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.sided_ids import SidedIds

MANIFEST = "graph.json"
FORMAT = "linkwl mapped graph 1"
_BLOCK_BYTES = 1 << 24
_TYPES = {
    "rowptr": ("int64",),
    "col": ("int32",),
    "weight": ("float32", "float64"),
    "time": ("int64", "float64"),
    "part": ("int8",),
    "names": ("int64",),
    "names.offsets": ("int32",),
    "names.bytes": ("uint8",),
}
"""The types that each array may have; all have one dimension."""
_REMEDY = "convert the graph again"


def is_mapped_graph(folder: Path) -> bool:
    """Whether a folder was written by :func:`write_mapped_graph`, by its manifest."""
    try:
        return _manifest(folder).get("format") == FORMAT
    except (InputError, OSError):
        return False


def write_mapped_graph(graph: Graph, folder: Path) -> None:
    """Writes a graph as a folder, which appears when it is complete.

    Args:
        graph: A graph without features and attributes, which are read from files of their own.
        folder: The folder; it must not exist, or be empty.

    Raises:
        InputError: If the folder holds something, or the graph has features.
        OutputError: If it cannot be written.
    """
    if graph.features is not None or graph.attributes is not None:
        raise InputError(f"{graph.name} has features, which are not converted; use the graph as it is.")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError("this is not an empty folder; choose another name.", path=folder)
    columns = {"rowptr": graph.rowptr, "col": graph.col, "weight": graph.weight, "time": graph.time, "part": graph.part}
    arrays = {name: values for name, values in columns.items() if values is not None} | _name_arrays(graph.ids)
    note: dict[str, Any] = {"format": FORMAT, "name": graph.name, "directed": graph.is_directed}
    if isinstance(graph.ids, SidedIds):
        note["sides"] = {"left": graph.ids.num_left, "marked": graph.ids.is_marked}
    if graph.intake is not None:
        note["intake"] = asdict(graph.intake)
    with replaced_folder(folder) as temporary:
        files = {}
        for name, values in arrays.items():
            path = temporary / f"{name}.npy"
            np.save(path, values, allow_pickle=False)
            files[name] = {"dtype": str(values.dtype), "length": len(values), "bytes": path.stat().st_size}
            files[name]["sha256"] = _digest(path)
        write_text(temporary / MANIFEST, json.dumps(note | {"arrays": files}, indent=1) + "\n")


def read_mapped_graph(folder: Path) -> Graph:
    """The graph of a folder written by :func:`write_mapped_graph`.

    Raises:
        InputError: If a file is missing, damaged, or not what the manifest says.
    """
    note = _manifest(folder)
    try:
        if note["format"] != FORMAT:
            raise ValueError
        arrays = {str(name): _mapped(folder, str(name), entry) for name, entry in note["arrays"].items()}
        columns = {name: arrays.get(name) for name in ("weight", "time", "part")}
        rowptr, col, is_directed = arrays["rowptr"], arrays["col"], bool(note["directed"])
        ids = _names(arrays, len(rowptr) - 1)
        if sides := note.get("sides"):
            ids = SidedIds.split(ids, int(sides["left"]), bool(sides["marked"]))
        intake = _intake(note["intake"]) if "intake" in note else None
        if not is_well_formed(rowptr, col, is_directed):
            raise InputError(f"its rows are not those of a graph; {_REMEDY}.", path=folder)
        for name in ("weight", "time"):
            labels = columns[name]
            if labels is not None and (
                len(labels) != len(col) or not (is_directed or labels_are_symmetric(rowptr, col, labels))
            ):
                raise InputError(f"its {name}s are not those of its edges; {_REMEDY}.", path=folder)
        weight, time, part = columns.values()
        return Graph(rowptr, col, ids, is_directed, None, str(note["name"]), intake, weight, time, part)
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError, pa.ArrowException) as error:
        raise InputError(f"the list of its arrays is damaged; {_REMEDY}.", path=folder / MANIFEST) from error


def _mapped(folder: Path, name: str, entry: dict[str, Any]) -> NDArray[Any]:
    """An array of the folder, mapped after its size and its digest were checked."""
    kinds, path = _TYPES[name], folder / f"{name}.npy"
    dtype, length = str(entry["dtype"]), int(entry["length"])
    try:
        is_whole = path.stat().st_size == entry["bytes"] and _digest(path) == entry["sha256"]
    except OSError as error:
        raise InputError(f"the file cannot be read; {_REMEDY}.", path=path) from error
    if not is_whole:
        raise InputError(f"the file is not the one that was written here; {_REMEDY}.", path=path)
    try:
        found = np.load(path, mmap_mode="r" if length else None, allow_pickle=False)
    except (ValueError, OSError, EOFError) as error:
        raise InputError(f"this is not a readable array; {_REMEDY}.", path=path) from error
    if dtype not in kinds or found.dtype != np.dtype(dtype) or found.shape != (length,):
        raise InputError(f"expected {length} values of type {' or '.join(kinds)}; {_REMEDY}.", path=path)
    return np.asarray(found)  # the base class, for kernels


def _manifest(folder: Path) -> dict[str, Any]:
    path = folder / MANIFEST
    try:
        note = parse_json(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"the list of its arrays cannot be read; {_REMEDY}.", path=path) from error
    if not isinstance(note, dict):
        raise InputError(f"the list of its arrays is damaged; {_REMEDY}.", path=path)
    return note


def _name_arrays(ids: NodeIds) -> dict[str, NDArray[Any]]:
    """The names of nodes as arrays; none for the names 0 .. n-1."""
    if ids.is_range:
        return {}
    values = ids.to_arrow()
    if ids.are_numbers:
        return {"names": values.to_numpy()}
    values = pa.concat_arrays([values])  # without an offset
    _, offsets, content = values.buffers()
    starts = np.frombuffer(offsets, np.int32, len(values) + 1)
    text = np.frombuffer(content, np.uint8, int(starts[-1])) if content is not None else np.empty(0, np.uint8)
    return {"names.offsets": starts, "names.bytes": text}


def _names(arrays: dict[str, NDArray[Any]], count: int) -> NodeIds:
    """The names of nodes from :func:`_name_arrays`.

    Raises:
        ValueError: If they are not the names of so many nodes.
    """
    if count < 0:
        raise ValueError("there are no rows.")
    if "names" in arrays:
        values = pa.array(arrays["names"])
    elif "names.offsets" in arrays:
        offsets = arrays["names.offsets"]
        buffers = [None, pa.py_buffer(offsets), pa.py_buffer(arrays["names.bytes"])]
        values = pa.StringArray.from_buffers(len(offsets) - 1, buffers[1], buffers[2])
        values.validate(full=True)
    else:
        return NodeIds(count)
    if len(values) != count:
        raise ValueError(f"expected {count} names, found {len(values)}.")
    return NodeIds(values)


def _intake(values: dict[str, Any]) -> Intake:
    counts = {name: int(values[name]) for name in ("rows", "self_loops", "duplicates", "reversed_duplicates")}
    return Intake(form=str(values["form"]), notes=tuple(map(str, values["notes"])), **counts)


def _digest(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()
