from __future__ import annotations

import hashlib

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.graph.attributes import MAX_COMPARED, MAX_LEVELS, Attributes, CategoryColumn, NumberColumn
from linkwl.graph.pair_numbers import PairNumbers
from linkwl.graph.positions import Positions

AGE = NumberColumn.of("age", np.array([1.0, np.nan, 3.0, 8.0]))
SIZE = NumberColumn.of("size", np.array([5.0, 6.0, 7.0, 8.0]))
CITY = CategoryColumn("city", ("b", "a"), np.array([0, 1, -1, 0], dtype=np.int32))
PLACES = Positions(np.arange(8.0).reshape(4, 2), "plane")
PAIRS = PairNumbers(("trade",), np.array([[0, 1]], dtype=np.int32), np.array([[2.5]]))
ALL = Attributes((AGE, SIZE), (CITY,), PLACES, PAIRS)


def digest(attributes: Attributes) -> str:
    value = hashlib.sha256()
    attributes.update_digest(value)
    return value.hexdigest()


def test_the_matrix_has_numbers_values_of_categories_and_marks():
    assert ALL.matrix().tolist() == [[1, 5, 1, 0, 0], [4, 6, 0, 1, 1], [3, 7, 0, 0, 0], [8, 8, 1, 0, 0]]
    assert Attributes(positions=PLACES).matrix() is None


def test_a_constant_number_is_scaled_to_zero():
    assert NumberColumn.of("a", np.full(3, 7.0)).scaled.tolist() == [0, 0, 0]
    assert NumberColumn.of("a", np.full(3, np.nan)).center == 0


def test_rare_values_share_a_place():
    column = CategoryColumn("c", tuple(map(str, range(40))), np.array([0, MAX_LEVELS, 39, -1, 5], dtype=np.int32))
    assert column.common_codes.tolist() == [0, MAX_LEVELS, MAX_LEVELS, MAX_LEVELS, 5]
    assert Attributes(categories=(column,)).matrix().shape == (5, MAX_LEVELS)


def test_many_numbers_are_a_matrix():
    column = NumberColumn.of("a", np.arange(3.0))
    assert len(Attributes((column,) * MAX_COMPARED).compared) == MAX_COMPARED
    assert Attributes((column,) * (MAX_COMPARED + 1)).compared == ()


def test_arrays_and_signature_give_the_attributes_back():
    again = Attributes.from_arrays(ALL.signature, ALL.arrays)
    assert again.signature == ALL.signature
    assert digest(again) == digest(ALL)
    np.testing.assert_array_equal(again.matrix(), ALL.matrix())


@pytest.mark.parametrize(
    "other",
    [
        Attributes((AGE, SIZE), (CITY,), PLACES),
        Attributes((SIZE, AGE), (CITY,), PLACES, PAIRS),
        Attributes((AGE, SIZE), (CategoryColumn("city", ("b", "c"), CITY.codes),), PLACES, PAIRS),
        Attributes((AGE, SIZE), (CITY,), Positions(PLACES.coordinates, "map"), PAIRS),
        Attributes((AGE, SIZE), (CITY,), Positions(PLACES.coordinates + 1, "plane"), PAIRS),
    ],
)
def test_every_part_is_in_the_digest(other):
    assert digest(other) != digest(ALL)


def test_columns_of_another_graph():
    other = Attributes(
        (NumberColumn.of("size", np.array([1.0, 1.0])), NumberColumn.of("age", np.array([2.0, 4.0]))),
        (CategoryColumn("city", ("c", "a"), np.array([0, 1], dtype=np.int32)),),
        Positions(np.zeros((2, 2)), "plane"),
        PairNumbers(("trade",), np.array([[0, 1]], dtype=np.int32), np.array([[9.0]])),
    )
    found = other.like(ALL)
    assert [column.name for column in found.numbers] == ["age", "size"]
    assert found.numbers[0].center == 4
    assert found.categories[0].codes.tolist() == [-1, 1]
    assert found.matrix().tolist() == [[2, 1, 0, 0, 0], [4, 1, 0, 1, 0]]


@pytest.mark.parametrize(
    ("without", "words"),
    [
        (Attributes((AGE,), (CITY,), PLACES, PAIRS), "trained with the number `size`"),
        (Attributes((AGE, SIZE), (), PLACES, PAIRS), "trained with the category `city`"),
        (Attributes((AGE, SIZE), (CITY,), None, PAIRS), "coordinates in a plane of each node"),
        (Attributes((AGE, SIZE), (CITY,), PLACES), "numbers of pairs, `trade`; give them with --pair-features"),
    ],
)
def test_a_missing_column_is_named(without, words):
    with pytest.raises(InputError, match=words):
        without.like(ALL)


class TestOfAGraph:
    def test_operations_keep_them(self):
        graph = Graph.from_pairs([(0, 1), (1, 2), (2, 3)], 4, is_directed=True, attributes=ALL)
        for other in (graph.without(np.array([(0, 1)])), graph.with_(np.array([(0, 3)])), graph.links):
            assert other.attributes is ALL
        assert graph.reserve(np.array([(0, 3)])).attributes is None

    def test_the_digest_knows_them(self):
        graph = Graph.from_pairs([(0, 1)], 4)
        assert graph.with_attributes(ALL).digest != graph.digest
        assert graph.with_attributes(None).digest == graph.digest

    def test_one_row_per_node(self):
        with pytest.raises(ValueError, match="one row per node"):
            Graph.from_pairs([(0, 1)], 5, attributes=ALL)
