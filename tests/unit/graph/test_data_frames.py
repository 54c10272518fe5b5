"""Data frames of pandas and polars, read as the same CSV would be."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest

from linkwl import InputError, LinkPredictor, load_graph

DEALS = {
    "buyer": ["ann", "bob", "cid", "ann", "dan", "bob"],
    "seller": ["bob", "cid", "dan", "dan", "ann", "eve"],
    "amount": [1.5, 2.0, 3.0, 4.0, 5.0, 6.25],
    "date": [f"2024-01-0{k}" for k in range(1, 7)],
    "count": [1, 2, 3, 4, 5, 6],
}
PEOPLE = {
    "node": ["ann", "bob", "cid", "dan", "eve"],
    "age": [1, 2, None, 4, 5],
    "kind": ["a", "b", "a", "b", "a"],
    "open": [True, False, True, None, True],
    "born": ["2000-01-01", "2000-01-01", None, "1990-05-05", "1990-05-05"],
}
COLUMNS = {"source": "buyer", "target": "seller", "weight": "amount", "time": "date", "directed": True}


def pandas() -> pd.DataFrame:
    return pd.DataFrame(DEALS)


def polars() -> pl.DataFrame:
    return pl.DataFrame(DEALS)


def with_dates() -> pd.DataFrame:
    return pandas().assign(date=pd.to_datetime(DEALS["date"]))


FRAMES = {
    "pandas": pandas,
    "dates": with_dates,
    "dates by day": lambda: with_dates().assign(date=with_dates()["date"].astype("datetime64[s]")),
    "categories": lambda: pandas().astype({"buyer": "category", "seller": "category"}),
    "objects": lambda: pandas().astype(object),
    "nullable": lambda: with_dates().convert_dtypes(),
    "pyarrow": lambda: with_dates().convert_dtypes(dtype_backend="pyarrow"),
    "an index without a name": lambda: pandas().set_index(pd.Index(list("uvwxyz"))),
    "ends as index": lambda: pandas().set_index(["buyer", "seller"]),
    "a slice": lambda: pd.concat([pandas(), pandas()]).iloc[6:],
    "polars": polars,
    "polars dates": lambda: polars().with_columns(pl.col("date").str.to_date()),
    "polars moments": lambda: polars().with_columns(pl.col("date").str.to_datetime()),
    "polars categories": lambda: polars().with_columns(pl.col("buyer", "seller").cast(pl.Categorical)),
    "polars, lazy": lambda: polars().lazy(),
}


@pytest.fixture
def file(tmp_path):
    pandas().to_csv(tmp_path / "deals.csv", index=False)
    return tmp_path / "deals.csv"


@pytest.mark.parametrize("name", FRAMES)
def test_edges(file, name):
    graph, plain = load_graph(FRAMES[name](), **COLUMNS), load_graph(file, **COLUMNS)
    assert graph.digest == plain.digest
    assert graph.intake.notes == plain.intake.notes


def test_moments_with_a_time_zone():
    local = with_dates().assign(date=pd.to_datetime(DEALS["date"]).tz_localize("Asia/Kolkata"))
    shift = load_graph(with_dates(), **COLUMNS).edge_time - load_graph(local, **COLUMNS).edge_time
    assert (shift == 5.5 * 3600).all()


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_what_is_found_without_options(file, frame):
    graph, plain = load_graph(FRAMES[frame]()), load_graph(file)
    assert (graph.digest, graph.intake.notes) == (plain.digest, plain.intake.notes)


def test_groups():
    deals = pd.concat([pandas(), pandas()])
    sizes = deals.groupby(["buyer", "seller"]).size()
    graph = load_graph(sizes.rename("weight"), weight="weight", directed=True)
    assert (graph.num_edges, set(graph.edge_weight.tolist())) == (6, {2.0})
    sums = load_graph(deals.groupby(["buyer", "seller"])[["amount"]].sum(), weight="amount", directed=True)
    assert sorted(sums.edge_weight.tolist()) == [2 * amount for amount in DEALS["amount"]]


@pytest.mark.parametrize("kind", ["Int64", "int8", "uint64", "int64[pyarrow]"])
def test_numbers_as_names(kind):
    frame = pd.DataFrame({"u": [1, 2, 3], "v": [2, 3, 40]}).astype(kind)
    assert load_graph(frame).digest == load_graph([(1, 2), (2, 3), (3, 40)]).digest


def test_columns_without_names():
    edges = [(1, 2), (2, 3), (3, 7)]
    assert load_graph(pd.DataFrame(edges)).digest == load_graph(edges).digest


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"u": [1, None, 3], "v": [2, 3, 4]}).astype("Int64"),
        pd.DataFrame({"u": ["a", None, "c"], "v": ["b", "c", "d"]}),
        pd.DataFrame({"u": ["a", None, "c"], "v": ["b", "c", "d"]}).astype("category"),
        pl.DataFrame({"u": [1, None, 3], "v": [2, 3, 4]}),
    ],
)
def test_a_missing_name(frame):
    with pytest.raises(InputError, match="column `u` has no node id in row 2"):
        load_graph(frame)


PEOPLE_FRAMES = {
    "pandas": lambda: pd.DataFrame(PEOPLE),
    "nullable": lambda: pd.DataFrame(PEOPLE).convert_dtypes().astype({"kind": "category"}),
    "dates": lambda: pd.DataFrame(PEOPLE).assign(born=pd.to_datetime(PEOPLE["born"])),
    "nodes as index": lambda: pd.DataFrame(PEOPLE).set_index("node"),
    "polars": lambda: pl.DataFrame(PEOPLE),
    "polars, lazy": lambda: pl.DataFrame(PEOPLE).lazy(),
    "polars dates": lambda: pl.DataFrame(PEOPLE).with_columns(pl.col("born").str.to_date()),
}


@pytest.mark.parametrize("name", PEOPLE_FRAMES)
def test_features(file, tmp_path, name):
    pd.DataFrame(PEOPLE).to_csv(tmp_path / "people.csv", index=False)
    plain = load_graph(file, features=tmp_path / "people.csv")
    graph = load_graph(pandas(), features=PEOPLE_FRAMES[name]())
    np.testing.assert_array_equal(graph.features, plain.features)
    assert graph.digest == plain.digest
    assert graph.intake.notes == plain.intake.notes


def test_triples(tmp_path):
    facts = {"head": ["a", "b"], "relation": ["knows", "likes"], "tail": ["b", "c"]}
    pd.DataFrame(facts).to_csv(tmp_path / "facts.csv", index=False)
    plain = load_graph(tmp_path / "facts.csv").digest
    assert load_graph(pd.DataFrame(facts)).digest == load_graph(pl.DataFrame(facts)).digest == plain


def test_matrices():
    square = pd.DataFrame([[0, 1, 1], [1, 0, 0], [1, 0, 0]], index=list("abc"), columns=list("abc"))
    assert load_graph(square).digest == load_graph([("a", "b"), ("a", "c")]).digest
    wide = pd.DataFrame([[1, 0, 1], [0, 1, 1]], index=["ann", "bob"], columns=["E1", "E2", "E3"])
    graph = load_graph(wide, bipartite=True)
    assert (graph.num_edges, graph.part.tolist()) == (4, [0, 0, 1, 1, 1])


def test_results_as_a_data_frame():
    edges = pd.DataFrame({"u": np.arange(60) % 20, "v": (np.arange(60) ** 2 + 3) % 21})
    table = LinkPredictor("ra").fit(edges).recommend(3).to_pandas()
    assert list(table.columns) == ["source", "target", "score", "probability", "rank"]
    assert table["rank"].tolist() == [1, 2, 3]
