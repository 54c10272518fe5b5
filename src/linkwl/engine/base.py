"""The base of all engines: results in task order, and errors that name their task."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing
from typing import Any, ClassVar, TypeVar

from linkwl.engine.group import Group, MakeMember
from linkwl.errors import LinkwlError, MemoryLimitError, TaskError
from linkwl.memory import is_out_of_memory

T = TypeVar("T")
R = TypeVar("R")


class Engine(ABC):
    """Runs a function on many tasks; every engine gives the same results.

    A subclass implements :meth:`run`.
    """

    is_inline: ClassVar[bool] = False
    """Whether the function runs in this process, so that it may be a closure and need not be pickled."""

    def map(
        self,
        function: Callable[..., R],
        tasks: Iterable[T],
        *,
        shared: object = None,
        on_done: Callable[[T, R], None] | None = None,
    ) -> Generator[R, None, None]:
        """The results of ``function`` in task order, each as soon as all earlier results are available.

        Nothing runs before the first result is requested. Closing the iterator cancels the tasks that have not started
        and terminates the running ones.

        Args:
            function: Called as ``function(task)``, or as ``function(shared, task)`` if ``shared`` is given.
            tasks: Small values; their ``str`` names them in errors.
            shared: A value that all tasks need, sent to each worker once.
            on_done: Called in this process with a task and its result as soon as it is finished, in any order: use it
                to show progress and to save results early. An error in it ends the work.

        Raises:
            LinkwlError: As soon as a task fails with one; the sentence starts with the task.
            TaskError: As soon as a task fails with any other error, or a worker is killed.
        """
        work = list(tasks)
        waiting: dict[int, R] = {}
        place = 0
        with closing(self.run(function, work, shared)) as finished:
            for index, result in finished:
                if on_done is not None:
                    on_done(work[index], result)
                waiting[index] = result
                while place in waiting:
                    yield waiting.pop(place)
                    place += 1

    @abstractmethod
    def run(
        self, function: Callable[..., R], tasks: Sequence[T], shared: object
    ) -> Generator[tuple[int, R], None, None]:
        """The index and the result of every task, in order of completion.

        Raises:
            LinkwlError: See :func:`named_error`.
        """

    def group(self, make: MakeMember, shared: object, size: int) -> Group:
        """Workers that keep state and are all asked at once, as data-parallel training does.

        By default they are this process and further ones on this machine.

        Args:
            make: Makes a member in its worker, as ``make(shared, number, size)``.
            shared: A value that all members need, sent to each once.
            size: Number of members.

        Raises:
            GroupLostError: If a member was killed while the group started.
        """
        from linkwl.engine.local_group import LocalGroup

        return LocalGroup(make, shared, size)

    @abstractmethod
    def __str__(self) -> str:
        """Its name on the command line."""


def call(function: Callable[..., R], shared: object, task: Any) -> R:
    """``function(task)``, or ``function(shared, task)`` if ``shared`` is not None."""
    return function(task) if shared is None else function(shared, task)


def named_error(error: Exception, task: object) -> LinkwlError:
    """The error, prefixed with its task; a :class:`TaskError` unless it is a :class:`LinkwlError`, or of memory."""
    if is_out_of_memory(error):
        return MemoryLimitError(f"{task}: takes more memory than is free; use fewer processes, or a smaller model.")
    if not isinstance(error, LinkwlError):
        return TaskError(f"{task}: {type(error).__name__}: {error}")
    error.args = (f"{task}: {error}",)
    return error
