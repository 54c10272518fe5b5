from __future__ import annotations

import datetime

import numpy as np
import pyarrow as pa
import pytest

from linkwl.errors import InputError
from linkwl.graph.attribute_columns import understand_columns


def refuse(row, problem):
    return InputError(f"row {row}: {problem}")


def understand(**columns):
    arrays = [pa.chunked_array([pa.array(values)]) for values in columns.values()]
    return understand_columns(list(columns), arrays, refuse)


@pytest.mark.parametrize(
    ("values", "numbers"),
    [
        ([1, None, 3], [1, np.nan, 3]),
        ([True, False, None], [1, 0, np.nan]),
        (["1.5", " NA ", "-2e1"], [1.5, np.nan, -20]),
        (["yes", "NO", ""], [1, 0, np.nan]),
        (["1970-01-02", "1969-12-31", "?"], [1, -1, np.nan]),
        (["1970-01-01T12:00:00", "1970-01-03", None], [0.5, 2, np.nan]),
        ([datetime.date(1970, 1, 11), None, datetime.date(1970, 1, 1)], [10, np.nan, 0]),
        ([None, None, None], [np.nan] * 3),
        (["", "", ""], [np.nan] * 3),
    ],
)
def test_numbers(values, numbers):
    (column,) = understand(a=values).attributes.numbers
    np.testing.assert_array_equal(column.values, numbers)
    assert column.has_gaps == bool(np.isnan(numbers).any())


def test_categories_are_ordered_by_frequency():
    attributes, notes = understand(city=["b", "a", " a", None, "b ", "a"])
    (column,) = attributes.categories
    assert column.levels == ("a", "b")
    assert column.codes.tolist() == [1, 0, 0, -1, 1, 0]
    assert notes == ("`city`: 2 categories, 1 missing",)


@pytest.mark.parametrize(
    ("values", "note"),
    [
        (["a", "b", "c", "d"], "`t`: ignored, a label (4 different texts)"),
        (["a", "b", "c", "a", "d"], "`t`: ignored, a label (4 different texts)"),
        (["x", "x", "", "x"], "`t`: ignored, the same text everywhere"),
        ([[1], [2], [3], [4]], "`t`: ignored, values of type list<item: int64> are not compared"),
    ],
)
def test_what_is_ignored_and_why(values, note):
    attributes, notes = understand(t=values)
    assert notes == (note,)
    assert not attributes.arrays


def test_coordinates_are_no_numbers():
    attributes, notes = understand(lat=[1.0, None, 3.0], lon=[4.0, 5.0, 6.0], age=[1, 2, 3])
    assert [column.name for column in attributes.numbers] == ["age"]
    assert attributes.positions.is_known.tolist() == [True, False, True]
    assert notes == ("`lat`: place on the map, 1 missing", "`lon`: place on the map, 1 missing", "`age`: numbers")


@pytest.mark.parametrize(
    ("columns", "words"),
    [
        ({"a": ["1", "2", "x"]}, "row 2: `a` is 'x', and most others are numbers"),
        ({"a": [1.0, np.inf]}, "row 1: `a` is not a finite number"),
        ({"lat": [1.0, 91.0], "lon": [2.0, 3.0]}, "row 1: 91 is no latitude"),
        ({"lat": [1.0, 9.0], "lon": [-181.0, 3.0]}, "row 0: -181 is no longitude"),
        ({"x": ["a", "a"], "y": [2.0, 3.0]}, "the coordinates in column `x` must be numbers"),
    ],
)
def test_what_is_refused(columns, words):
    with pytest.raises(InputError, match=words):
        understand(**columns)


def test_rows_in_another_order_and_missing():
    attributes, _ = understand(a=[1, 2, 3], c=["u", "v", "u"], x=[1, 2, 3], y=[0, 0, 0])
    found = attributes.take(np.array([2, -1, 0]))
    np.testing.assert_array_equal(found.numbers[0].values, [3, np.nan, 1])
    assert found.numbers[0].center == 2
    assert found.categories[0].codes.tolist() == [0, -1, 0]
    np.testing.assert_array_equal(found.positions.coordinates, [[3, 0], [np.nan, np.nan], [1, 0]])
