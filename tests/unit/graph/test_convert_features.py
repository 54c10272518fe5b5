from __future__ import annotations

from functools import partial

import networkx as nx
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import scipy.sparse as sp
import torch

from linkwl.errors import InputError
from linkwl.graph import NodeIds, load_graph
from linkwl.graph.convert_features import node_table

NAMES = NodeIds(pa.array(["ann", "bob"]))
RANGE = NodeIds(2)


class Frame:
    """What of a pandas data frame is used."""

    def __init__(self, index, **columns):
        self.index, self.columns, self._columns = index, list(columns), columns

    def __getitem__(self, name):
        return self._columns[name]


@pytest.mark.parametrize(
    "source",
    [
        Frame(range(2), name=np.array(["bob", "ann"]), age=np.array([2.0, 1.0])),
        Frame(np.array(["bob", "ann"]), age=np.array([2.0, 1.0])),
        pa.table({"node": ["bob", "ann"], "age": [2, 1]}),
        [{"id": "bob", "age": 2}, {"id": "ann", "age": 1}],
        {"bob": {"age": 2}, "ann": {"age": 1}},
        {"bob": [2.0], "ann": [1.0]},
        {"bob": 2, "ann": 1},
        {"bob": torch.tensor([2.0]), "ann": torch.tensor([1.0])},
        pd.DataFrame({"age": [2.0, 1.0]}, index=["bob", "ann"]),
        pd.Series([2.0, 1.0], index=["bob", "ann"]),
        pd.Series([2.0, 1.0], index=["bob", "ann"], name="age"),
        pl.DataFrame({"node": ["bob", "ann"], "age": [2.0, 1.0]}),
    ],
)
def test_tables_by_name(source):
    assert node_table(source, NAMES).features.tolist() == [[1], [2]]


@pytest.mark.parametrize(
    "make",
    [
        np.array,
        sp.csr_array,
        sp.coo_matrix,
        torch.tensor,
        partial(torch.tensor, requires_grad=True),
        partial(torch.tensor, dtype=torch.bfloat16),
        lambda rows: torch.tensor(rows).to_sparse(),
        list,
        lambda rows: np.array(rows)[:, 0],
        lambda rows: pd.DataFrame(rows, columns=["age"]),
    ],
)
def test_arrays_by_number(make):
    features = node_table(make([[1.0], [2.0]]), RANGE).features
    assert np.asarray(features.toarray() if sp.issparse(features) else features).tolist() == [[1], [2]]


def test_a_sparse_tensor_stays_sparse():
    rows = torch.zeros(200, 50)
    rows[torch.arange(200), torch.arange(200) % 50] = 2.0
    assert sp.issparse(node_table(rows.to_sparse(), NodeIds(200)).features)


@pytest.mark.parametrize(
    ("source", "ids", "words"),
    [
        (np.ones((2, 1)), NAMES, r"nodes have names \(as 'ann'\)"),
        (np.ones((2, 2, 2)), RANGE, "one row per node, got shape"),
        (np.ones(3), RANGE, "1 rows? (is|are) left over"),
        (np.ma.array([[1.0], [2.0]], mask=[[False], [True]]), RANGE, "feature 1 of row 2 is not a finite number"),
        (7, RANGE, "features of type int cannot be read; give a file, a data frame, a dictionary by node"),
        ([[1.0], [2.0, 3.0]], RANGE, "features of type list cannot be read"),
        ({"ann", "bob"}, NAMES, "features of type set cannot be read"),
        (["young", "old"], RANGE, "features must be real numbers"),
        ({}, NAMES, "the dictionary of features is empty"),
        (pa.table({"node": ["ann", "bob"]}), NAMES, "got 1 columns"),
    ],
)
def test_what_is_refused(source, ids, words):
    with pytest.raises(InputError, match=words):
        node_table(source, ids)


class TestNetworkx:
    def test_node_attributes_are_named_and_read_if_desired(self):
        club = nx.karate_club_graph()
        assert load_graph(club).attributes is None
        assert load_graph(club).intake.notes[1:] == ("ignored node attribute `club` (to use: features=True)",)
        graph = load_graph(club, features=True)
        assert graph.attributes.categories[0].levels == ("Mr. Hi", "Officer")
        assert graph.num_features == 2

    def test_the_place_of_a_drawing_is_a_pair_of_coordinates(self):
        graph = load_graph(nx.random_geometric_graph(30, 0.4, seed=1), features=True)
        assert graph.attributes.positions.metric == "plane"
        assert graph.features is None

    def test_without_attributes_there_is_nothing_to_read(self):
        with pytest.raises(InputError, match="have no attributes"):
            load_graph(nx.path_graph(3), features=True)
        with pytest.raises(InputError, match="networkx graph; give a file"):
            load_graph([(0, 1)], features=True)


def test_positions_of_pyg_data():
    data = pytest.importorskip("torch_geometric.data").Data(
        edge_index=torch.tensor([[0, 1], [1, 2]]), pos=torch.tensor([[0.0, 1, 2], [3, 4, 5], [6, 7, float("nan")]])
    )
    positions = load_graph(data).attributes.positions
    assert positions.coordinates[:2].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert positions.is_known.tolist() == [True, True, False]


def test_coordinates_are_not_for_facts():
    facts = [("ann", "knows", "bob"), ("bob", "likes", "ann")]
    with pytest.raises(InputError, match="models of facts do not read coordinates"):
        load_graph(facts, features={"ann": {"lat": 1, "lon": 2}, "bob": {"lat": 2, "lon": 3}})
    assert load_graph(facts, features={"ann": {"age": 1}, "bob": {"age": 2}}).num_features == 1
