"""The same seed gives the same bits: torch's operations in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.utils.deterministic


@contextmanager
def deterministic() -> Iterator[None]:
    """Runs a block with deterministic versions of torch's operations, and leaves the global switches as they were.

    Gradients of indexing, for one, are otherwise added up by several threads in whatever order they come.
    """
    was_enabled = torch.are_deterministic_algorithms_enabled()
    was_lenient = torch.is_deterministic_algorithms_warn_only_enabled()
    memory: Any = torch.utils.deterministic
    was_filled = memory.fill_uninitialized_memory
    # An operation of some other device that has no such version warns instead of failing.
    torch.use_deterministic_algorithms(True, warn_only=True)
    memory.fill_uninitialized_memory = False  # only costs time: everything is written before read
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(was_enabled, warn_only=was_lenient)
        memory.fill_uninitialized_memory = was_filled
