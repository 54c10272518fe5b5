from __future__ import annotations

import pytest

from linkwl.graph.column_words import (
    find_ends,
    is_end_name,
    is_end_word,
    is_pair_of_names,
    suggest_direction,
    suggest_sides,
    words_of,
)


@pytest.mark.parametrize(
    ("name", "words"),
    [("user_id", ["user", "id"]), ("userIDs", ["user", "id"]), ("MovieId", ["movie", "id"]), ("u1", ["u"]), ("7", [])],
)
def test_words(name, words):
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("names", "ends"),
    [
        ("source target weight", (0, 1)),
        ("weight target source", (2, 1)),
        ("protein1 protein2 score", (0, 1)),
        ("userId movieId rating timestamp", (0, 1)),
        ("when buyer amount seller", (1, 3)),
        ("foo bar", (0, 1)),
        ("foo bar weight date", (0, 1)),
        ("id timestamp a b", None),
        ("x y z", None),
    ],
)
def test_ends(names, ends):
    assert find_ends(names.split()) == ends


def test_names_of_ends():
    assert all(map(is_end_name, ("buyer", "Gene A", "user_id", "node1", "from")))
    assert not any(map(is_end_name, ("user7", "TP53", "ann", "", "a" * 50)))
    assert is_end_word("gene")
    assert not is_end_word("u1")
    assert not is_end_word("On trees")


def test_pairs_of_names():
    assert is_pair_of_names("city1", "City 2")
    assert is_pair_of_names("gene_a", "gene_b")
    assert not is_pair_of_names("city1", "town2")
    assert not is_pair_of_names("10.0.0.1", "10.0.0.2")


@pytest.mark.parametrize(
    ("names", "has_direction", "has_sides"),
    [
        (("from", "to"), True, False),
        (("source", "target"), False, False),
        (("citing_paper", "cited_paper"), True, False),
        (("src_ip", "dst_ip"), True, False),
        (("user_id", "item_id"), False, True),
        (("paper", "author"), False, True),
        (("gene_a", "gene_b"), False, False),
        (("buyer", "seller"), True, False),
        (("drug", "disease"), False, False),
        (None, False, False),
    ],
)
def test_suggestions(names, has_direction, has_sides):
    assert (suggest_direction(names), suggest_sides(names)) == (has_direction, has_sides)
