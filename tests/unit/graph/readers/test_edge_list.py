from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.readers import read_graph
from linkwl.graph.readers.edge_list import read_edge_list, read_pair_columns
from linkwl.graph.reading import Reading


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, **options) -> Graph:
        path = tmp_path / "edges.txt"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return read_edge_list(path, name="edges", reading=Reading(**options))

    return read


@pytest.fixture
def refuse(read):
    def refuse(content: str | bytes) -> InputError:
        with pytest.raises(InputError) as caught:
            read(content)
        assert str(caught.value).count("\n") == 0
        return caught.value

    return refuse


def named_edges(graph: Graph) -> set[frozenset]:
    return {frozenset((graph.ids[p], graph.ids[q])) for p, q in graph.edges.tolist()}


def edges(*pairs) -> set[frozenset]:
    return {frozenset(pair) for pair in pairs}


AB = edges(("a", "b"), ("b", "c"))
ONE_TWO = edges((1, 2), (2, 3))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a,b\nb,c\n", AB),
        ("a,b\nb,c", AB),
        ("a,b\r\nb,c\r\n", AB),
        ("a,b\rb,c\r", AB),
        ("\ufeffa,b\nb,c\n", AB),
        ("\ufeffsource,target\na,b\nb,c\n", AB),
        ("\n\na,b\n\n\nb,c\n\n", AB),
        ("a;b\nb;c\n", AB),
        ("a|b\nb|c\n", AB),
        ("a\tb\nb\tc\n", AB),
        ("a b\nb c\n", AB),
        ("  a   b \nb\t c\n   \n", AB),
        ("a, b\n b ,c\n", AB),
        ('"a","b"\n"b","c"\n', AB),
        ("1,2\n2,3\n", ONE_TWO),
        (" 1 , 2\n2 ,3 \n", ONE_TWO),
        ('"1","2"\n"2","3"\n', ONE_TWO),
        ("# SNAP\n# FromNodeId\tToNodeId\n1\t2\n2\t3\n", ONE_TWO),
        ("% sym unweighted\n% 2 3 3\n1 2\n2 3\n", ONE_TWO),
        ("% asym weighted\n1 2 1 1082008561\n2 3 -1 1082008562\n", ONE_TWO),
        ("# x\n" * 30_000 + "1 2\n2 3\n", ONE_TWO),
        ("sep=;\nsource;target\n1;2\n2;3\n", ONE_TWO),
        ("1;2;0,5\n2;3;0,25\n", ONE_TWO),
        ("source;target;weight\n1;2;0,5\n2;3;0,25\n", ONE_TWO),
        ("1,2,\n2,3,0.5\n", ONE_TWO),
        ("source,target,tags\n1,2,x;y\n2,3,z;w\n", ONE_TWO),
        ("weight,target,source\n0.5,2,1\n0.1,3,2\n", ONE_TWO),
        ("From Node,To-Node\n1,2\n2,3\n", ONE_TWO),
        ("u v\n1 2\n2 3\n", ONE_TWO),
        ("who,whom\n1,2\n2,3\n", ONE_TWO),
        ("source,target\na,b\nb,c\n", AB),
        ("name,target,source,city\nx,b,a,here\ny,c,b,there\n", AB),
        ("source,target,zip\n1,2,00501\n2,3,00502\n", ONE_TWO),
        ("Smith, J\tDoe, K\nDoe, K\tRoe, L\n", edges(("Smith, J", "Doe, K"), ("Doe, K", "Roe, L"))),
        ('"Smith, J","Doe, K"\n"Doe, K",Roe\n', edges(("Smith, J", "Doe, K"), ("Doe, K", "Roe"))),
        ('"a ""x"" b",c\nd,e\n', edges(('a "x" b', "c"), ("d", "e"))),
        ('"New York" Reno\nReno "Los Angeles"\n', edges(("New York", "Reno"), ("Reno", "Los Angeles"))),
        ('"New York"   Reno\nReno Elko\n', edges(("New York", "Reno"), ("Reno", "Elko"))),
        ('5" pipe,nut\n6" pipe,nut\n', edges(('5" pipe', "nut"), ('6" pipe', "nut"))),
        ("a\u00a0b c\nd e\n", edges(("a\u00a0b", "c"), ("d", "e"))),
        ("München,Köln\nKöln,東京\n東京,🚀\n", edges(("München", "Köln"), ("Köln", "東京"), ("東京", "🚀"))),
        ("PAR1,F2R\nF2R,PAR2\n", edges(("PAR1", "F2R"), ("F2R", "PAR2"))),
        ("MATLAB,Python\nPython,C\n", edges(("MATLAB", "Python"), ("Python", "C"))),
        ("5,3000000000\n3000000000,123456789012345678\n", edges((5, 3 * 10**9), (3 * 10**9, 123456789012345678))),
        (f"1,{2**63 - 1}\n", edges((1, 2**63 - 1))),
        (f"1,{2**63}\n1,2\n", edges(("1", str(2**63)), ("1", "2"))),
        ("007,7\n7,1\n", edges(("007", "7"), ("7", "1"))),
        ("7, 007\n7,1\n", edges(("007", "7"), ("7", "1"))),
        ('7,"007"\n7,1\n', edges(("007", "7"), ("7", "1"))),
        ("0,00\n00,1\n", edges(("0", "00"), ("00", "1"))),
        ("0,10\n10,100\n", edges((0, 10), (10, 100))),
        ("0x10,16\n16,1\n", edges(("0x10", "16"), ("16", "1"))),
        ("1.5,ann\n-3,1.5\n", edges(("1.5", "ann"), ("-3", "1.5"))),
    ],
)
def test_what_is_read(read, text, expected):
    assert named_edges(read(text)) == expected


@pytest.mark.parametrize("content", ["a,b\nb,c\n", "1\t2\n2\t3\n"])
def test_gzip_is_known_by_its_content(tmp_path, content):
    plain, packed, misnamed = tmp_path / "g.txt", tmp_path / "g.tsv.gz", tmp_path / "g.csv"
    plain.write_text(content)
    for path in (packed, misnamed):
        path.write_bytes(gzip.compress(content.encode()))
    assert len({read_graph(path).digest for path in (plain, packed, misnamed)}) == 1


@pytest.mark.parametrize(
    "text",
    ["ann,bob\nbob,cid\n", "alpha\tbeta\nbeta\tgamma\n", "source,bob\nbob,target\n", "from,to\nto,from2\nfrom,x\n"],
)
def test_a_first_row_of_names_is_no_header(read, text):
    graph = read(text)
    assert graph.intake.rows == text.count("\n")
    assert "no header" in graph.intake.notes


def test_notes_say_what_was_decided(read):
    assert read("1,2\n").intake.notes == ("no header",)
    graph = read("when,target,source,weight\n2020,2,1,5\n")
    assert graph.intake.notes == (
        "edges from columns `source` and `target`",
        "ignored columns `when`, `weight` (to use: --time when, --weight weight)",
    )
    assert graph.intake.form == "comma-separated text"
    offer = "if the lines are triples, use --relation 2"
    assert read("1 2 3\n").intake.notes == ("no header", "ignored column 3", offer)
    assert read("1 2 3 4\n").intake.notes == ("no header", "ignored columns 3, 4", offer)
    assert read("1 2 0.5\n").intake.notes == ("no header", "ignored column 3 (to use: --weight 3)")
    kept = "ids kept as text: some have leading zeros, are too large for 64 bits, or are names"
    assert read("01,2\n").intake.notes == ("no header", kept)
    assert read("a,b\n").intake.notes == ("no header",)
    assert read("source,target,zip\n1,2,007\n").intake.notes[2:] == ()


@pytest.mark.parametrize("directed", [None, False, True])
def test_direction(read, directed):
    graph = read("a,b\nb,a\nb,c\na,a\n", directed=directed)
    assert graph.is_directed is bool(directed)
    assert graph.num_edges == (3 if directed else 2)
    assert graph.intake.self_loops == 1


MANY = 110_000
BIG = "".join(f"{k},{k + 1}\n" for k in range(MANY))  # 1.4 MB: several of Arrow's blocks


def test_many_blocks(read):
    graph = read(BIG)
    assert graph.num_nodes == MANY + 1
    assert graph.ids.is_range
    assert np.array_equal(graph.edges[:, 1] - graph.edges[:, 0], np.ones(MANY))


def test_a_name_after_many_numbers_makes_all_ids_texts(read):
    graph = read(BIG + "7,seven\n")
    assert graph.num_nodes == MANY + 2
    assert frozenset(("7", "seven")) in named_edges(graph)
    assert "ids kept as text" in graph.intake.notes[-1]


@pytest.mark.parametrize("odd", ["007", " 007", "0x7", '"007"'])
def test_an_odd_number_after_many_is_not_taken_for_seven(read, odd):
    graph = read(BIG + f"1,{odd}\n")
    assert odd.strip(' "') in list(graph.ids)
    assert graph.num_nodes == MANY + 2


def test_loose_spaces_after_many_single_ones(read):
    graph = read(BIG.replace(",", " ") + f"  7 \t {MANY + 1}  \n\n")
    assert graph.num_nodes == MANY + 2
    assert graph.ids.is_range


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1,2,3", "expected 2 columns as in the other lines, found 3"),
        ("12", "expected 2 columns as in the other lines, found 1"),
        ("1,", "a node id is empty"),
        (" ,1", "a node id is empty"),
        ("3,-5", "node id -5 is negative"),
        ("3,-05", "node id -05 is negative"),
        ("3,1.5", "node id 1.5 is not written as a whole number"),
        ("3,1e5", "node id 1e5 is not written as a whole number"),
        ("   ", "only spaces"),
        ('"1,2', "does not end in its line"),
        ('1,"2', "does not end in its line"),
        ("1,\x002", "NUL byte"),
        (b"1,caf\xe9", "not UTF-8"),
        ("1," + "9" * 2_000_000, "2,000,002 bytes, far more than the first ones"),
    ],
)
def test_a_bad_line_deep_inside_is_named(refuse, line, words):
    error = refuse(BIG.encode() + (line if isinstance(line, bytes) else line.encode()) + b"\n8,9\n")
    assert words in str(error)
    assert error.line == MANY + 1
    assert str(error).startswith(f"{error.path}, line {MANY + 1}: ")


@pytest.mark.parametrize("end", ["\r\n", "\r"])
def test_a_bad_line_is_named_whatever_ends_the_lines(refuse, end):
    assert refuse(BIG.replace("\n", end) + f"1,2,3{end}8,9{end}").line == MANY + 1


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("1,2\n\n3,4,5\n", 3, "expected 2 columns as in the other lines, found 3"),
        ("# c\n1,2\n3;4\n", 3, "found 1"),
        ("1,2\r2,3,4\r3,4\r", 2, "found 3"),
        ("1,2\r2,\r3,4\r", 2, "a node id is empty"),
        ("a\tb\n\t\nc\td\n", 2, "a node id is empty"),
        ('"New York" Reno\nReno Elko\na b c\n', 3, "expected 2 columns as in the other lines, found 3"),
        ("one\ntwo\n", 1, "found one column, expected two node ids per line, separated by"),
        ("a:b\nb:c\n", 1, "found one column"),
        ("a" * 5_000_000, 1, "found one column"),
        ("source,target\n", 1, "there is only a header in it"),
        ("\n# x\nsource;target\n\n", 3, "there is only a header in it"),
        ("source,target\n1,2,3\n4,5,6\n", 1, "the header has 2 columns, the rows below have 3"),
        ("source,target,weight\n1,2\n4,5\n", 1, "the header has 3 columns, the rows below have 2"),
        ("a,b,c\nd,e,f\n", 1, "name them with --source and --target"),
        ('a,b\n"c,d\ne,f\n"g,h\ni,j\n', 2, "does not end in its line"),
        ('source,target,note\n1,2,"oops\n3,4,x\n5,6,"y"\n7,8,z\n', 2, "does not end in its line"),
        ("1,2\n3,-1\n5,-7\n", 2, "node id -1 is negative"),
        ("0.5,1\n1,2\n", 1, "node id 0.5 is not written as a whole number"),
        ("# only\n% comments\n", None, "there are only comments in it"),
    ],
)
def test_what_is_refused(refuse, text, line, words):
    error = refuse(text)
    assert words in str(error)
    assert error.line == line


def test_the_line_of_bytes_that_are_not_utf8_near_the_start(refuse):
    assert refuse("é,b\n".encode("latin-1")).line == 1
    assert refuse(b"a,b\n\nc,\xff\n").line == 3


def test_lines_of_thousands_of_columns(read):
    header = "source,target," + ",".join(f"c{k}" for k in range(20_000))
    row = "1,2," + ",".join(["0.5"] * 20_000)
    assert named_edges(read(f"{header}\n{row}\n")) == edges((1, 2))


def test_names_of_megabytes(read):
    assert named_edges(read("a," + "b" * 3_000_000)) == edges(("a", "b" * 3_000_000))


NAMES = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp", "Zs")), min_size=1, max_size=8)


@given(st.lists(st.tuples(NAMES, NAMES), min_size=1, max_size=8), st.sampled_from([",", ";", "\t", "|"]))
@example([("0", "00")], ",")
@example([('"', "a")], ",")
@example([("a,b", "c;d")], ";")
@settings(max_examples=150, deadline=None)
def test_whatever_the_csv_module_writes_is_read_back(tmp_path_factory, rows, delimiter):
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, quoting=csv.QUOTE_ALL)
    writer.writerows([("source", "target"), ("node x", "node y"), *rows])
    path = tmp_path_factory.mktemp("csv") / "edges.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    pairs = read_pair_columns(path)
    columns = [[str(name).strip() for name in column.to_pylist()] for column in (pairs.source, pairs.target)]
    assert list(zip(*columns, strict=True)) == [("node x", "node y"), *rows]


@given(st.lists(st.tuples(st.integers(0, 10**20), st.integers(0, 10**20)), min_size=1))
@settings(max_examples=60, deadline=None)
def test_numbers_of_any_size_are_read_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "edges.csv"
    path.write_text("".join(f"{p} {q}\n" for p, q in [*rows, (1, 2)]))
    graph = read_edge_list(path, name="edges")
    fits = all(number < 2**63 for row in rows for number in row)
    kind = int if fits else str
    assert graph.ids.are_numbers == fits
    assert named_edges(graph) == {frozenset(map(kind, row)) for row in [*rows, (1, 2)] if row[0] != row[1]}


def test_line_of_finds_the_first_line_of_a_name(tmp_path):
    path = Path(tmp_path / "edges.csv")
    path.write_text("source,weight,target\na,c,b\nb,x, c\nc,x,a\n")
    pairs = read_pair_columns(path)
    assert [pairs.line_of(name) for name in ("a", "b", "c", "x", "source")] == [2, 2, 3, None, None]


def test_a_first_row_that_may_be_a_header_is_told(read):
    rows = "".join(f"u{k},i{k % 3}\n" for k in range(12))
    edge = read(f"ANN,BOB\n{rows}")
    assert edge.intake.notes[0] == "line 1 `ANN,BOB` read as an edge: if it is a header, use --header"
    named = read(f"user,item\n{rows}")
    assert named.intake.notes[0] == "first line `user,item` read as a header: if it is an edge, use --no-header"
    assert read(f"user,item\n{rows}", header=False).intake.rows == 13
    assert read(f"ANN,BOB\n{rows}", header=True).intake.rows == 12
    assert read(rows).intake.notes[0] == "no header"


@pytest.mark.parametrize("header", ["protein1,protein2,score", "user_a,user_b,since"])
def test_numbered_names_of_columns_are_the_ends(read, header):
    first, second, _ = header.split(",")
    graph = read(f"{header}\nx,y,1\ny,z,2\n")
    assert named_edges(graph) == edges(("x", "y"), ("y", "z"))
    assert graph.intake.notes[0] == f"edges from columns `{first}` and `{second}`"


def test_columns_that_a_header_does_not_tell_apart(refuse):
    assert "nothing says which two hold the node ids" in str(refuse("id,timestamp,a,b\n1,1600,3,4\n2,1601,4,5\n"))
