"""Engines by their names on the command line."""

from __future__ import annotations

from linkwl.engine.base import Engine
from linkwl.engine.inline import InlineEngine
from linkwl.engine.processes import ProcessEngine
from linkwl.errors import InputError, UnknownNameError


def find_engine(name: str) -> Engine:
    """The engine with this name: ``inline`` or ``processes:N``.

    Raises:
        UnknownNameError: If there is none.
        InputError: If N is missing, or is not an integer of at least 1.

    Example:
        >>> str(find_engine("processes:2"))
        'processes:2'
    """
    if name == "inline":
        return InlineEngine()
    kind, _, count = name.partition(":")
    if kind != "processes":
        raise UnknownNameError("engine", name, ["inline", "processes:N"])
    if not (count.isascii() and count.isdecimal() and int(count) > 0):
        raise InputError(f"engine {name!r}: expected processes:N with an integer N of at least 1, such as processes:2.")
    return ProcessEngine(int(count))
