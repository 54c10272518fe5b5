from __future__ import annotations

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from linkwl import Graph, InputError, KnowledgeGraph, load_graph
from linkwl.graph.readers.named_columns import id_column, relation_column


@pytest.fixture
def read(tmp_path):
    def read(columns: dict, **options):
        pq.write_table(pa.table(columns), tmp_path / "facts.parquet")
        return load_graph(tmp_path / "facts.parquet", **options)

    return read


FACTS = {"tail": ["b", "c"], "predicate": ["r", "s"], "subject": ["a", "b"]}


def test_triples_of_a_parquet_file(read):
    graph = read(FACTS)
    assert isinstance(graph, KnowledgeGraph)
    assert [(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()] == [
        ("a", "r", "b"),
        ("b", "s", "c"),
    ]
    assert graph.intake.form == "Parquet table"
    assert isinstance(read(FACTS, relation=False, head="subject", tail="tail"), Graph)


def test_ends_by_position_count_all_columns(read):
    columns = {"weight": [1.5], "x": ["a"], "relation": ["r"], "y": ["b"]}
    graph = read(columns, weight="weight", head=2, relation=False, tail=4)
    assert (list(graph.ids), graph.edge_weight.tolist()) == (["a", "b"], [1.5])
    assert graph.intake.notes[-1] == "ignored column `relation`"


@pytest.mark.parametrize(
    ("column", "names"),
    [
        (pa.array([3, 1]), [1, 3]),
        (pa.array([3, -1]), ["-1", "3"]),
        (pa.array([0.5, 2.0]), ["0.5", "2"]),
        (pa.array([True, False]), ["false", "true"]),
        (pa.array(["b", "a"]).dictionary_encode(), ["a", "b"]),
        (pa.array([2**63, 1], pa.uint64()), ["1", str(2**63)]),
    ],
)
def test_relations_of_any_type(read, column, names):
    assert list(read({"head": ["a", "b"], "relation": column, "tail": ["b", "c"]}).relations) == names


def test_what_is_refused(read):
    for columns, words in (
        ({"head": ["a"], "relation": [["r"]], "tail": ["b"]}, "column `relation` has type list"),
        ({"head": ["a", None], "relation": ["r", "r"], "tail": ["b", "b"]}, "no node id in row 2"),
        ({"head": [0.5], "relation": ["r"], "tail": [1.5]}, "column `head`: node id 0.5 is not written"),
        ({"head": pa.array([], pa.string()), "relation": [], "tail": []}, "expected a triple in each"),
        ({"a": ["x"], "b": ["y"], "c": ["z"], "d": ["w"]}, "`there is no column `k`"),
    ):
        with pytest.raises(InputError, match=r"facts\.parquet: ") as caught:
            read(columns, relation="k") if "a" in columns else read(columns)
        assert words.strip("`") in str(caught.value)


def test_columns_of_ids():
    assert id_column(pa.chunked_array([[1, 2]]), "x", None).type == pa.int64()
    assert relation_column(pa.chunked_array([["a"]]), "x", None).type == pa.string()
