from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph.readers.rdf_statements import TYPE, Statements

E = "http://e.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"


def statements(*facts: tuple[str, str, str]) -> Statements:
    found = Statements()
    for fact in facts:
        found.add(*fact)
    return found


def graph_of(found: Statements):
    return found.to_graph(Path("x.nt"), name="x", form="N-Triples")


def test_names_are_shortened_if_that_is_unambiguous():
    graph = graph_of(statements((E + "a", E + "v#knows", "http://f.org/b"), ("_:x", E + "v#knows", E + "a")))
    assert (list(graph.ids), list(graph.relations)) == (["_:x", "a", "b"], ["knows"])
    assert "names of entities are the ends of their IRIs" in graph.intake.notes
    assert "blank nodes kept as entities: 1" in graph.intake.notes


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ("http://f.org/a", "http://e.org/a and http://f.org/a end alike"),
        ("http://f.org/", "http://f.org/ ends in # or /"),
    ],
)
def test_full_names_otherwise(other, reason):
    graph = graph_of(statements((E + "a", E + "knows", other)))
    assert (list(graph.ids), list(graph.relations)) == (sorted([E + "a", other]), ["knows"])
    assert graph.intake.notes[0] == f"names of entities are full IRIs, because {reason}"


def test_ends_that_are_numbers_are_no_names():
    graph = graph_of(statements((E + "1.5", E + "r", E + "-2")))
    assert list(graph.ids) == [E + "-2", E + "1.5"]


def test_types():
    found = statements((E + "a", E + "r", E + "b"), (E + "a", TYPE, E + "City"), (E + "c", TYPE, E + "City"))
    found.add(E + "a", TYPE, E + "Big")
    graph = graph_of(found)
    assert list(graph.ids) == ["a", "b", "c"]  # an entity with a type alone stays
    assert [graph.types.of(node) for node in range(3)] == [["Big", "City"], [], ["City"]]
    assert (graph.num_facts, graph.intake.rows) == (1, 1)
    assert "types from rdf:type" in graph.intake.notes


def test_numbers_are_attributes():
    found = statements((E + "a", E + "r", E + "b"))
    for subject, predicate, text, kind in (
        ("a", "size", "5", "integer"),
        ("b", "size", "0.5", "decimal"),
        ("b", "size", "1.5", "double"),
        ("c", "age", "7", "int"),
        ("c", "age", "INF", "double"),
        ("c", "age", "1e60", "double"),
        ("c", "age", "x", "integer"),
        ("c", "born", "2000-01-01", "date"),
    ):
        found.add_literal(E + subject, E + predicate, text, XSD + kind)
    found.add_literal(E + "a", E + "label", "5", None)
    graph = graph_of(found)
    assert list(graph.ids) == ["a", "b", "c"]
    assert graph.features.tolist() == [[0, 5], [0, 1], [7, 0]]
    assert graph.features.dtype == np.float32
    assert "attributes from numbers, 0 where absent: age, size" in graph.intake.notes
    assert "several numbers of one attribute averaged" in graph.intake.notes
    assert graph.intake.notes[-1] == "literals not used, because they are not finite numbers: 5"


def test_rare_attributes_are_sparse():
    found = statements(*((E + f"n{k}", E + "r", E + f"n{k + 1}") for k in range(9)))
    found.add_literal(E + "n3", E + "size", "5", XSD + "integer")
    graph = graph_of(found)
    assert graph.features.nnz == 1
    assert graph.features.toarray().ravel().tolist() == [0, 0, 0, 5, 0, 0, 0, 0, 0, 0]


def test_facts_are_needed():
    with pytest.raises(InputError, match=r"x\.nt: no statement between two entities was found"):
        graph_of(statements((E + "a", TYPE, E + "City")))
