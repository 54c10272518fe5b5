"""A trained model as a folder: settings, weights, its graph and its training record; no pickle anywhere.

::

    config.json            which model, its settings, the shape of its network
    nodes.parquet          the names of the nodes, in order
    graph.safetensors      edges and features
    calibration.json       the calibration of scores to probabilities
    record.json            graph, seed, settings, history, versions
    sha256.json            digests of all files above, and of the weights
    model.safetensors      the weights; written last, so that a folder with weights is complete
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from numpy.typing import NDArray

from linkwl.errors import InputError
from linkwl.files import check_model_exists, make_folder, parse_json, replaced, write_text
from linkwl.graph import Graph, KnowledgeGraph, Observed
from linkwl.graph.decisions import ACCEPTED, REJECTED, Decisions
from linkwl.graph.node_ids import NodeIds
from linkwl.graph.readers.parquet import open_parquet, read_parquet_columns
from linkwl.graph.readers.text_source import check_file
from linkwl.locks import check_unlocked
from linkwl.memory import check_memory
from linkwl.models import LinkModel
from linkwl.models.calibration import Calibration
from linkwl.models.registry import recreate_model
from linkwl.records import TrainingRecord
from linkwl.storage.graph import read_graph_file, write_graph
from linkwl.storage.tensors import open_tensors, write_tensors

FORMAT = 3
"""Increased whenever earlier folders can no longer be read."""
CONFIG, NODES, GRAPH, CALIBRATION = "config.json", "nodes.parquet", "graph.safetensors", "calibration.json"
RECORD, DIGESTS, WEIGHTS = "record.json", "sha256.json", "model.safetensors"
PAGE = "report.html"
"""The report that ``linkwl train`` may write beside the model."""
_OURS = frozenset({CONFIG, NODES, GRAPH, CALIBRATION, RECORD, DIGESTS, WEIGHTS, PAGE})
_MAX_JSON_BYTES = 1 << 28


class SavedModel(NamedTuple):
    """The contents of a folder."""

    model: LinkModel
    graph: Observed
    calibration: Calibration
    record: TrainingRecord


def save_model(saved: SavedModel, folder: Path) -> None:
    """Writes a model; each file is written atomically, and the weights come last."""
    model, graph = saved.model, saved.graph
    make_folder(folder)
    config = {
        "format": FORMAT,
        "model": model.id,
        "task": model.task,
        "config": model.config.model_dump(mode="json"),
        "shape": dict(model.shape),
        "nodes": {"count": graph.num_nodes, "are_range": graph.ids.is_range},
    }
    write_text(folder / CONFIG, json.dumps(config, indent=2, allow_nan=False) + "\n")
    with replaced(folder / NODES) as temporary:
        pq.write_table(pa.table({"id": graph.ids.to_arrow()}), temporary)
    assert isinstance(graph, Graph | KnowledgeGraph)
    write_graph(folder / GRAPH, graph)
    write_text(folder / CALIBRATION, json.dumps(saved.calibration.to_json(), indent=2, allow_nan=False) + "\n")
    write_text(folder / RECORD, saved.record.to_json())
    state = model.state()
    write_text(folder / DIGESTS, json.dumps(_digests(folder, state), indent=2) + "\n")
    weights = {name: torch.from_numpy(array) for name, array in state.items()}
    write_tensors(folder / WEIGHTS, weights, json.dumps({"format": FORMAT, "model": model.id}))


def check_model_folder(folder: Path, *, resume: bool) -> None:
    """Raises InputError if another run writes to the folder, or it holds other files, a model or an unfinished run."""
    check_unlocked(folder)
    # `os.path` treats a name that is too long as a missing file.
    names = set(os.listdir(folder)) if os.path.isdir(folder) else set()  # noqa: PTH112, PTH208
    if any(not name.startswith(".") for name in names) and names.isdisjoint({CONFIG, WEIGHTS}) and not _runs(names):
        raise InputError("this folder holds something other than a model; choose another.", path=folder)
    if CONFIG in names:
        check_config(folder)
    if resume:
        return
    if _runs(names):
        raise InputError(
            "this folder holds an unfinished run; continue it with --resume, or choose another folder.", path=folder
        )
    if WEIGHTS in names:
        raise InputError("this folder already holds a trained model; choose another folder.", path=folder)


def is_finished(folder: Path) -> bool:
    """Whether the folder holds a trained model, and no unfinished run."""
    return os.path.exists(folder / WEIGHTS) and not checkpoints(folder)  # noqa: PTH110


def checkpoints(folder: Path) -> list[Path]:
    """The checkpoints of unfinished runs in a folder."""
    return [folder / name for name in _runs(os.listdir(folder))] if os.path.isdir(folder) else []  # noqa: PTH112, PTH208


def checkpoint_file(folder: Path, model: str | None = None) -> Path:
    """The checkpoint of a run; each of several models that are compared has its own file."""
    return folder / ("checkpoint.safetensors" if model is None else f"checkpoint.{model}.safetensors")


def _runs(names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith("checkpoint.") and name.endswith(".safetensors")]


def check_replaceable(folder: Path) -> None:
    """Raises InputError if the path is not a model folder, or holds other files as well."""
    if not os.path.lexists(folder):
        return
    if not os.path.isdir(folder):  # noqa: PTH112
        raise InputError("a model is a folder, and this is a file; choose another name.", path=folder)
    check_unlocked(folder)
    names = set(os.listdir(folder))  # noqa: PTH208
    if foreign := sorted(name for name in names - _OURS if not name.startswith(".linkwl-")):
        raise InputError(f"this folder holds {foreign[0]!r}, not part of a model; choose another.", path=folder)
    if names:
        check_config(folder)


def check_config(folder: Path) -> None:
    """Raises InputError if, by its `config.json`, the folder is not a model of any version."""
    try:
        is_ours = parse_json(_read_json(folder / CONFIG)).keys() >= {"format", "model"}
    except (AttributeError, ValueError, InputError):
        is_ours = False
    if not is_ours:
        raise InputError("this folder holds something other than a model; choose another.", path=folder)


def load_folder(folder: Path | str) -> SavedModel:
    """Loads the contents of a folder.

    Raises:
        InputError: If the folder holds no model, or one of its files is damaged or does not fit the others.
    """
    place = Path(folder)
    model, ids, record = load_model(place), load_nodes(place), load_record(place)
    graph, calibration = read_graph_file(place / GRAPH, ids, record.graph.digest), load_calibration(place)
    _check_digests(place, model)
    try:
        recorded_decisions(record, graph)
    except (AttributeError, TypeError, ValueError, OverflowError) as error:
        raise _not_ours(place / RECORD) from error
    return SavedModel(model, graph, calibration, record)


def load_model(folder: Path | str) -> LinkModel:
    """The model of a folder written by ``linkwl train``.

    Names, shapes, dtypes and sizes are checked against the settings before any weight is read.

    Raises:
        InputError: If the folder holds no model, or one of its files is damaged or does not fit the others.
    """
    place = Path(folder)
    config = _read_config(place)
    path = place / CONFIG
    try:
        name, settings, shape = str(config["model"]), dict(config["config"]), dict(config["shape"])
        task = config.get("task")  # missing in folders of release 0.1
    except (KeyError, TypeError, ValueError) as error:
        raise _not_ours(path) from error
    if not all(isinstance(size, int) and 0 <= size < 2**48 for size in shape.values()):
        raise _not_ours(path)
    try:
        model = recreate_model(name, task, settings)
        expected = model.expected_state(shape)
    except InputError as error:
        raise InputError(error.problem, path=path) from error
    except (KeyError, TypeError, ValueError, RuntimeError, OverflowError) as error:
        raise _not_ours(path) from error
    with open_tensors(place / WEIGHTS) as file:
        if surplus := file.names - expected.keys():
            raise InputError(f"unknown tensor {min(surplus)!r}; the file is of another model.", path=file.path)
        file.check(expected)
        check_memory(2.0 * file.path.stat().st_size, f"{file.path}: the weights", "use a machine with more memory")
        state = {name: file.read(name) for name in expected}
    for tensor_name, tensor in state.items():
        if tensor.is_floating_point() and not torch.isfinite(tensor).all():
            raise InputError(
                f"tensor {tensor_name!r} holds values that are not finite; the file is damaged.", path=place / WEIGHTS
            )
    model.load_state({name: tensor.numpy() for name, tensor in state.items()}, shape)
    return model


def load_nodes(folder: Path | str) -> NodeIds:
    """The names of the nodes that the model of a folder was trained on."""
    place = Path(folder)
    path = place / NODES
    try:
        nodes = _read_config(place)["nodes"]
        count, are_range = int(nodes["count"]), bool(nodes["are_range"])
    except (KeyError, TypeError, ValueError) as error:
        raise _not_ours(place / CONFIG) from error
    check_file(path)
    file = open_parquet(path)
    found = file.metadata.num_rows
    if file.schema_arrow.names != ["id"] or file.schema_arrow.field("id").type not in (pa.int64(), pa.string()):
        raise InputError("expected one column `id` of whole numbers or texts; the file is damaged.", path=path)
    if found != count:
        raise InputError(f"expected {count} names of nodes, found {found}; the file is of another model.", path=path)
    values = read_parquet_columns(file, ["id"], path)[0].combine_chunks()
    if values.null_count:
        raise InputError("a node has no name; the file is damaged.", path=path)
    if are_range:
        if not pa.types.is_integer(values.type) or not np.array_equal(values.to_numpy(), np.arange(count)):
            raise InputError(f"expected the names 0 .. {count - 1}; the file is of another model.", path=path)
        return NodeIds(count)
    return NodeIds(values)


def load_calibration(folder: Path | str) -> Calibration:
    """The calibration of the model of a folder."""
    path = Path(folder) / CALIBRATION
    try:
        return Calibration(**parse_json(_read_json(path)))
    except (TypeError, ValueError) as error:
        raise _not_ours(path) from error


def load_record(folder: Path | str) -> TrainingRecord:
    """The training record of the model of a folder."""
    path = Path(folder) / RECORD
    try:
        return TrainingRecord.from_json(_read_json(path))
    except (KeyError, TypeError, ValueError) as error:
        raise _not_ours(path) from error


def recorded_decisions(record: TrainingRecord, graph: Observed) -> Decisions:
    """The decisions that a model was trained with; the graph has the accepted links.

    Raises:
        ValueError: If they are not about this graph.
    """
    none = np.empty((0, len(graph.query_columns)), dtype=np.int32)
    accepted, rejected = (
        graph.check_queries(np.asarray(record.decisions.get(f"{kind} queries") or none))
        for kind in (ACCEPTED, REJECTED)
    )
    return Decisions(accepted, rejected)


def _check_digests(folder: Path, model: LinkModel) -> None:
    """Raises InputError if a file was changed since it was saved, even if it is readable."""
    path = folder / DIGESTS
    try:
        expected = dict(parse_json(_read_json(path)))
    except (TypeError, ValueError) as error:
        raise _not_ours(path) from error
    for name, digest in _digests(folder, model.state()).items():
        if expected.get(name) != digest:
            raise InputError(
                "this is not the file that was saved with the model; it was changed, or is of another model.",
                path=folder / name,
            )


def _digests(folder: Path, state: Mapping[str, NDArray[Any]]) -> dict[str, str]:
    """The SHA-256 of the files of a folder, and of the learned arrays in the order of their names."""
    found = {}
    for name in (CONFIG, NODES, GRAPH, CALIBRATION, RECORD):
        with (folder / name).open("rb") as file:
            found[name] = hashlib.file_digest(file, "sha256").hexdigest()
    values = hashlib.sha256()
    for name in sorted(state):
        values.update(name.encode() + b"\0")
        values.update(state[name].tobytes())
    return found | {WEIGHTS: values.hexdigest()}


def _read_config(folder: Path) -> dict[str, Any]:
    path = folder / CONFIG
    check_model_exists(folder, CONFIG)
    try:
        config = parse_json(_read_json(path))
        found = config["format"]
    except (KeyError, TypeError, ValueError) as error:
        raise _not_ours(path) from error
    if found != FORMAT:
        raise InputError(
            f"the folder has format {found} and this version of linkwl reads format {FORMAT}; train the model again.",
            path=path,
        )
    return config


def _read_json(path: Path) -> str:
    check_file(path)
    if path.stat().st_size > _MAX_JSON_BYTES:
        raise _not_ours(path)
    return path.read_text(encoding="utf-8")


def _not_ours(path: Path) -> InputError:
    return InputError("this is not what linkwl writes there; the file is damaged or of something else.", path=path)
