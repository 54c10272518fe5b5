from __future__ import annotations

import networkx as nx
import numpy as np
import pyarrow as pa
import pytest

from linkwl import Graph, InputError, load_graph
from linkwl.graph.attributes import Attributes
from linkwl.graph.positions import Positions
from linkwl.graph.sides import decide_sides, two_sides, with_sides


def column(*names) -> pa.ChunkedArray:
    return pa.chunked_array([pa.array(names)])


USERS, FILMS = column("u1", "u2", "u3", "u4", "u5"), column("f1", "f1", "f2", "f2", "f3")
NUMBERS = column(1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("asked", "source", "target", "names", "answer", "words"),
    [
        (True, USERS, USERS, None, True, "two sides"),
        (False, USERS, FILMS, ("user", "film"), False, ""),
        (None, USERS, FILMS, None, False, "use --bipartite"),
        ("auto", USERS, FILMS, None, True, "no name is in both"),
        ("auto", USERS, USERS, None, False, "some names are in both"),
        (None, USERS, USERS, ("user", "film"), True, "called `user` and `film`"),
        (None, FILMS, USERS, ("film_id", "user_id"), True, "called"),
        (None, USERS, USERS, ("buyer", "seller"), False, ""),
        (None, NUMBERS, FILMS, None, True, "one column holds numbers"),
        (None, column("a", "b", "c", "d", "e"), column("1", "2", "1", "2", "1"), None, True, "holds numbers"),
        (None, NUMBERS, NUMBERS, None, False, ""),
        (None, NUMBERS, column("1", "a", "b", "c", "d"), None, False, ""),
        (None, USERS.slice(0, 2), FILMS.slice(0, 2), None, False, ""),
    ],
)
def test_decisions(asked, source, target, names, answer, words):
    sides = decide_sides(asked, source, target, names=names)
    assert sides.are_separate is answer
    assert words in "; ".join(sides.notes)
    assert bool(words) == bool(sides.notes)


def test_a_name_far_below_is_found():
    many = column(*(f"a{k}" for k in range(3000)), "b2999")
    other = column(*(f"b{k}" for k in range(3001)))
    assert decide_sides("auto", many, other).are_separate is False


@pytest.mark.parametrize("seed", range(8))
def test_the_sides_of_random_graphs(seed):
    drawn = nx.gnm_random_graph(12, 9 + seed, seed=seed)
    graph = Graph.from_pairs(list(drawn.edges), 12)
    part = two_sides(graph, graph.edges[:, 0])
    assert (part is not None) == nx.is_bipartite(drawn)
    if part is not None:
        assert (part[graph.edges[:, 0]] != part[graph.edges[:, 1]]).all()
        assert (part[graph.degree == 0] == 0).all()


def test_first_ends_are_on_the_left():
    edges = np.array([(5, 0), (5, 1), (6, 1), (7, 2)])
    graph = Graph.from_pairs(edges, 9, weight=np.array([1.0, 2, 3, 4]))
    sided = with_sides(load_graph(graph), True, edges[:, 0])
    assert list(sided.ids) == [3, 4, 5, 6, 7, 8, 0, 1, 2]
    assert sided.part.tolist() == [0] * 6 + [1] * 3
    named = {(sided.ids[p], sided.ids[q]): w for (p, q), w in zip(sided.edges, sided.edge_weight, strict=True)}
    assert named == {(5, 0): 1, (5, 1): 2, (6, 1): 3, (7, 2): 4}


def test_attributes_follow_their_nodes():
    places = Positions(np.arange(8.0).reshape(4, 2), "plane")
    graph = Graph.from_pairs([(0, 1), (1, 2), (2, 3)], 4).with_attributes(Attributes(positions=places))
    sided = with_sides(graph, True, np.array([0, 2]))
    found = sided.attributes.positions.coordinates[sided.ids.indices(["0", "1", "2", "3"])]
    assert found.tolist() == places.coordinates.tolist()
    assert sided.attributes.positions.coordinates[:, 0].tolist() == [0, 4, 2, 6]


def test_an_odd_cycle():
    triangle = load_graph([(0, 1), (1, 2), (2, 0)])
    with pytest.raises(InputError, match="cycle of odd length"):
        with_sides(triangle, True, np.array([0]))
    assert "not bipartite" in with_sides(triangle, "auto", np.array([0])).intake.notes[-1]
    assert with_sides(triangle, None, np.array([0])) is triangle
