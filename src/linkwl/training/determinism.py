"""The same seed gives the same bits: torch's operations in a fixed order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import torch
import torch.utils.deterministic


@contextmanager
def deterministic() -> Iterator[None]:
    """Runs a block with deterministic versions of torch's operations, and restores the global switches.

    For example, gradients of indexing are otherwise added by several threads in arbitrary order.
    """
    was_enabled = torch.are_deterministic_algorithms_enabled()
    was_lenient = torch.is_deterministic_algorithms_warn_only_enabled()
    memory: Any = torch.utils.deterministic
    was_filled = memory.fill_uninitialized_memory
    # An operation without a deterministic version on some device warns instead of failing.
    torch.use_deterministic_algorithms(True, warn_only=True)
    memory.fill_uninitialized_memory = False  # costs time only: everything is written before it is read
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(was_enabled, warn_only=was_lenient)
        memory.fill_uninitialized_memory = was_filled
