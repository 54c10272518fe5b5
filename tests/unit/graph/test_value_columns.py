"""Weights and times from every source that has them, and clear refusals from those that do not."""

from __future__ import annotations

import datetime
from decimal import Decimal
from types import SimpleNamespace

import networkx as nx
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import scipy.io
import scipy.sparse as sp
import torch

from linkwl.errors import InputError
from linkwl.graph import Graph, load_graph
from linkwl.graph.value_columns import ValueColumns, to_numbers

TABLE = "source,target,w,when\na,b,0.5,3\nb,a,2,9\nb,c,-1e3,4\n"


def by_name(graph: Graph, values) -> dict[tuple, float]:
    return {(graph.ids[p], graph.ids[q]): v for (p, q), v in zip(graph.edges.tolist(), values.tolist(), strict=True)}


@pytest.fixture
def load(tmp_path):
    def load(content: str, **options) -> Graph:
        path = tmp_path / "edges.csv"
        path.write_text(content)
        return load_graph(path, **options)

    return load


def test_columns_of_a_text_by_name(load):
    graph = load(TABLE, weight="w", time="when")
    assert by_name(graph, graph.edge_weight) == {("a", "b"): 2.5, ("b", "c"): -1000}
    assert by_name(graph, graph.edge_time) == {("a", "b"): 3, ("b", "c"): 4}
    assert graph.time.dtype == np.int64
    assert graph.intake.notes == (
        "edges from columns `source` and `target`",
        "weight from column `w`",
        "time from column `when`",
        "weights of copies added up",
        "earliest time of copies kept",
    )


def test_nothing_is_read_that_is_not_asked_for(load):
    graph = load(TABLE)
    assert (graph.weight, graph.time) == (None, None)
    assert graph.intake.notes[-1] == "ignored columns `w`, `when` (to use: --time when, --weight w)"
    assert load(TABLE, weight=False).digest == graph.digest
    assert load("a,b\nb,c\n").digest == graph.digest
    assert "ignored column `w` (to use: --weight w)" in load(TABLE, time="when").intake.notes


def test_the_last_of_several_copies(load):
    assert load(TABLE, weight="w", merge="last").edge_weight.tolist() == [2, -1000]
    assert load(TABLE, weight="w", directed=True).edge_weight.tolist() == [0.5, 2, -1000]


@pytest.mark.parametrize(
    ("text", "options", "weights"),
    [
        ("1 2 0.5\n2 3 4\n", {"weight": 3}, [0.5, 4]),
        ("1 2 0.5\n2 3 4\n", {"weight": "3"}, [0.5, 4]),
        ("0.5 1 2\n4 2 3\n", {"weight": 1}, [0.5, 4]),
        ("1;2;0,5\n2;3;4\n", {"weight": 3}, [0.5, 4]),
        ("1 2 x 0.5\n2 3 y 4\n", {"weight": 4, "time": None}, None),
        ("source,target,weight\na,b, .5\nb,c,4 \n", {"weight": True}, [0.5, 4]),
        ("source,target,x\na,b,0.5\nb,c,4\n", {"weight": 3}, [0.5, 4]),
        ("w,source,target\n007,a,b\n4,b,c\n", {"weight": "w"}, [7, 4]),
        ("from,to,w\n1,2,007\n2,3,4\n", {"weight": "w"}, [7, 4]),
    ],
)
def test_columns_of_a_text_by_position_and_usual_name(load, text, options, weights):
    if weights is None:
        with pytest.raises(InputError, match="which two hold the node ids"):
            load(text, **options)
    else:
        assert load(text, **options).edge_weight.tolist() == weights


def test_one_column_may_be_both(load):
    graph = load("a,b,3\nb,c,4\n", weight=3, time=3)
    assert (graph.edge_weight.tolist(), graph.edge_time.tolist()) == ([3, 4], [3, 4])


def test_numbers_stay_numbers_beside_weights(load):
    assert list(load("10,20,1.5\n20,30,2\n", weight=3).ids) == [10, 20, 30]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        (["5", "9007199254740993"], [5, 2**53 + 1]),
        (["5", "7.5"], [5.0, 7.5]),
        (["2024-05-31", "1970-01-02"], [1717113600, 86400]),
        (["1970-01-01 00:01:00", "1970-01-02T00:00:00"], [60, 86400]),
    ],
)
def test_times_are_numbers_or_dates(load, times, expected):
    graph = load("source,target,t\n" + "".join(f"a{k},b{k},{time}\n" for k, time in enumerate(times)), time="t")
    assert graph.edge_time.tolist() == expected


@pytest.mark.parametrize(
    ("text", "options", "words"),
    [
        (TABLE, {"weight": "x"}, "no column `x`; the columns are `source`, `target`, `w`, `when`"),
        (TABLE, {"weight": 5}, "no column `5`"),
        (TABLE, {"weight": 0}, "no column `0`"),
        (
            "a,b,1\nb,c,2\n",
            {"weight": "w"},
            "there is no header; name the column of the weight by its position, 1 to 3",
        ),
        (TABLE + "c,d,,4\n", {"weight": "w"}, r"line 5: column `w` must hold the weight .* finite numbers; found ''"),
        (TABLE + "c,d,nan,4\n", {"weight": "w"}, "line 5: .*found 'nan'"),
        (TABLE + "c,d,inf,4\n", {"weight": "w"}, "line 5: .*found 'inf'"),
        (TABLE + "\nc,d,much,4\n", {"weight": "w"}, "line 6: .*found 'much'"),
        (TABLE + "c,d,1,2024-05-31\n", {"time": "when"}, "line 5: .*dates such as 2024-05-31; found '2024-05-31'"),
        (TABLE + "c,d,1\n", {"weight": "w"}, "line 5: expected 4 columns"),
        ("a,b\nb,c\n", {"weight": 1}, "which two hold the node ids"),
    ],
)
def test_bad_columns_of_a_text(load, text, options, words):
    with pytest.raises(InputError, match=words):
        load(text, **options)


def write_parquet(path, **columns):
    pq.write_table(pa.table({"source": ["a", "b"], "target": ["b", "c"]} | columns), path)
    return path


@pytest.mark.parametrize(
    ("column", "expected", "dtype"),
    [
        (pa.array([0.5, 2]), [0.5, 2], np.float64),
        (pa.array([0.5, 2], pa.float32()), [0.5, 2], np.float32),
        (pa.array([3, 4]), [3, 4], np.float64),
        (pa.array([Decimal("0.50"), Decimal("2.00")]), [0.5, 2], np.float64),
        (pa.array(["0.5", " 2"]), [0.5, 2], np.float64),
        (pa.array(["0.5", "2"]).dictionary_encode(), [0.5, 2], np.float64),
    ],
)
def test_weights_of_a_parquet_table(tmp_path, column, expected, dtype):
    path = write_parquet(tmp_path / "e.parquet", other=[1, 2], w=column)
    graph = load_graph(path, weight="w")
    assert (graph.edge_weight.tolist(), graph.weight.dtype) == (expected, dtype)
    assert graph.intake.notes[1:] == ("weight from column `w`", "ignored column `other`")
    assert load_graph(path, weight=4).digest == graph.digest


@pytest.mark.parametrize(
    "column",
    [
        pa.array([60, 86400]),
        pa.array([datetime.datetime(1970, 1, 1, 0, 1), datetime.datetime(1970, 1, 2)]),
        pa.array(["1970-01-01 00:01:00", "1970-01-02 00:00:00"]),
    ],
)
def test_times_of_a_parquet_table(tmp_path, column):
    graph = load_graph(write_parquet(tmp_path / "e.parquet", t=column), time="t")
    assert (graph.edge_time.tolist(), graph.time.dtype) == ([60, 86400], np.int64)


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        ("weight", pa.array([1.0, None])),
        ("weight", pa.array([1.0, float("nan")])),
        ("weight", pa.array(["1", "x"])),
        ("weight", pa.array([datetime.date(2020, 1, 1)] * 2)),
        ("weight", pa.array([[1], [2]])),
        ("time", pa.array([datetime.time(1), datetime.time(2)])),
    ],
)
def test_bad_columns_of_a_parquet_table(tmp_path, kind, column):
    path = write_parquet(tmp_path / "e.parquet", x=column)
    with pytest.raises(InputError, match=f"column `x` must hold the {kind} of every edge"):
        load_graph(path, **{kind: "x"})
    with pytest.raises(InputError, match="there is no column `y`"):
        load_graph(path, **{kind: "y"})
    with pytest.raises(InputError, match="found 1 columns"):
        load_graph(path, **{kind: "source", "weight" if kind == "time" else "time": "x"})


def test_attributes_of_a_networkx_graph():
    source = nx.Graph()
    source.add_edge("b", "a", weight=2, at=2**53 + 1)
    source.add_edge("b", "c", weight=0.5, at=7)
    graph = load_graph(source, weight="weight", time="at")
    assert by_name(graph, graph.edge_weight) == {("a", "b"): 2, ("b", "c"): 0.5}
    assert by_name(graph, graph.edge_time) == {("a", "b"): 2**53 + 1, ("b", "c"): 7}
    assert graph.intake.notes == ("weight from attribute `weight`", "time from attribute `at`")
    assert load_graph(source, weight=True, time="at").digest == graph.digest
    assert load_graph(source).weight is None
    both = nx.DiGraph([("a", "b", {"weight": 1}), ("b", "a", {"weight": 3})])
    assert load_graph(both, weight=True, directed=False).edge_weight.tolist() == [4]
    many = nx.MultiGraph([("a", "b", {"weight": 1}), ("a", "b", {"weight": 3})])
    assert load_graph(many, weight=True).edge_weight.tolist() == [4]


@pytest.mark.parametrize("value", [None, "much", float("nan"), float("inf")])
def test_edges_without_the_attribute(value):
    source = nx.Graph([("a", "b")])
    if value is not None:
        source.edges["a", "b"]["weight"] = value
    with pytest.raises(InputError, match=r"the edge 'a', 'b' has .* as attribute `weight`, expected the weight"):
        load_graph(source, weight=True)


MATRIX = np.array([[9, 2, 0], [2, 0, 0.5], [0, 0.5, 0]])


def test_values_of_a_matrix(tmp_path):
    sp.save_npz(tmp_path / "m.npz", sp.csr_array(MATRIX))
    np.save(tmp_path / "m.npy", MATRIX)
    scipy.io.savemat(tmp_path / "m.mat", {"net": sp.csc_matrix(MATRIX)})
    for source in (MATRIX, sp.csr_array(MATRIX), *sorted(tmp_path.iterdir())):
        graph = load_graph(source, weight=True)
        assert graph.edge_weight.tolist() == [2, 0.5]
        assert graph.intake.notes[0] == "weight from the values of the matrix"
        assert load_graph(source, weight=True, merge="last").digest == graph.digest
        assert load_graph(source).weight is None
        assert load_graph(source, weight=True, directed=True).edge_weight.tolist() == [2, 2, 0.5, 0.5]
    assert load_graph(np.triu(MATRIX), weight=True).edge_weight.tolist() == [2, 0.5]
    assert load_graph(MATRIX + 3 * np.eye(3, k=1), weight=True, directed=False).edge_weight.tolist() == [7, 4]
    assert load_graph(MATRIX + 3 * np.eye(3, k=1), weight=True).edge_weight.tolist() == [5, 2, 3.5, 0.5]
    assert load_graph((MATRIX * 2).astype(np.int8), weight=True).edge_weight.tolist() == [4, 1]


def test_attributes_of_pyg_data():
    edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    weight = torch.tensor([2, 2, 0.5, 0.5])
    data = SimpleNamespace(edge_index=edge_index, edge_weight=weight, t=torch.tensor([[3], [4], [5], [6]]), num_nodes=3)
    graph = load_graph(data, weight=True, time="t")
    assert (graph.edge_weight.tolist(), graph.edge_time.tolist()) == ([2, 0.5], [3, 5])
    assert graph.weight.dtype == np.float32
    data.edge_weight = torch.tensor([2, 1, 0.5, 0.5])
    assert load_graph(data, weight=True).edge_weight.tolist() == [3, 1]
    with pytest.raises(InputError, match="no attribute `edge_time` with the time of each of its 4 edges"):
        load_graph(data, time=True)
    data.edge_weight = torch.tensor([2, 1, 0.5, float("nan")])
    with pytest.raises(InputError, match="holds NaN"):
        load_graph(data, weight=True)


def test_sources_that_have_no_such_columns(tmp_path):
    nx.write_graphml(nx.path_graph(3), tmp_path / "g.graphml")
    pairs = np.array([(0, 1), (1, 2), (2, 3)])
    for source, words in [
        (tmp_path / "g.graphml", "no edge has an attribute `weight`"),
        (pairs, "no weight can be read from node pairs"),
        (Graph.from_pairs(pairs, 4), "no weight can be read from a `Graph`"),
    ]:
        with pytest.raises(InputError, match=words):
            load_graph(source, weight=True)
    with pytest.raises(InputError, match="its values are weights, read with `weight=True`"):
        load_graph(MATRIX, weight="w")
    with pytest.raises(InputError, match="no time can be read"):
        load_graph(MATRIX, time=True)


def test_the_usual_names():
    assert ValueColumns().names() == ValueColumns(False, False).names() == {}
    assert ValueColumns(True, 4).names() == {"weight": "weight", "time": 4}
    assert ValueColumns(True).names(weight="edge_weight") == {"weight": "edge_weight"}


def test_an_empty_column_is_no_numbers_at_all():
    assert to_numbers("weight", pa.chunked_array([], pa.string())).tolist() == []
