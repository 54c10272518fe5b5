from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import linkwl
from linkwl.errors import InputError
from linkwl.graph import Reading
from linkwl.reports.inspection import inspect_graph
from linkwl.serving.upload_columns import inspection_of, unclear_columns


def read(path, text, **options):
    path.write_text(text)
    reading = Reading(**options)
    return inspection_of(linkwl.load_graph(path, **reading.options), path, reading)


def test_the_lines_are_those_of_inspect(tmp_path):
    path = tmp_path / "g.csv"
    found = read(path, "from,to,weight\na,b,1\nb,c,2\n")
    expected = inspect_graph(linkwl.load_graph(path)).facts()
    assert found["lines"] == [f"{name}: {value}" for name, value in expected.items()]
    assert (found["nodes"], found["links"]) == (3, 2)


@pytest.mark.parametrize(
    ("text", "options", "columns", "chosen"),
    [
        ("id,buyer,item\n1,a,x\n2,a,y\n", {"source": "buyer", "target": "item"}, ["id", "buyer", "item"], "buyer item"),
        ("source,target\na,b\nb,c\n", {}, ["source", "target"], "source target"),
        ("a b\nb c\n", {}, ["1", "2"], "1 2"),
        ("a b 1\nb c 2\n", {"source": "2", "target": "1"}, ["1", "2", "3"], "2 1"),
    ],
)
def test_columns_of_edges(tmp_path, text, options, columns, chosen):
    found = read(tmp_path / "g.csv", text, **options)
    assert found["columns"] == columns
    assert found["chosen"] == dict(zip(("source", "target"), chosen.split(), strict=True))


def test_columns_of_triples(tmp_path):
    found = read(tmp_path / "g.tsv", "head\trelation\ttail\na\tr\tb\nb\tr\tc\n")
    assert found["chosen"] == {"source": "head", "relation": "relation", "target": "tail"}
    found = read(tmp_path / "h.tsv", "a\tr\tb\nb\tr\tc\nc\tr\td\nb\tq\td\na\tq\td\n")
    assert found["chosen"] == {"source": "1", "relation": "2", "target": "3"}


def test_columns_of_parquet(tmp_path):
    path = tmp_path / "g.parquet"
    pq.write_table(pa.table({"n": [1, 2], "source": ["a", "b"], "target": ["b", "c"]}), path)
    found = inspection_of(linkwl.load_graph(path), path)
    assert found["columns"] == ["n", "source", "target"]
    assert found["chosen"] == {"source": "source", "target": "target"}


def test_other_files_have_no_columns(tmp_path):
    found = read(tmp_path / "g.gml", "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]")
    assert (found["columns"], found["chosen"]) == (None, {})
    assert read(tmp_path / "m.csv", "0,1,1\n1,0,0\n1,0,0\n")["columns"] is None  # a matrix
    assert inspection_of(linkwl.load_dataset("world"))["columns"] is None


def test_unclear_columns_are_listed(tmp_path):
    path = tmp_path / "g.csv"
    path.write_text("city,colour,shape,size\n1,b,c,2\n2,f,g,3\n")
    with pytest.raises(InputError) as caught:
        linkwl.load_graph(path)
    assert unclear_columns(caught.value, path, Reading()) == ["city", "colour", "shape", "size"]
    assert unclear_columns(InputError("something else."), path, Reading()) is None
