from __future__ import annotations

import pyarrow as pa
import pytest

from linkwl import InputError
from linkwl.graph.moments import parse_duration, parse_moment
from linkwl.graph.value_columns import to_numbers


@pytest.mark.parametrize("text", ["2024-05-31", "2024-05-31 12:30:00", "1969-12-31", "1717113600", "-3.5"])
def test_a_moment_is_read_as_a_column_of_times_is(text):
    assert parse_moment(text) == to_numbers("time", pa.chunked_array([[text]]))[0]


def test_a_time_zone_counts():
    assert parse_moment("2024-05-31T12:00:00+02:00") == parse_moment("2024-05-31T10:00:00")


@pytest.mark.parametrize("text", ["", "soon", "nan", "inf", "2024-13-01"])
def test_what_is_no_moment(text):
    with pytest.raises(InputError, match="is no moment; write a number, or a date"):
        parse_moment(text)


@pytest.mark.parametrize(
    ("text", "seconds"), [("90d", 90 * 86_400), ("1.5 h", 5400), ("10min", 600), ("2w", 14 * 86_400), ("7", 7)]
)
def test_durations(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize("text", ["0", "-1", "d", "3 months", "inf", "nan"])
def test_what_is_no_duration(text):
    with pytest.raises(InputError, match="is no duration; write a positive number"):
        parse_duration(text)
