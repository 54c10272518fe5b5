"""Checks of a learned state of plain arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray


def check_arrays(model: str, state: Mapping[str, NDArray[Any]], expected: Mapping[str, Any]) -> None:
    """Checks names, shapes and dtypes.

    Args:
        model: The name of the model.
        state: The arrays by name.
        expected: Torch's meta tensors by name; see :meth:`linkwl.models.base.LinkModel.expected_state`.

    Raises:
        ValueError: If an array is missing, unknown, or of another shape or dtype.
    """
    if unmatched := expected.keys() ^ state.keys():
        raise ValueError(f"`state` must hold the arrays of {model}; missing or unknown: {min(unmatched)!r}.")
    for name, like in expected.items():
        dtype = str(like.dtype).removeprefix("torch.")
        if state[name].shape != tuple(like.shape) or state[name].dtype != dtype:
            raise ValueError(f"array {name!r} of `state` must be {dtype} of shape {tuple(like.shape)}.")
