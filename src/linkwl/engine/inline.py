"""Runs one task after the other, in this process."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence

from linkwl.engine.base import Engine, R, T, call, named_error
from linkwl.errors import LinkwlError


class InlineEngine(Engine):
    """Runs every task in this process; the reference for the other engines."""

    is_inline = True

    def run(
        self, function: Callable[..., R], tasks: Sequence[T], shared: object
    ) -> Generator[tuple[int, R], None, None]:
        """The index and the result of every task, in order."""
        for index, task in enumerate(tasks):
            try:
                result = call(function, shared, task)
            except LinkwlError as error:
                named_error(error, task)
                raise
            except Exception as error:
                raise named_error(error, task) from error
            yield index, result

    def __str__(self) -> str:
        return "inline"
