"""Moments and durations that a user writes, in the unit of a graph's times."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime

from linkwl.errors import InputError

_SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400, "y": 365.25 * 86_400}
_DURATION = re.compile(r"(\d+(?:\.\d+)?)\s*(s|min|h|d|w|y)")


def parse_moment(text: str) -> float:
    """A number, or a date such as ``2024-05-31`` or ``2024-05-31T12:00`` as seconds since 1970.

    Dates are read as those in a column of times are: without a time zone they are in UTC.

    Raises:
        InputError: If it is neither.

    Example:
        >>> parse_moment("1970-01-02"), parse_moment("12.5")
        (86400.0, 12.5)
    """
    if (number := _finite(text)) is not None:
        return number
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise InputError(f"{text!r} is no moment; write a number, or a date such as 2024-05-31.") from None
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def parse_duration(text: str) -> float:
    """A positive number in the unit of the times, or one with a unit, such as ``90d``, as seconds.

    Raises:
        InputError: If it is neither.

    Example:
        >>> parse_duration("2h"), parse_duration("12.5")
        (7200.0, 12.5)
    """
    number = _finite(text)
    if number is None and (found := _DURATION.fullmatch(text.strip())):
        number = float(found[1]) * _SECONDS[found[2]]
    if number is None or number <= 0:
        units = ", ".join(_SECONDS)
        raise InputError(f"{text!r} is no duration; write a positive number, or one with a unit ({units}) such as 90d.")
    return number


def _finite(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None
