"""Output for people: it goes to stderr, so that stdout is free for data."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.segment import Segment
from rich.table import Table

from linkwl.errors import OutputError
from linkwl.files import check_writable, write_text
from linkwl.printable import printable

ExcelSafeOption = Annotated[
    bool,
    typer.Option("--excel-safe", help="In CSV, put an apostrophe before names that a spreadsheet would calculate."),
]


class SafeConsole(Console):
    """A console that spells out control characters in all that it prints, names from files among it."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        """Its own styles and movements of the cursor are not part of the text, and stay."""
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Goes on with the work if nobody reads what is said; Rich would end the process."""
        self.quiet = True
        with suppress(OSError, ValueError):  # not a file
            os.dup2(os.open(os.devnull, os.O_WRONLY), self.file.fileno())


console = SafeConsole(stderr=True, highlight=False, emoji=False)  # :newspaper: may be part of a name


def say(text: str) -> None:
    """Prints one line without markup, since names and paths may contain brackets."""
    console.print(text, soft_wrap=True, markup=False)


def say_warning(text: str) -> None:
    """Prints one line, even with ``--quiet``."""
    with _heard():
        say(text)


def say_error(sentence: str) -> None:
    """Prints an error message, even with ``--quiet``."""
    with _heard():
        console.print(f"[bold red]error:[/] {escape(printable(sentence, lines=False))}", soft_wrap=True)


def set_quiet(is_quiet: bool) -> None:
    """Prints nothing but warnings and errors from now on, or everything."""
    console.quiet = is_quiet


@contextmanager
def _heard() -> Iterator[None]:
    was_quiet, console.quiet = console.quiet, False
    try:
        yield
    finally:
        console.quiet = was_quiet


QuietOption = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        callback=set_quiet,
        help="Print only warnings and errors; what goes to files and to standard output is still written.",
    ),
]
"""It acts when it is parsed, so that commands do not pass it on."""


def facts(rows: dict[str, str]) -> Table:
    """A table of names and values."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column(overflow="fold")
    for name, value in rows.items():
        table.add_row(name, escape(value))
    return table


def check_json_target(target: str | None, *inputs: str | Path | None) -> None:
    """Fails before the work starts if the JSON cannot be written or would overwrite an input."""
    if target is None or target == "-":
        return
    check_writable(target, *inputs)


def write_json(target: str | None, content: str | dict[str, Any]) -> None:
    """Writes JSON to a file, or to stdout for ``-``; does nothing without a target."""
    if target is None:
        return
    text = content if isinstance(content, str) else json.dumps(content, indent=2, allow_nan=False) + "\n"
    if target != "-":
        write_text(target, text)
        return
    with standard_output() as stream:
        stream.write(text)


@contextmanager
def standard_output() -> Iterator[TextIO]:
    """Standard output, flushed at the end.

    Raises:
        OutputError: If it is closed, or cannot be written. A closed pipe is left to :func:`linkwl.cli.main.run`.
    """
    if sys.stdout is None:
        raise OutputError("standard output", "it is closed")
    try:
        yield sys.stdout
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError("standard output", (error.strerror or str(error)).lower()) from error
