from __future__ import annotations

from pathlib import Path

import networkx as nx
import numpy as np
import pytest

import linkwl
from linkwl.errors import InputError
from linkwl.graph import load_graph


def test_it_is_the_public_front_door():
    assert linkwl.load_graph is load_graph


@pytest.mark.parametrize("kind", [str, Path])
def test_a_file_by_text_or_path(tmp_path, kind):
    path = tmp_path / "friends.v2.csv.gz"
    path.write_bytes(b"ann,bob\nbob,cid\n")
    graph = load_graph(kind(path))
    assert (graph.name, graph.num_edges) == ("friends", 2)
    assert load_graph(kind(path), name="mine").name == "mine"
    assert load_graph(kind(path), directed=True).is_directed


@pytest.mark.parametrize(("file", "name"), [("a.csv", "a"), (".hidden.csv", "hidden"), ("plain", "plain")])
def test_the_name_is_the_files(tmp_path, file, name):
    (tmp_path / file).write_text("1,2\n")
    assert load_graph(tmp_path / file).name == name


def test_features_come_in_the_order_of_the_nodes(tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("node,a\ncid,3\nann,1\nbob,2\n")
    graph = load_graph([("bob", "ann"), ("cid", "ann")], features=path)
    assert graph.features.tolist() == [[1], [2], [3]]
    assert graph.num_features == 1
    assert graph.intake.rows == 2


def test_features_of_a_file_and_an_object_alike(tmp_path):
    np.save(tmp_path / "x.npy", np.eye(3))
    (tmp_path / "g.csv").write_text("0,1\n1,2\n")
    loaded = [load_graph(source, features=str(tmp_path / "x.npy")) for source in (tmp_path / "g.csv", nx.path_graph(3))]
    assert loaded[0].digest == loaded[1].digest
    assert loaded[0].digest != load_graph(tmp_path / "g.csv").digest


def test_every_form_of_one_graph_has_one_digest(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq
    import scipy.io
    import scipy.sparse as sp

    club = nx.karate_club_graph()
    matrix = nx.to_scipy_sparse_array(club, weight=None)
    edges = np.array(club.edges)
    np.savetxt(tmp_path / "a.csv", edges, fmt="%d", delimiter=",")
    np.savetxt(tmp_path / "a.txt", edges[::-1], fmt="%d", delimiter="  ", header="karate\nclub")
    np.save(tmp_path / "a.npy", edges)
    np.save(tmp_path / "square.npy", matrix.toarray())
    sp.save_npz(tmp_path / "a.npz", matrix)
    scipy.io.savemat(tmp_path / "a.mat", {"net": sp.csc_array(matrix)})
    nx.write_graphml(club, tmp_path / "a.graphml")
    pq.write_table(pa.table({"target": edges[:, 1], "source": edges[:, 0]}), tmp_path / "a.parquet")
    digests = {path.name: load_graph(path, node_attributes="none").digest for path in tmp_path.iterdir()}
    assert len(digests) == 8
    assert set(digests.values()) == {load_graph(club).digest}


def test_errors_name_the_file(tmp_path):
    with pytest.raises(InputError, match="nowhere.csv: no such file"):
        load_graph(tmp_path / "nowhere.csv")
    with pytest.raises(InputError, match="nowhere.npy: no such file"):
        load_graph([(0, 1)], features=tmp_path / "nowhere.npy")


EDGELESS = {
    "loops.csv": b"7,7\n8,8\n",
    "nodes.graphml": b"<graphml><graph><node id='a'/><node id='b'/></graph></graphml>",
    "networkx": nx.empty_graph(2),
    "loop": nx.Graph([(1, 1), (2, 2)]),
    "matrix": np.eye(3)[:2, :2].repeat(2, axis=0).repeat(2, axis=1) * np.eye(4),
    "pairs": [("a", "a"), ("b", "b")],
}


@pytest.fixture(params=EDGELESS)
def edgeless(request, tmp_path):
    source = EDGELESS[request.param]
    if isinstance(source, bytes):
        (tmp_path / request.param).write_bytes(source)
        return tmp_path / request.param
    return source


def test_a_graph_without_edges_is_taken_for_a_mistake(edgeless):
    with pytest.raises(InputError, match="no edge between two different nodes was found; a graph needs at least one"):
        load_graph(edgeless)


def test_nodes_alone_are_a_graph_where_that_is_wanted(edgeless):
    graph = load_graph(edgeless, allow_edgeless=True)
    assert graph.num_edges == 0
    assert graph.num_nodes >= 2


@pytest.mark.parametrize("content", ["<html><body/></html>", "<graphml><graph></graph></graphml>"])
def test_a_file_without_nodes_is_never_a_graph(tmp_path, content):
    (tmp_path / "page.graphml").write_text(content)
    with pytest.raises(InputError, match="no edge"):
        load_graph(tmp_path / "page.graphml", allow_edgeless=True)
