from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
import torch
from safetensors.torch import load_file, save_file

import toy_model
from fitting import train_model
from linkwl import Graph, InputError, create_model
from linkwl.graph.node_ids import NodeIds
from linkwl.models import registry
from linkwl.storage.model_folder import load_folder, load_model, load_nodes, load_record
from toy_model import MODEL_FILES


@pytest.fixture(autouse=True)
def known(monkeypatch):
    toy_model.register(monkeypatch)


@pytest.fixture(scope="module")
def graph():
    pairs = np.random.default_rng(0).integers(0, 40, (120, 2))
    names = NodeIds(pa.array([f"node {v:02}" for v in range(40)]))
    return Graph.from_pairs(pairs, 40, ids=names, name="small")


@pytest.fixture
def saved(toy, graph, tmp_path):
    model, _, _, record = train_model(toy(max_steps=4), graph, tmp_path / "m")
    return tmp_path / "m", model, record


def test_a_model_comes_back(saved, graph):
    folder, model, record = saved
    assert {path.name for path in folder.iterdir()} == {*MODEL_FILES}
    loaded = load_model(folder)
    pairs = np.random.default_rng(1).integers(0, 40, (50, 2))
    np.testing.assert_array_equal(loaded(graph, pairs), model(graph, pairs))
    assert (loaded.config, loaded.shape, loaded.id) == (model.config, model.shape, "toy")
    assert load_record(folder).to_json() == record.to_json()
    assert list(load_nodes(folder)) == list(graph.ids)
    saved_model = load_folder(folder)
    assert saved_model.graph.digest == graph.digest
    assert saved_model.graph.name == "small"
    assert saved_model.calibration.prior == graph.num_edges / graph.num_pairs


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_features_come_back(graph, tmp_path, kind):
    matrix = sp.random_array((40, 6), density=0.3, rng=np.random.default_rng(0), dtype=np.float32, format="csr")
    other = graph.with_features(matrix if kind == "sparse" else matrix.toarray())
    train_model(create_model("local-2wl", training={"max_steps": 1}), other, tmp_path / "m")
    assert load_folder(tmp_path / "m").graph.digest == other.digest


@pytest.mark.parametrize(
    "change",
    [
        lambda tensors: tensors.update(edges=tensors["edges"][:-1]),
        lambda tensors: tensors.update(edges=tensors["edges"] + 39),
        lambda tensors: tensors.update(edges=tensors["edges"].float()),
        lambda tensors: tensors.update(edges=tensors["edges"].reshape(-1)),
        lambda tensors: tensors.pop("edges"),
        lambda tensors: tensors.update(features=torch.zeros(3, 2)),
        lambda tensors: tensors.update({"features.data": torch.zeros(3)}),
        lambda tensors: tensors.update(
            {
                "features.data": torch.ones(1),
                "features.indices": torch.tensor([2**40]),
                "features.indptr": torch.ones(41, dtype=torch.int64),
            }
        ),
    ],
)
def test_another_graph_is_refused(saved, change):
    folder, _, _ = saved
    path = folder / "graph.safetensors"
    tensors = load_file(path)
    change(tensors)
    save_file(tensors, path, metadata={"linkwl": json.dumps({"name": "small", "directed": False, "width": 2})})
    with pytest.raises(InputError, match="it is damaged|the file is damaged or of another"):
        load_folder(folder)


@pytest.mark.parametrize("text", ["{}", "[]", "{", '{"slope": -1, "intercept": 0}', '{"slope": "a", "intercept": 0}'])
def test_a_damaged_calibration_is_refused(saved, text):
    folder, _, _ = saved
    (folder / "calibration.json").write_text(text)
    with pytest.raises(InputError, match=r"calibration.json.*not what linkwl writes"):
        load_folder(folder)


@pytest.mark.parametrize("ids", [NodeIds(40), NodeIds(pa.array(range(5, 45)))])
def test_node_names_of_every_kind_come_back(toy, graph, tmp_path, ids):
    other = Graph.from_pairs(graph.edges, 40, ids=ids)
    train_model(toy(max_steps=1), other, tmp_path / "m")
    loaded = load_nodes(tmp_path / "m")
    assert (list(loaded), loaded.is_range) == (list(ids), ids.is_range)
    assert Graph.from_pairs(graph.edges, 40, ids=loaded).digest == other.digest


def change_config(folder, **values):
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | values))


def change_weights(folder, change):
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


def test_no_weight_is_allocated_before_the_shapes_are_checked(saved, monkeypatch):
    """A network of a trillion inputs is refused at once: it is only ever built without memory."""
    folder, _, _ = saved
    change_config(folder, shape={"num_features": 10**12, "max_degree": 3})
    with pytest.raises(InputError, match=r"tensor '0.weight' must be F32 of shape \(8, 1000000000002\), found"):
        load_model(folder)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"format": 9}, "has format 9 and this version of linkwl reads format 3"),
        ({"model": "toi"}, "unknown model 'toi'; did you mean 'toy'"),
        ({"model": "cn", "config": {}}, "unknown tensor"),
        ({"config": {"depth": 3}}, "unknown toy setting 'depth'"),
        ({"config": {"encoder": {"channels": 0}}}, "'encoder.channels' must be greater than or equal to 1"),
        (
            {"config": {"encoder": {"channels": 9}}},
            "tensor '0.weight' must be F32 of shape (9, 2), found F32 of shape (8, 2)",
        ),
        ({"config": 3}, "not what linkwl writes"),
        ({"shape": {}}, "not what linkwl writes"),
        ({"shape": {"num_features": -3, "max_degree": 1}}, "not what linkwl writes"),
        ({"shape": {"num_features": "a"}}, "not what linkwl writes"),
        ({"shape": None}, "not what linkwl writes"),
    ],
)
def test_a_config_that_does_not_fit(saved, values, sentence):
    folder, _, _ = saved
    change_config(folder, **values)
    with pytest.raises(InputError) as error:
        load_model(folder)
    assert sentence in str(error.value)
    assert str(folder) in str(error.value)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda tensors: tensors.pop("0.bias"), "tensor '0.bias' is missing"),
        (lambda tensors: tensors.update(more=torch.zeros(1)), "unknown tensor 'more'"),
        (lambda tensors: tensors.update({"0.bias": torch.zeros(9)}), "must be F32 of shape (8,)"),
        (lambda tensors: tensors.update({"0.bias": torch.zeros(8).half()}), "found F16"),
        (lambda tensors: tensors["0.bias"].fill_(float("nan")), "'0.bias' holds values that are not finite"),
    ],
)
def test_weights_that_do_not_fit(saved, change, sentence):
    folder, _, _ = saved
    change_weights(folder, change)
    with pytest.raises(InputError) as error:
        load_model(folder)
    assert sentence in str(error.value)
    assert str(error.value).startswith(f"{folder / 'model.safetensors'}: ")


@pytest.mark.parametrize("name", ["config.json", "record.json", "nodes.parquet", "model.safetensors"])
@pytest.mark.parametrize("content", [b"", b"{}", b"[1", b"\xff\xfe", None])
def test_damaged_and_missing_files(saved, name, content):
    folder, _, _ = saved
    path = folder / name
    path.unlink() if content is None else path.write_bytes(content)
    load = {"record.json": load_record, "nodes.parquet": load_nodes}.get(name, load_model)
    with pytest.raises(InputError) as error:
        load(folder)
    assert str(folder) in str(error.value)


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ({"id": ["a", "b"]}, "expected 40 names of nodes, found 2"),
        ({"name": ["a"] * 40}, "expected one column `id`"),
        ({"id": [0.5] * 40}, "expected one column `id`"),
        ({"id": ["a"] * 39 + [None]}, "a node has no name"),
    ],
)
def test_names_that_do_not_fit(saved, table, sentence):
    folder, _, _ = saved
    pq.write_table(pa.table(table), folder / "nodes.parquet")
    with pytest.raises(InputError, match=sentence):
        load_nodes(folder)


def test_a_folder_without_a_model(tmp_path):
    with pytest.raises(InputError, match=r"there is no model in this folder; train one with `linkwl train GRAPH"):
        load_model(tmp_path)
    with pytest.raises(
        InputError, match=r"other: there is no such folder; train a model with `linkwl train GRAPH --out"
    ):
        load_model(tmp_path / "other")


def test_nothing_of_the_folder_is_run(saved):
    """Names of classes and modules in the files mean nothing: only known models are made."""
    folder, _, _ = saved
    change_config(folder, model="os:system")
    with pytest.raises(InputError, match="unknown model 'os:system'"):
        load_model(folder)
    assert "os:system" not in registry.ROWS


@pytest.mark.parametrize("name", ["calibration.json", "model.safetensors"])
def test_a_file_of_another_model_is_refused(saved, toy, graph, tmp_path, name):
    folder, *_ = saved
    train_model(toy(max_steps=3), graph, tmp_path / "other", seed=1, prior=0.5)
    (folder / name).write_bytes((tmp_path / "other" / name).read_bytes())
    with pytest.raises(InputError, match="not the file that was saved with the model") as caught:
        load_folder(folder)
    assert caught.value.path == folder / name


def test_a_weight_that_is_not_what_it_was_is_refused(saved):
    folder, *_ = saved
    content = bytearray((folder / "model.safetensors").read_bytes())
    content[-3] ^= 1
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(InputError, match="not the file that was saved with the model"):
        load_folder(folder)


@pytest.mark.parametrize("content", ["{}", "[]", "{", "[1]"])
def test_damaged_digests_are_refused(saved, content):
    folder, *_ = saved
    (folder / "sha256.json").write_text(content)
    with pytest.raises(InputError):
        load_folder(folder)
