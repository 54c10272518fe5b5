from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file

from graphs import random_rows
from linkwl.errors import InputError
from linkwl.graph import EntityTypes, Graph, KnowledgeGraph, NodeIds
from linkwl.graph.attributes import Attributes, CategoryColumn, NumberColumn
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.positions import Positions
from linkwl.storage import open_tensors, read_graph_file, write_graph

RELEASE = Path(__file__).parents[2] / "fixtures" / "release-0.1"
NAMES = NodeIds(pa.array([f"n{k:02}" for k in range(20)]))
PARTS = np.arange(20) % 2
ROWS = random_rows(20, 60)
ACROSS = ROWS[PARTS[ROWS[:, 0]] != PARTS[ROWS[:, 1]]]
WEIGHT, TIME = np.arange(60) / 3, np.arange(60) * 10**12
TRIPLES = np.insert(ROWS, 1, np.arange(60) % 3, axis=1)
KINDS = NodeIds(pa.array(["city", "person"]), kind="type")
DENSE = np.arange(40, dtype=np.float32).reshape(20, 2)


def triples(**fields) -> KnowledgeGraph:
    return KnowledgeGraph.from_triples(TRIPLES, 20, 3, **fields)


KNOWN = Attributes(
    (NumberColumn.of("age", np.where(np.arange(20) == 3, np.nan, np.arange(20.0))),),
    (CategoryColumn("kind", ("a", "b ü"), (np.arange(20) % 3 - 1).astype(np.int32)),),
    Positions(np.arange(40.0).reshape(20, 2), "map"),
    PairNumbers(("trade",), np.array([[0, 1], [3, 2]], dtype=np.int32), np.array([[1.5], [2.5]])),
)
GRAPHS = {
    "attributes": Graph.from_pairs(ROWS, 20, ids=NAMES).with_attributes(KNOWN),
    "places alone": Graph.from_pairs(ROWS, 20, attributes=Attributes(positions=KNOWN.positions)),
    "plain": Graph.from_pairs(ROWS, 20, name="plain"),
    "directed": Graph.from_pairs(ROWS, 20, is_directed=True, ids=NAMES, features=DENSE),
    "weights": Graph.from_pairs(ROWS, 20, weight=WEIGHT),
    "small weights": Graph.from_pairs(ROWS, 20, weight=WEIGHT.astype(np.float32), is_directed=True),
    "times": Graph.from_pairs(ROWS, 20, time=TIME, ids=NAMES),
    "odd times": Graph.from_pairs(ROWS, 20, time=TIME / 7, weight=WEIGHT, is_directed=True),
    "sides": Graph.from_pairs(ACROSS, 20, part=PARTS, features=sp.csr_array(DENSE)),
    "everything": Graph.from_pairs(ACROSS, 20, part=PARTS, weight=np.ones(len(ACROSS)), time=np.arange(len(ACROSS))),
    "edgeless": Graph.from_pairs([], 20, weight=[], time=[], part=PARTS),
    "triples": triples(name="facts"),
    "named triples": triples(ids=NAMES, relations=NodeIds(pa.array(["a", "b ü", ""]), kind="relation"), features=DENSE),
    "numbered relations": triples(relations=NodeIds(pa.array([1, 5, 2**60])), features=sp.csr_array(DENSE)),
    "typed triples": triples(ids=NAMES, types=EntityTypes.from_pairs(range(20), PARTS, 20, KINDS)),
    "numbered types": triples(types=EntityTypes.from_pairs([3, 3], [0, 1], 20, NodeIds(2)), features=DENSE),
    "no triples": KnowledgeGraph.from_triples([], 20, 0),
}


@pytest.mark.parametrize("kind", GRAPHS)
def test_every_graph_comes_back(tmp_path, kind):
    graph = GRAPHS[kind]
    write_graph(tmp_path / "g.safetensors", graph)
    read = read_graph_file(tmp_path / "g.safetensors", graph.ids, graph.digest)
    assert type(read) is type(graph)
    assert (read.digest, read.name, read.is_directed) == (graph.digest, graph.name, graph.is_directed)
    assert repr(read) == repr(graph)


def test_a_graph_without_further_columns_is_written_as_before(tmp_path):
    for folder in sorted(path for path in RELEASE.iterdir() if path.is_dir()):
        nodes = json.loads((folder / "config.json").read_text())["nodes"]
        names = pq.read_table(folder / "nodes.parquet")["id"].combine_chunks()
        ids = NodeIds(nodes["count"]) if nodes["are_range"] else NodeIds(names)
        record = json.loads((folder / "record.json").read_text())["graph"]
        graph = read_graph_file(folder / "graph.safetensors", ids, record["digest"])
        assert isinstance(graph, Graph)
        write_graph(tmp_path / "g.safetensors", graph)
        assert (tmp_path / "g.safetensors").read_bytes() == (folder / "graph.safetensors").read_bytes()


def test_the_note_of_a_plain_graph_says_nothing_new(tmp_path):
    write_graph(tmp_path / "g.safetensors", GRAPHS["plain"])
    with open_tensors(tmp_path / "g.safetensors") as file:
        assert file.note == '{"name": "plain", "directed": false, "width": 0}'
        assert file.names == {"edges"}


def refuse(path: Path, graph: Graph | KnowledgeGraph) -> None:
    with pytest.raises(InputError, match="not the graph of the model beside it|it is damaged") as caught:
        read_graph_file(path, graph.ids, graph.digest)
    assert path.name in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("attributes", {"attributes.numbers": torch.ones(20, 0, dtype=torch.float64)}),
        ("attributes", {"attributes.numbers": torch.ones(3, 1, dtype=torch.float64)}),
        ("attributes", {"attributes.categories": torch.full((20, 1), 99, dtype=torch.int32)}),
        ("attributes", {"attributes.positions": torch.ones(20, 2)}),
        ("attributes", {"attributes.pairs": torch.zeros(2, 2, dtype=torch.int32)}),
        ("places alone", {"attributes.positions": None}),
        ("everything", {"edge_weight": torch.full((60,), torch.nan)}),
        ("everything", {"edge_weight": torch.ones(5)}),
        ("everything", {"edge_weight": torch.ones(5, 5)}),
        ("everything", {"edge_weight": torch.ones(60, dtype=torch.int64)}),
        ("everything", {"edge_time": torch.ones(60, dtype=torch.int32)}),
        ("everything", {"edge_time": torch.ones(2, dtype=torch.float64)}),
        ("everything", {"part": torch.full((20,), 2, dtype=torch.int8)}),
        ("everything", {"part": torch.zeros(20, dtype=torch.int8)}),
        ("everything", {"part": torch.ones(20)}),
        ("everything", {"part": torch.ones(3, dtype=torch.int8)}),
        ("everything", {"edge_weight": None}),
        ("everything", {"edges": None}),
        ("plain", {"part": torch.zeros(20, dtype=torch.int8)}),
        ("plain", {"edge_time": torch.zeros(60, dtype=torch.int64)}),
        ("triples", {"triples": None}),
        ("triples", {"triples": torch.ones(4, 2, dtype=torch.int32)}),
        ("triples", {"triples": torch.full((4, 3), 20, dtype=torch.int32)}),
        ("triples", {"triples": torch.full((4, 3), -1, dtype=torch.int32)}),
        ("triples", {"triples": torch.ones(4, 3)}),
        ("triples", {"triples": torch.ones(4, 3, dtype=torch.int32)}),
        ("typed triples", {"types.ptr": None}),
        ("typed triples", {"types.ptr": torch.arange(20)}),
        ("typed triples", {"types.ptr": torch.arange(21, dtype=torch.int32)}),
        ("typed triples", {"types.col": None}),
        ("typed triples", {"types.col": torch.full((20,), 2, dtype=torch.int32)}),
        ("typed triples", {"types.col": torch.full((20,), -1, dtype=torch.int32)}),
        ("typed triples", {"types.col": torch.zeros(20, dtype=torch.int32)}),
        ("typed triples", {"types.col": torch.zeros(20)}),
    ],
)
def test_tensors_of_another_graph_are_refused(tmp_path, kind, change):
    path, graph = tmp_path / "g.safetensors", GRAPHS[kind]
    write_graph(path, graph)
    with open_tensors(path) as file:
        note = file.note
    tensors = {name: tensor for name, tensor in (load_file(path) | change).items() if tensor is not None}
    save_file(tensors, path, metadata={"linkwl": note})
    refuse(path, graph)


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "hypergraph"},
        {"kind": ["graph"]},
        {"kind": "graph"},
        {"kind": None},
        {"relations": 2},
        {"relations": -1},
        {"relations": 10**15},
        {"relations": 10**30},
        {"relations": None},
        {"relations": 2.5},
        {"relations": "ab"},
        {"relations": ["a", "b", None]},
        {"relations": ["a", "b", 3]},
        {"relations": [1, 2, 10**30]},
        {"relations": [1, None, 3]},
        {"relations": {"a": 1, "b": 2, "c": 3}},
        {"types": ["a"]},
        {"types": None},
        {"width": "many"},
    ],
)
def test_notes_of_another_graph_are_refused(tmp_path, change):
    path, graph = tmp_path / "g.safetensors", GRAPHS["named triples"]
    write_graph(path, graph)
    with open_tensors(path) as file:
        note = json.loads(file.note) | change
    save_file(load_file(path), path, metadata={"linkwl": json.dumps(note)})
    refuse(path, graph)


@pytest.mark.parametrize("note", ["", "[]", "1", "null", "{", "{}", '{"kind": "knowledge graph"}'])
def test_notes_that_are_none_are_refused(tmp_path, note):
    path, graph = tmp_path / "g.safetensors", GRAPHS["triples"]
    save_file({"triples": torch.from_numpy(np.array(graph.triples))}, path, metadata={"linkwl": note})
    refuse(path, graph)


DTYPES = [torch.int8, torch.int32, torch.int64, torch.float32, torch.float64, torch.bool]


@given(st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_tensors_are_the_graph_or_one_sentence(tmp_path, data):
    graph = GRAPHS[data.draw(st.sampled_from(sorted(GRAPHS)))]
    path = tmp_path / "g.safetensors"
    write_graph(path, graph)
    with open_tensors(path) as file:
        note = file.note
    tensors = load_file(path)
    name = data.draw(st.sampled_from(["edges", "triples", "edge_weight", "edge_time", "part", *sorted(tensors)]))
    shape = data.draw(st.lists(st.integers(0, 61), max_size=2) | st.just([*tensors.get(name, torch.ones(60)).shape]))
    value = data.draw(st.sampled_from([0, 1, -1, 19, 20, 2**31 - 1, 2**62, float("nan"), float("inf")]))
    dtype = data.draw(st.sampled_from(DTYPES))
    if not dtype.is_floating_point and dtype != torch.bool:
        value = 7 if value != value or value == float("inf") else min(value, torch.iinfo(dtype).max)
    save_file(tensors | {name: torch.full(shape, value, dtype=dtype)}, path, metadata={"linkwl": note})
    try:
        read = read_graph_file(path, graph.ids, graph.digest)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert read.digest == graph.digest


@given(st.data())
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_changed_bytes_are_the_graph_or_one_sentence(tmp_path, data):
    graph = GRAPHS[data.draw(st.sampled_from(sorted(GRAPHS)))]
    path = tmp_path / "g.safetensors"
    write_graph(path, graph)
    content = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    path.write_bytes(content[: data.draw(st.integers(len(content) - 8, len(content)))])
    try:
        read = read_graph_file(path, graph.ids, graph.digest)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert read.digest == graph.digest
