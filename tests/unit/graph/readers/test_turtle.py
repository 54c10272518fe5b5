from __future__ import annotations

import logging
import sys

import pytest

from linkwl import InputError, load_graph

pytest.importorskip("rdflib")

TEXT = """@prefix ex: <http://e.org/> .
# people
ex:ann a ex:Person ; ex:knows ex:bob , _:x ; ex:age 30 ; ex:label "Ann"@en .
_:x ex:knows [ ex:likes ex:ann ] .
"""


@pytest.fixture
def read(tmp_path):
    def read(content: str | bytes):
        path = tmp_path / "facts.ttl"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return load_graph(path)

    return read


def named_triples(graph):
    return {(graph.ids[h], graph.relations[r], graph.ids[t]) for h, r, t in graph.triples.tolist()}


def test_facts_types_and_attributes(read):
    graph = read(TEXT)
    assert named_triples(graph) == {
        ("ann", "knows", "bob"),
        ("ann", "knows", "_:b1"),
        ("_:b1", "knows", "_:b2"),
        ("_:b2", "likes", "ann"),
    }
    assert graph.types.of(graph.ids.indices(["ann"])[0]) == ["Person"]
    assert graph.features[graph.ids.indices(["ann"])[0]].tolist() == [30]
    assert graph.intake.form == "Turtle"
    assert graph.intake.notes[-1] == "literals not used, because they are not finite numbers: 1"


def test_the_same_file_is_the_same_graph(read):
    assert read(TEXT).digest == read(TEXT).digest == read(TEXT.replace("\n", "\r\n")).digest


def test_it_reads_ntriples(read, tmp_path):
    text = "<http://e.org/a> <http://e.org/r> <http://e.org/b> .\n_:b1 <http://e.org/r> <http://e.org/a> .\n"
    (tmp_path / "facts.nt").write_text(text)
    assert read(text).digest == load_graph(tmp_path / "facts.nt").digest


def test_relative_names_do_not_depend_on_the_folder(read, tmp_path, monkeypatch):
    first = read("<a> <r> <b> .")
    monkeypatch.chdir(tmp_path)
    assert read("<a> <r> <b> .").digest == first.digest
    assert named_triples(first) == {("a", "r", "b")}


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("ex:a ex:b ex:c .\n", 1, 'Prefix "ex:" not bound'),
        (TEXT + "\nex:a ex:b\n\n ex:c ex:d .\n", 8, "at end of statement"),
        (TEXT + 'ex:a ex:b "x', 5, "not valid Turtle"),
        (TEXT + "ex:a ex:b ex:c", 5, "not valid Turtle"),
        (TEXT + '"lit" ex:b ex:c .\n', 5, "'lit' is not an IRI"),
        (TEXT + "<http://e.org/a\\u000ab> ex:b ex:c .\n", 5, "not valid Turtle"),
        (TEXT.encode() + b"ex:a ex:b \xff .\n", 5, "not UTF-8"),
        ("@prefix ex: <http://e.org/> .\nex:a ex:b 5 .\n", None, "no statement between two entities"),
    ],
)
def test_bad_files(read, text, line, words):
    with pytest.raises(InputError) as caught:
        read(text)
    assert words in str(caught.value)
    assert caught.value.line == line
    assert "\n" not in str(caught.value)


def test_nothing_is_printed_about_odd_names(read, capfd):
    handlers = list(logging.getLogger("rdflib").handlers)
    read('<http://e.org/a b> <http://e.org/r> <http://e.org/c>, "x"^^<http://www.w3.org/2001/XMLSchema#integer> .')
    assert capfd.readouterr() == ("", "")
    assert logging.getLogger("rdflib").handlers == handlers


def test_rdflib_is_an_extra(read, monkeypatch):
    monkeypatch.setitem(sys.modules, "rdflib.plugins.parsers.notation3", None)
    with pytest.raises(InputError, match=r"install it with `pip install linkwl\[rdf\]`"):
        read(TEXT)
