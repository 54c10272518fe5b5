"""Progress bars of the Python interface: in a notebook, in a terminal, and none where the output is piped."""

from __future__ import annotations

import html
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, TypeAlias

_SECONDS_BETWEEN = 0.2
"""A bar is drawn at most five times a second, and not at all for quicker work."""

OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the finished and the total work."""


class ProgressBar(ABC):
    """A bar for one piece of work after the other."""

    def __init__(self) -> None:
        self._drawn = monotonic()

    def update(self, text: str, done: int, total: int) -> None:
        """Shows what is being done, how much is finished and how much there is; too frequent calls draw nothing."""
        now = monotonic()
        if now - self._drawn >= _SECONDS_BETWEEN:
            self._drawn = now
            self._draw(text, done, total)

    @abstractmethod
    def _draw(self, text: str, done: int, total: int) -> None:
        """Draws the bar."""

    @abstractmethod
    def close(self) -> None:
        """Removes the bar."""


class _NotebookBar(ProgressBar):
    """An element of a cell's output, which is replaced by nothing in the end; needs no widgets."""

    def __init__(self) -> None:
        super().__init__()
        self._handle: Any = None

    def _draw(self, text: str, done: int, total: int) -> None:
        from IPython.display import HTML, display

        bar = f'<progress value="{done}" max="{max(total, 1)}" style="width:16em;vertical-align:middle"></progress>'
        shown = HTML(f"<div>{bar} {done:,} / {total:,} {html.escape(text)}</div>")
        if self._handle is None:
            self._handle = display(shown, display_id=True)
        else:
            self._handle.update(shown)

    def close(self) -> None:
        from IPython.display import HTML

        if self._handle is not None:
            self._handle.update(HTML(""))


class _TerminalBar(ProgressBar):
    """A line of the terminal, which is erased in the end."""

    def __init__(self) -> None:
        super().__init__()
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
        self._bar = Progress(*columns, console=Console(stderr=True), transient=True)
        self._task = self._bar.add_task("", total=None)

    def _draw(self, text: str, done: int, total: int) -> None:
        self._bar.start()
        self._bar.update(self._task, description=text, completed=done, total=total)

    def close(self) -> None:
        self._bar.stop()


class _NoBar(ProgressBar):
    """Shows nothing."""

    def _draw(self, text: str, done: int, total: int) -> None:
        pass

    def close(self) -> None:
        pass


def in_notebook() -> bool:
    """Whether this process is the kernel of a notebook: IPython runs, and not in a terminal."""
    ipython = sys.modules.get("IPython")
    shell = getattr(ipython, "get_ipython", lambda: None)()
    return shell is not None and hasattr(shell, "kernel")


def in_terminal() -> bool:
    """Whether messages go to a terminal that can redraw a line."""
    stream = sys.stderr
    return stream is not None and not stream.closed and stream.isatty()


@contextmanager
def progress_bar(progress: bool | None = None) -> Iterator[ProgressBar]:
    """A progress bar within a block.

    Args:
        progress: Whether to show it; None for a notebook or a terminal, and not if the output is piped.
    """
    is_notebook = in_notebook()
    if progress is None:
        progress = is_notebook or in_terminal()
    bar = _NoBar() if not progress else _NotebookBar() if is_notebook else _TerminalBar()
    try:
        yield bar
    finally:
        bar.close()


@contextmanager
def shown_progress(text: str, on_progress: OnProgress | None, progress: bool | None) -> Iterator[OnProgress]:
    """A function that reports progress, within a block: to a bar, and to the caller's own function if there is one.

    Args:
        text: What is being done.
        on_progress: The function of the caller.
        progress: Whether to show a bar; None for one in a notebook or a terminal, unless the caller has a function.
    """
    with progress_bar(False if progress is None and on_progress is not None else progress) as bar:

        def report(done: int, total: int) -> None:
            bar.update(text, done, total)
            if on_progress is not None:
                on_progress(done, total)

        yield report
