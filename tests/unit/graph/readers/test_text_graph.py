from __future__ import annotations

import csv
import gzip
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from linkwl import Graph, InputError, KnowledgeGraph, load_graph
from linkwl.graph.readers.text_graph import read_text_graph
from linkwl.graph.reading import Reading


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, head=None, relation=None, tail=None, **options):
        path = tmp_path / "facts.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_text_graph(path, name="facts", reading=Reading(head=head, relation=relation, tail=tail, **options))

    return read


@pytest.fixture
def refuse(read):
    def refuse(content: str | bytes, *columns) -> InputError:
        with pytest.raises(InputError) as caught:
            read(content, *columns)
        assert str(caught.value).count("\n") == 0
        return caught.value

    return refuse


def named_triples(graph: KnowledgeGraph) -> set[tuple]:
    assert isinstance(graph, KnowledgeGraph)
    return {(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()}


KNOWN = {("ann", "knows", "bob"), ("bob", "knows", "cid"), ("cid", "likes", "ann")}
GUESS = "each line read as head, relation and tail"


@pytest.mark.parametrize(
    "text",
    [
        "ann,knows,bob\nbob,knows,cid\ncid,likes,ann\n",
        "ann\tknows\tbob\r\nbob\tknows\tcid\r\ncid\tlikes\tann",
        "ann knows bob\nbob  knows\tcid\ncid likes ann\n",
        '"ann";"knows";"bob"\n"bob";"knows";"cid"\n"cid";"likes";"ann"\n',
        "# facts\nann|knows|bob\n\nbob|knows|cid\ncid|likes|ann\n",
        "head,relation,tail\nann,knows,bob\nbob,knows,cid\ncid,likes,ann\n",
        "Subject,Predicate,Object\nann,knows,bob\nbob,knows,cid\ncid,likes,ann\n",
        "h\tr\tt\nann\tknows\tbob\nbob\tknows\tcid\ncid\tlikes\tann\n",
        "from,type,to\nann,knows,bob\nbob,knows,cid\ncid,likes,ann\n",
        "target,source,relation\nbob,ann,knows\ncid,bob,knows\nann,cid,likes\n",
        gzip.compress(b"ann,knows,bob\nbob,knows,cid\ncid,likes,ann\n", mtime=0),
    ],
)
def test_what_is_read_as_triples(read, text):
    graph = read(text)
    assert named_triples(graph) == KNOWN
    assert (graph.name, graph.intake.rows) == ("facts", 3)


def test_names_stay_as_they_are(read):
    graph = read("00012\t_hypernym\t00007\n00007\t_hypernym\t00001\n")
    assert named_triples(graph) == {("00012", "_hypernym", "00007"), ("00007", "_hypernym", "00001")}
    assert any(note.startswith("ids kept as text: some have leading zeros") for note in graph.intake.notes)
    assert named_triples(read("7,of,5\n5,of,3\n")) == {(7, "of", 5), (5, "of", 3)}
    assert named_triples(read("head,relation,tail\na,-1.5,b\nb,007,c\n")) == {("a", "-1.5", "b"), ("b", "007", "c")}
    assert named_triples(read("1 20 3\n3 10 1\n", relation=2)) == {(1, 20, 3), (3, 10, 1)}


def test_triples_of_numbers(read):
    rows = [(k, k % 3, (7 * k + 1) % 40) for k in range(40)]
    graph = read("".join(f"{h} {r} {t}\n" for h, r, t in rows))
    assert named_triples(graph) == set(rows)
    assert GUESS in graph.intake.notes[1]
    assert isinstance(read("".join(f"{h} {r} {t / 2}\n" for h, r, t in rows)), Graph)


def test_loops_stay_and_copies_are_counted(read):
    graph = read("a,r,a\na,r,b\na,r,a\nb,s,c\n")
    assert named_triples(graph) == {("a", "r", "a"), ("a", "r", "b"), ("b", "s", "c")}
    assert (graph.intake.rows, graph.intake.duplicates, graph.intake.self_loops) == (4, 1, 0)


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("who,does,whom\nann,knows,bob\nbob,knows,cid\ncid,likes,ann\n", ("who", "does", "whom")),
        ("who,does,whom\nann,knows,bob\nbob,knows,cid\ncid,likes,ann\n", (None, "does", None)),
        ("since,source,target,how\n1,ann,bob,knows\n2,bob,cid,knows\n3,cid,ann,likes\n", (None, "how", None)),
        ("knows,bob,ann\nknows,cid,bob\nlikes,ann,cid\n", (3, 1, 2)),
        ("knows,bob,ann\nknows,cid,bob\nlikes,ann,cid\n", ("3", "1", "2")),
        ("ann,bob,knows,9\nbob,cid,knows,8\ncid,ann,likes,7\n", (1, 3, 2)),
    ],
)
def test_requested_columns(read, text, columns):
    assert named_triples(read(text, *columns)) == KNOWN


def test_notes(read):
    guess = read("ann,knows,bob\nbob,knows,cid\n").intake.notes
    assert guess[0] == "no header"
    assert GUESS in guess[1]
    assert "--head 1 --tail 2 --relation none" in guess[1]
    named = read("when,head,relation,tail\n5,a,r,b\n")
    assert named.intake.notes == ("triples from columns `head`, `relation` and `tail`", "ignored column `when`")
    placed = read("a,b,r,5\n", 1, 3, 2)
    assert placed.intake.notes == ("no header", "triples from columns 1, 3 and 2", "ignored column 4")
    rows = "".join(f"a{k},r{k % 2},b{k}\n" for k in range(12))
    assert read(f"Who,Does,What\n{rows}").intake.notes[0].startswith("line 1 `Who,Does,What` read as a triple")
    named = read(f"who,does,whom\n{rows}").intake
    assert (named.rows, named.notes[0].startswith("first line `who,does,whom` read as a header")) == (12, True)


@pytest.mark.parametrize(
    "text",
    [
        "1,2,3\n2,1,3\n3,1,2\n",  # numbers
        "ann,bob,5\ncid,bob,3\ndan,bob,5\n",  # a weight
        "1,shoe,5\n2,shoe,4\n3,shoe,5\n4,hat,4\n",  # ratings
        "17,shoe,1600000001\n18,shoe,1600000002\n19,hat,1600000003\n",  # times
        "source,target,type\na,b,x\nc,b,x\n",
        "Source,Target,Type,Id,Weight\na,b,Undirected,0,1\na,c,Undirected,1,1\n",
        "a,b\nb,c\n",
    ],
)
def test_edges_stay_edges(read, text):
    assert isinstance(read(text), Graph)


def test_edges_by_request(read):
    text = "ann,knows,bob\nbob,knows,cid\n"
    graph = read(text, 1, False, 3)
    assert isinstance(graph, Graph)
    assert list(graph.ids) == ["ann", "bob", "cid"]
    assert graph.intake.notes == ("no header", "edges from columns 1 and 3", "ignored column 2")
    assert isinstance(read("source,relation,target\na,r,b\n", relation=False), Graph)


@pytest.mark.parametrize(
    ("text", "columns", "line", "words"),
    [
        ("a,b,c\nd,e,f\n", (), 1, "name the column of relations with --relation"),
        ("a,b,x\nb,c,x\nc,b,y\n", (), 1, "nothing says which two hold the node ids"),
        ("a,r,b\nb,r,c\nc,r\n", (), 3, "expected 3 columns as in the other lines, found 2"),
        ("a,r,b\nb,r,\n", (), 2, "a node id is empty; every line needs three names: head, relation and tail"),
        ("a,r,b,x\nb,r,c,y\nc,s,d,z\n", (), 1, "as its repeated names suggest, use --relation 2"),
        ("a,r,b,x\nb,s,c,y\n", (), 1, "name them with --source and --target"),
        ("head,relation,tail\na,r,b\nb,,c\n", (), 3, "a relation is empty; every triple needs one"),
        ("head,relation,tail\na,r,b\n\nc, ,d\n", (), 4, "a relation is empty"),
        ("head,relation,tail\n-1,r,2\n2,r,3\n", (), 2, "node id -1 is negative"),
        ("head,relation,tail\n", (), 1, "in it; expected three names per line (head, relation and tail) below"),
        ("source,target\n", (), 1, "in it; expected two node ids per line below"),
        ("a\nb\n", (None, 2, None), 1, "expected three names per line (head, relation and tail)"),
        ("a,b\nb,c\n", (None, 2, None), None, "found 2 columns, expected three"),
        ("a,r,b\nb,r,c\n", (None, "deal", None), None, "there is no header"),
        (b"a,r,b\nb,r,\xff\n", (), 2, "not UTF-8"),
        ('a,r,b\nb,r,c\nc,"r,d\n', (), 3, "does not end in its line"),
    ],
)
def test_what_is_refused(refuse, text, columns, line, words):
    error = refuse(text, *columns)
    assert words in str(error)
    assert error.line == line


def test_a_bad_line_deep_inside_is_named(refuse):
    many = "".join(f"n{k},r{k % 7},n{k + 1}\n" for k in range(60_000))
    assert refuse(many + "a,r\n" + many).line == 60_001
    assert refuse(many + "a,,b\n" + many).line == 60_001
    assert refuse(many + "a,r,\n" + many).line == 60_001


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1, max_size=6)


@given(st.lists(st.tuples(NAMES, NAMES, NAMES), min_size=1, max_size=8), st.sampled_from([",", ";", "\t", "|"]))
@settings(max_examples=100, deadline=None)
def test_whatever_the_csv_module_writes_is_read_back(tmp_path_factory, rows, delimiter):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    every = [("node x", "of", "node y"), *rows]
    writer.writerows([("head", "relation", "tail"), *every])
    path = tmp_path_factory.mktemp("csv") / "facts.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    assert named_triples(load_graph(path)) == set(every)


def test_the_order_of_lines_does_not_matter(read):
    lines = ["ann,knows,bob\n", "bob,knows,cid\n", "cid,likes,ann\n"]
    assert read("".join(lines)).digest == read("".join(lines[::-1])).digest
