from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from linkwl import LinkPredictor, load_graph
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.mapped import MANIFEST, _digest, is_mapped_graph, read_mapped_graph, write_mapped_graph
from linkwl.models import create_model

GRAPHS = {
    "numbers": lambda: load_graph([(3, 5), (5, 9), (9, 3), (9, 11)]),
    "range": lambda: Graph.from_pairs([(0, 1), (1, 2)], 5),
    "texts": lambda: load_graph([("ann", "bob"), ("bob", "çid"), ("", "bob")][:2]),
    "directed": lambda: load_graph([("a", "b"), ("b", "a"), ("b", "c")], directed=True),
    "columns": lambda: load_graph(
        [
            {"source": "a", "target": "b", "weight": 2.5, "time": 3},
            {"source": "b", "target": "c", "weight": 1, "time": 7},
        ],
        weight="weight",
        time="time",
    ),
    "sides": lambda: load_graph([{"user_id": 1, "film_id": 1}, {"user_id": 2, "film_id": 1}]),
}


@pytest.fixture
def folder(tmp_path):
    write_mapped_graph(GRAPHS["columns"](), tmp_path / "g")
    return tmp_path / "g"


def is_on_disk(array):
    while array is not None and not isinstance(array, np.memmap):
        array = array.base
    return array is not None


@pytest.mark.parametrize("kind", GRAPHS)
def test_a_graph_comes_back_as_it_was_and_stays_on_disk(kind, tmp_path):
    graph = GRAPHS[kind]()
    write_mapped_graph(graph, tmp_path / "g")
    found = load_graph(tmp_path / "g")
    assert found.digest == graph.digest
    assert (found.name, found.intake, found.is_directed) == (graph.name, graph.intake, graph.is_directed)
    assert list(found.ids) == list(graph.ids)
    assert type(found.ids) is type(graph.ids)
    assert is_on_disk(found.col)
    assert is_on_disk(found.rowptr)
    assert type(found.col) is np.ndarray
    assert pickle.loads(pickle.dumps(found)).digest == graph.digest


def airports():
    graph = load_airports()
    return Graph(graph.rowptr, graph.col, graph.ids, name="airports")


@pytest.mark.parametrize("model", ["ra", "katz", "local-2wl", "walk-2fwl"])
def test_models_score_a_mapped_graph_to_the_same_bits(model, tmp_path):
    write_mapped_graph(airports(), tmp_path / "g")
    settings = {"training": {"max_steps": 3}} if model.endswith("fwl") or model.endswith("2wl") else {}
    found = []
    for graph in (airports(), load_graph(tmp_path / "g")):
        predictor = LinkPredictor(model, settings=settings).fit(graph)
        found.append([tuple(link) for link in predictor.recommend(20)])
    assert found[0] == found[1]


def test_features_can_be_added_and_directions_dropped(tmp_path):
    write_mapped_graph(GRAPHS["directed"](), tmp_path / "g")
    features = {name: [1.0, 2.0] for name in "abc"}
    assert load_graph(tmp_path / "g", features=features).num_features == 2
    assert load_graph(tmp_path / "g", directed=False).num_edges == 2
    with pytest.raises(InputError, match="`header` says nothing about a converted graph"):
        load_graph(tmp_path / "g", header=True)


def test_a_name_can_be_given(folder):
    assert load_graph(folder).name == "graph"
    assert load_graph(folder, name="mine").name == "mine"


@pytest.mark.parametrize("file", ["col.npy", "rowptr.npy", "weight.npy", "names.bytes.npy"])
def test_a_changed_or_missing_file_is_refused_before_it_is_mapped(folder, file, monkeypatch):
    content = bytearray((folder / file).read_bytes())
    content[-1] ^= 1
    (folder / file).write_bytes(content)
    with pytest.raises(InputError, match=f"{file}: the file is not the one that was written here; convert"):
        load_graph(folder)
    (folder / file).write_bytes(content + b"0")
    with pytest.raises(InputError, match="not the one that was written"):
        load_graph(folder)
    (folder / file).unlink()
    with pytest.raises(InputError, match="cannot be read"):
        load_graph(folder)


def forge(folder, name, array):
    """Replaces an array and corrects the manifest, as somebody would who wants to do harm."""
    path = folder / f"{name}.npy"
    np.save(path, array, allow_pickle=True)
    note = json.loads((folder / MANIFEST).read_text())
    note["arrays"][name] |= {"bytes": path.stat().st_size, "sha256": _digest(path)}
    if array.dtype != object:
        note["arrays"][name] |= {"dtype": str(array.dtype), "length": len(array)}
    (folder / MANIFEST).write_text(json.dumps(note))


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("col", np.array([1, 0, 2, 99], np.int32)),  # a node that does not exist
        ("col", np.array([1, 0, -2, 1], np.int32)),
        ("col", np.array([1, 2, 0, 1], np.int32)),  # not ascending
        ("col", np.array([0, 0, 2, 1], np.int32)),  # a loop
        ("col", np.array([2, 0, 2, 1], np.int32)),  # not in both rows
        ("col", np.array([1, 0, 2], np.int32)),
        ("col", np.array([1, 0, 2, 1], np.int64)),
        ("rowptr", np.array([0, 9, 3, 4])),
        ("rowptr", np.array([1, 1, 3, 4])),
        ("rowptr", np.array([0, 1, 3, 400])),
        ("rowptr", np.empty(0, np.int64)),
        ("weight", np.array([1.0, 2.0, 3.0, 4.0])),  # another one at each end
        ("weight", np.array([1.0, 1.0])),
        ("weight", np.array([np.nan] * 4)),
        ("names.offsets", np.array([0, 1, 2, 3000], np.int32)),
        ("names.offsets", np.array([0, 2, 1, 3], np.int32)),
        ("names.bytes", np.array([255, 254, 253], np.uint8)),
        ("col", np.array([1, "x", 2, None], object)),
    ],
)
def test_arrays_that_are_not_a_graph_are_refused(folder, name, values):
    forge(folder, name, values)
    with pytest.raises(InputError, match="convert the graph again"):
        read_mapped_graph(folder)


@pytest.mark.parametrize("change", [{"arrays": 3}, {"arrays": {"../x": {}}}, {"directed": None, "arrays": {}}])
def test_a_damaged_manifest_is_refused(folder, change):
    note = json.loads((folder / MANIFEST).read_text())
    (folder / MANIFEST).write_text(json.dumps(note | change))
    with pytest.raises(InputError, match=r"graph\.json: the list of its arrays is damaged"):
        load_graph(folder)


def test_other_folders_are_not_taken_for_a_graph(tmp_path):
    assert not is_mapped_graph(tmp_path)
    (tmp_path / MANIFEST).write_text('{"format": "other"}')
    assert not is_mapped_graph(tmp_path)
    (tmp_path / MANIFEST).write_text("[1")
    assert not is_mapped_graph(tmp_path)


def test_it_writes_into_an_empty_folder_only(folder, tmp_path):
    graph = GRAPHS["range"]()
    with pytest.raises(InputError, match="not an empty folder"):
        write_mapped_graph(graph, folder)
    (tmp_path / "empty").mkdir()
    write_mapped_graph(graph, tmp_path / "empty")
    assert load_graph(tmp_path / "empty").digest == graph.digest
    with pytest.raises(InputError, match="has features, which are not converted"):
        write_mapped_graph(load_graph([("a", "b")], features={"a": [1.0], "b": [2.0]}), tmp_path / "other")


def test_an_untrained_heuristic_reads_it_without_a_copy(folder):
    graph = load_graph(folder)
    scorer = create_model("cn").prepare(graph.unweighted())
    assert scorer(np.array([[0, 2]])).tolist() == [1.0]
