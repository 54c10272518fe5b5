from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import linkwl
from linkwl.errors import InputError
from linkwl.graph.readers.decisions import read_decisions


def path_graph(**options):
    return linkwl.load_graph([("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")], **options)


def facts():
    return linkwl.load_graph([("ann", "likes", "bob"), ("bob", "knows", "cem"), ("cem", "likes", "dan")])


def written(text, name="verdicts.csv"):
    Path(name).write_text(text)
    return name


@pytest.fixture(autouse=True)
def in_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def named(graph, queries):
    columns = graph.query_columns.values()
    return [tuple(ids[k] for ids, k in zip(columns, row, strict=True)) for row in queries.tolist()]


def test_verdicts_of_a_file_with_more_columns():
    graph = path_graph()
    file = written("source,target,verdict,probability,time\nc,a,Accepted,0.5,x\nb,d, rejected ,,\na,e,later,0.1,y\n")
    found = read_decisions(file, graph)
    assert named(graph, found.accepted) == [("a", "c")]
    assert named(graph, found.rejected) == [("b", "d")]
    assert (found.num_later, found.num_known) == (1, 0)


def test_directed_pairs_keep_their_order():
    graph = path_graph(directed=True)
    found = read_decisions(written("source;target;verdict\nb;a;accepted\nc;a;rejected\na;c;accepted\n"), graph)
    assert named(graph, found.accepted) == [("b", "a"), ("a", "c")]
    assert named(graph, found.rejected) == [("c", "a")]


@pytest.mark.parametrize("header", ["source,relation,target,verdict", "head,relation,tail,verdict"])
def test_facts_have_a_relation(header):
    graph = facts()
    found = read_decisions(written(f"{header}\nann,knows,bob,accepted\nbob,likes,ann,rejected\n"), graph)
    assert named(graph, found.accepted) == [("ann", "knows", "bob")]
    assert named(graph, found.rejected) == [("bob", "likes", "ann")]


def test_nodes_on_two_sides_have_their_own_names():
    graph = linkwl.load_graph([("1", "1"), ("1", "2"), ("2", "2")], bipartite=True)
    found = read_decisions(written("source,target,verdict\n2,1,rejected\n"), graph)
    assert named(graph, found.rejected) == [(2, 1)]


def test_tables_in_memory_and_parquet_are_read_as_well():
    graph = path_graph()
    rows = [{"source": "a", "target": "c", "verdict": "accepted"}]
    pq.write_table(pa.Table.from_pylist(rows), "verdicts.parquet")
    for source in (rows, pa.Table.from_pylist(rows), Path("verdicts.parquet")):
        found = read_decisions(source, graph)
        assert named(graph, found.accepted) == [("a", "c")]
        assert read_decisions(found, graph) is found


def test_accepted_links_that_exist_and_repeated_rows_count_once():
    graph = path_graph()
    found = read_decisions(written("source,target,verdict\nb,a,accepted\na,c,rejected\nc,a,rejected\n"), graph)
    assert (len(found.accepted), len(found.rejected), found.num_known) == (0, 1, 1)


def test_names_quoted_for_spreadsheets_are_found():
    graph = linkwl.load_graph([("=1", "b"), ("b", "'-c"), ("b", "d")])
    found = read_decisions(written("source,target,verdict\n'=1,d,accepted\n'-c,d,rejected\n"), graph)
    assert sorted(named(graph, found.accepted)[0]) == ["=1", "d"]
    assert sorted(named(graph, found.rejected)[0]) == ["'-c", "d"]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("source,target,verdict\na,b,rejected\n", r"line 2: \('a', 'b'\) is rejected here, and is a link of .*remove"),
        ("source,target,verdict\na,c,later\na,x,accepted\n", "line 3: unknown node 'x'"),
        ("source,target,verdict\na,c,accepted\n\nc,a,rejected\n", "line 4: .* rejected here and accepted in line 2; k"),
        ("source,target,verdict\na,c,yes\n", "line 2: the verdict 'yes' is none of accepted, rejected, later; correct"),
        ("source,target,verdict\na,a,accepted\n", "line 2: 'a' is both ends"),
        ("source,target\na,c\n", "no column `verdict` among `source`, `target`; name"),
        ("source,target,verdict\n", "only a header"),
    ],
)
def test_a_bad_file_is_refused_with_its_line(text, problem):
    with pytest.raises(InputError, match=f"verdicts.csv.*{problem}"):
        read_decisions(written(text), path_graph())


def test_a_known_fact_cannot_be_rejected():
    with pytest.raises(InputError, match="is a fact of .*remove this line, or that fact"):
        read_decisions(written("head,relation,tail,verdict\nann,likes,bob,rejected\n"), facts())
    with pytest.raises(InputError, match="unknown relation 'hates'"):
        read_decisions(written("head,relation,tail,verdict\nann,hates,bob,rejected\n"), facts())


def test_nodes_of_one_side_are_no_link():
    graph = linkwl.load_graph([("u", "x"), ("u", "y"), ("v", "y")], bipartite=True)
    with pytest.raises(InputError, match="line 2: "):
        read_decisions(written("source,target,verdict\nu,v,accepted\n"), graph)


def test_other_objects_are_refused():
    with pytest.raises(InputError, match="decisions cannot be read from an object of type int"):
        read_decisions(3, path_graph())
