import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

from linkwl import OutputError
from linkwl.graph.node_ids import NodeIds
from linkwl.predict import RankedFact, RankedLink, Ranking


@pytest.fixture
def ranking():
    ids = NodeIds(pa.array(["ann", "bob", "c,d"]))
    pairs = np.array([(0, 1), (1, 2), (0, 2)], dtype=np.int32)
    return Ranking({"source": ids, "target": ids}, pairs, np.array([1.0, 3.0, 1.0]), np.array([0.1, 0.7, 0.1]))


def test_rows_have_names_and_ranks(ranking):
    assert list(ranking) == [
        RankedLink("ann", "bob", 1.0, 0.1, 2),
        RankedLink("bob", "c,d", 3.0, 0.7, 1),
        RankedLink("ann", "c,d", 1.0, 0.1, 3),
    ]
    assert len(ranking) == 3
    assert ranking.head(1) == [RankedLink("ann", "bob", 1.0, 0.1, 2)]


@pytest.mark.parametrize("name", ["links.csv", "links.parquet"])
def test_files_hold_the_table(ranking, tmp_path, name):
    ranking.save(tmp_path / name)
    read = pq.read_table if name.endswith("parquet") else pa.csv.read_csv
    assert read(tmp_path / name).to_pydict() == ranking.to_arrow().to_pydict()
    assert list(ranking.to_arrow().column_names) == ["source", "target", "score", "probability", "rank"]


def test_a_place_that_is_none(ranking, tmp_path):
    with pytest.raises(OutputError):
        ranking.save(tmp_path / "no" / "links.csv")


def test_no_rows(ranking):
    none = Ranking(ranking.columns, np.empty((0, 2), dtype=np.int32), np.empty(0), np.empty(0))
    assert list(none) == []


def test_triples_have_three_names(ranking):
    columns = {"head": ranking.columns["source"], "relation": NodeIds(2), "tail": ranking.columns["target"]}
    facts = Ranking(columns, np.array([(0, 1, 2)]), np.array([0.5]), np.array([0.25]))
    assert list(facts) == [RankedFact("ann", 1, "c,d", 0.5, 0.25, 1)]
    assert facts.to_arrow().column_names == ["head", "relation", "tail", "score", "probability", "rank"]


def test_rows_by_place(ranking):
    assert ranking[0] == RankedLink("ann", "bob", 1.0, 0.1, 2)
    assert ranking[-1] == ranking[np.int64(2)] == RankedLink("ann", "c,d", 1.0, 0.1, 3)
    for place in (3, -4):
        with pytest.raises(IndexError, match="out of range for a ranking of 3 rows"):
            ranking[place]
    with pytest.raises(TypeError):
        ranking["score"]


@pytest.mark.parametrize("part", [slice(1, None), slice(None, None, -1), slice(5, 9), slice(0, 1)])
def test_a_part_is_a_ranking_with_the_same_ranks(ranking, part):
    found = ranking[part]
    assert isinstance(found, Ranking)
    assert list(found) == list(ranking)[part]
    assert list(found[:1]) == list(ranking)[part][:1]
    assert found.to_arrow()["rank"].to_pylist() == [link.rank for link in list(ranking)[part]]


def test_a_frame_has_the_columns_of_the_table(ranking):
    assert ranking.to_pandas().to_dict("list") == ranking.to_arrow().to_pydict()
