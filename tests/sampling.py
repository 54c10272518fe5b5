"""Large grids of cases: a fixed sample by default, all of them in ``make test-slow``."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
C = TypeVar("C")


def is_exhaustive() -> bool:
    """Whether all cases are wanted: ``LINKWL_EXHAUSTIVE`` is 1."""
    return os.environ.get("LINKWL_EXHAUSTIVE") == "1"


def sampled(kinds: Iterable[K], cases: Iterable[C], count: int) -> list[tuple[K, C]]:
    """Every kind with ``count`` of the cases, dealt in turn so that all come up; or with all of them."""
    kinds, cases = list(kinds), list(cases)
    count = len(cases) if is_exhaustive() else min(count, len(cases))
    return [(kind, cases[(place * count + k) % len(cases)]) for place, kind in enumerate(kinds) for k in range(count)]
