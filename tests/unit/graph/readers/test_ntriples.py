from __future__ import annotations

import gzip

import pytest

from linkwl import InputError, load_graph

A, B, R = "<http://e.org/a>", "<http://e.org/b>", "<http://e.org/r>"
GOOD = f"{A} {R} {B} .\n"


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes, ending=".nt"):
        path = tmp_path / f"facts{ending}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return load_graph(path)

    return read


def named_triples(graph):
    return {(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()}


@pytest.mark.parametrize(
    ("line", "triple"),
    [
        (f"{A} {R} {B} .", ("a", "r", "b")),
        (f"  {A}\t{R}   {B}. # why", ("a", "r", "b")),
        (f"{A}{R}{B}.", ("a", "r", "b")),
        (f"_:x1 {R} _:y-2.z .", ("_:x1", "r", "_:y-2.z")),
        (f"{A} {R} {A} .", ("a", "r", "a")),
        (f"<http://e.org/caf\\u00e9> {R} <http://e.org/\\U0001F680> .", ("café", "r", "🚀")),
        (f"<http://e.org/東京> {R} <urn:b> .", ("東京", "r", "urn:b")),
    ],
)
def test_statements(read, line, triple):
    graph = read(line)
    assert named_triples(graph) == {triple}
    assert (graph.name, graph.intake.form) == ("facts", "N-Triples")


def test_comments_blank_lines_and_literals(read):
    text = f'# c\n\n{GOOD}  \n{A} {R} "x \\" . #"@en-GB .\n{A} {R} "5"^^<http://www.w3.org/2001/XMLSchema#int> .\n'
    graph = read(text)
    assert named_triples(graph) == {("a", "r", "b")}
    assert graph.features.tolist() == [[5], [0]]
    assert graph.intake.notes[-1] == "literals not used, because they are not finite numbers: 1"


def test_gzip_and_line_ends(read):
    assert (
        len(
            {
                read(text, ending).digest
                for text, ending in (
                    (GOOD * 2, ".nt"),
                    (GOOD.replace("\n", "\r\n"), ".nt"),
                    (gzip.compress(GOOD.encode()), ".nt.gz"),
                )
            }
        )
        == 1
    )


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (f"{A} {R} {B}", "expected `<subject> <predicate> <object> .`"),
        (f"{A} {R}", "expected `<subject> <predicate> <object> .`"),
        (f'"a" {R} {B} .', "expected `<subject> <predicate> <object> .`"),
        (f"{A} _:r {B} .", "expected `<subject> <predicate> <object> .`"),
        (f"{A} {R} {B} {B} .", "expected `<subject> <predicate> <object> .`"),
        (f"<a> {R} {B} .", "with full IRIs"),
        (f'{A} {R} "x .', "expected"),
        (f"<http://e.org/\\uD800> {R} {B} .", "expected"),
        (f"<http://e.org/\\U00110000> {R} {B} .", "expected"),
        (f"<http://e.org/\\x> {R} {B} .", "expected"),
        (f"<http://e.org/\\u0020> {R} {B} .", "expected"),
        ("@prefix e: <http://e.org/> .", "this is Turtle, not N-Triples; give the file the ending .ttl"),
        (b"<http://e.org/\xff> <http://e.org/r> <http://e.org/b> .", "not UTF-8"),
    ],
)
def test_bad_lines_are_named(read, line, words):
    bad = line if isinstance(line, bytes) else line.encode()
    with pytest.raises(InputError) as caught:
        read(GOOD.encode() + b"# c\n" + bad + b"\n" + GOOD.encode())
    assert words in str(caught.value)
    assert caught.value.line == 3
    assert "\n" not in str(caught.value)


def test_what_rdf_does_not_have(read, tmp_path):
    read(GOOD)
    for options, words in (({"relation": 2}, "names a column of a table"), ({"weight": True}, "no weight can be read")):
        with pytest.raises(InputError, match=words):
            load_graph(tmp_path / "facts.nt", **options)
    (tmp_path / "facts.rdf").write_text("<rdf/>")
    with pytest.raises(InputError, match=r"\.rdf files are not read; convert it to Turtle"):
        load_graph(tmp_path / "facts.rdf")
