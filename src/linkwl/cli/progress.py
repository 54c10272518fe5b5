"""Progress: a bar on a terminal, now and then a line in a log, nothing with ``--quiet``."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Any

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
)
from rich.text import Text

from linkwl.cli.console import console, say

AT_MOST = "at most about"
"""The field ``left`` of a task that may end before its last step."""
_EVERY_SECONDS = 10.0
_SHARE = 0.1
"""Share of the elapsed time that passes between two lines, if it is more: a run of an hour has some fifty lines."""


class LeftColumn(ProgressColumn):
    """The time left, once the first steps have been measured."""

    max_refresh = 0.5

    def render(self, task: Task) -> Text:
        """The column."""
        return Text(left_text(task), style="progress.remaining")


class ProgressLines(Progress):
    """Progress in a log: at most one line in ten seconds, with the time left as far as it has been measured."""

    def __init__(self, *, write: Callable[[str], None] = say, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(console=console, disable=True, get_time=clock)
        self._write = write
        self._start = self._last = clock()

    def update(self, task_id: TaskID, **changes: Any) -> None:
        """Updates a task, and writes a line if the last one is long ago."""
        super().update(task_id, **changes)
        self._tick()

    def advance(self, task_id: TaskID, advance: float = 1) -> None:
        """Advances a task, likewise."""
        super().advance(task_id, advance)
        self._tick()

    def _tick(self) -> None:
        now = self.get_time()
        shown = [task for task in self.tasks if task.visible and not task.finished]
        if shown and now - self._last >= max(_EVERY_SECONDS, _SHARE * (now - self._start)):
            self._last = now
            self._write("; ".join(task_text(task) for task in shown))


def progress_bar() -> Progress:
    """Shows progress in the way that fits where it goes."""
    if not console.is_terminal and not console.quiet:
        return ProgressLines()
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        LeftColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal or console.quiet,
    )


def task_text(task: Task) -> str:
    """A task as a part of a line: what is done, how much of it, for how long, and how long it will still take."""
    parts = []
    if task.total:
        parts.append(f"{task.completed:,.0f} of {task.total:,.0f}")
    if task.elapsed is not None:
        parts.append(_time_text(task.elapsed))
    if left := left_text(task):
        parts.append(left)
    return f"{task.description} ({', '.join(parts)})" if parts else task.description


def left_text(task: Task) -> str:
    """How long a task will still take, by the speed of its last steps; empty before there are any."""
    left = task.time_remaining
    if task.finished or left is None:
        return ""
    return f"{task.fields.get('left', 'about')} {_time_text(left)} left"


def _time_text(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
