from __future__ import annotations

import math

import pytest

from linkwl.models.space import Choice, LogUniform, Uniform


@pytest.mark.parametrize(
    "make", [Choice, lambda: Uniform(1, 1), lambda: Uniform(0, math.inf), lambda: LogUniform(0, 1)]
)
def test_empty_ranges_are_refused(make):
    with pytest.raises(ValueError, match="must"):
        make()


def test_ranges_show_their_values():
    shown = [repr(values) for values in (Choice(1, "a"), Uniform(0, 1), LogUniform(1, 2))]
    assert shown == ["Choice(1, 'a')", "Uniform(0, 1)", "LogUniform(1, 2)"]
