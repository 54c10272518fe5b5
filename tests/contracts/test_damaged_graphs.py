"""Graph files of every format, damaged: a graph whose every part holds together, or one sentence."""

from __future__ import annotations

import gzip

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.sparse as sp
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkwl import Graph, LinkwlError, load_graph

EDGES = [(f"n{k}", f"n{(k * k + 1) % 17}") for k in range(17)]
NUMBERS = np.array([(k, (k * k + 1) % 17) for k in range(17)])
TEXT = "source,target\n" + "\n".join(f"{a},{b}" for a, b in EDGES)
some = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
many = settings(some, max_examples=5000)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The same graph in every format, as bytes by ending."""
    folder = tmp_path_factory.mktemp("whole")
    pq.write_table(pa.table({"source": [a for a, _ in EDGES], "target": [b for _, b in EDGES]}), folder / "g.parquet")
    np.save(folder / "g.npy", NUMBERS)
    sp.save_npz(folder / "g.npz", sp.coo_array((np.ones(17), NUMBERS.T), shape=(17, 17)).tocsr())
    nx.write_graphml(nx.Graph(EDGES), folder / "g.graphml")
    files = {path.suffix: path.read_bytes() for path in folder.iterdir()}
    return files | {
        ".csv": TEXT.encode(),
        ".tsv": TEXT.replace(",", "\t").encode(),
        ".txt": TEXT.replace(",", " ").encode(),
        ".csv.gz": gzip.compress(TEXT.encode()),
    }


def check_damaged_graph(whole, tmp_path, data):
    ending = data.draw(st.sampled_from(sorted(whole)))
    content = bytearray(whole[ending])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, max(len(content) - 1, 0)))
        kind = data.draw(st.integers(0, 3))
        if kind == 0 and content:
            content[place] ^= data.draw(st.integers(1, 255))
        elif kind == 1:
            del content[place : place + data.draw(st.integers(1, 200))]
        elif kind == 2:
            content[place:place] = data.draw(st.binary(min_size=1, max_size=30))
        else:
            content = bytearray(data.draw(st.binary(max_size=60)))
    path = tmp_path / f"graph{ending}"
    path.write_bytes(content)
    try:
        graph = load_graph(path)
    except LinkwlError as error:
        assert path.name in str(error)
        assert "\n" not in str(error)
        return
    assert isinstance(graph, Graph)
    assert len(graph.ids) == graph.num_nodes == len(set(graph.ids))
    assert graph.num_edges == len({tuple(edge) for edge in graph.edges.tolist()}) > 0
    assert 0 <= graph.edges.min() <= graph.edges.max() < graph.num_nodes
    assert (graph.edges[:, 0] != graph.edges[:, 1]).all()


def test_whole_files_are_read(whole, tmp_path):
    for ending, content in whole.items():
        (tmp_path / f"graph{ending}").write_bytes(content)
        graph = load_graph(tmp_path / f"graph{ending}").to_undirected()
        assert (graph.num_nodes, graph.num_edges) == (17, 17), ending


@given(st.data())
@some
def test_damaged_graphs(whole, tmp_path, data):
    check_damaged_graph(whole, tmp_path, data)


@pytest.mark.slow
@given(st.data())
@many
def test_many_damaged_graphs(whole, tmp_path, data):
    check_damaged_graph(whole, tmp_path, data)
