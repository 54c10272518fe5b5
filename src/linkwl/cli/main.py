"""The entry point of the command line; it turns errors into a sentence and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from typing import Annotated, NoReturn, TextIO

import typer

from linkwl.cli.commands import LazyGroup
from linkwl.cli.usage import usage_sentence
from linkwl.errors import LinkwlError, LinkwlWarning
from linkwl.memory import is_out_of_memory, limit_memory

app = typer.Typer(
    name="linkwl",
    cls=LazyGroup,
    help="Predict missing links in graphs with two-dimensional Weisfeiler-Lehman graph neural networks.",
    epilog="Start with:  linkwl demo",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_requested: bool) -> None:
    if is_requested:
        from importlib.metadata import version

        typer.echo(f"linkwl {version('linkwl')}")
        raise typer.Exit


@app.callback()
def options(
    _: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    max_memory: Annotated[
        str | None,
        typer.Option(
            metavar="SIZE", envvar="LINKWL_MAX_MEMORY", help="The most memory that a process may use, such as 4GB."
        ),
    ] = None,
) -> None:
    """Predict missing links in graphs with two-dimensional Weisfeiler-Lehman graph neural networks."""
    from linkwl.cli.console import set_quiet

    set_quiet(False)
    warnings.simplefilter("always", LinkwlWarning)
    warnings.showwarning = _show_warning
    if max_memory is not None:
        limit_memory(max_memory)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Prints a warning for users as one line; other warnings are for developers."""
    if issubclass(category, LinkwlWarning):
        from linkwl.cli.console import say_warning

        say_warning(str(message))


def run() -> None:
    """Runs the command line; bad input and memory that runs out are one sentence and exit code 2."""
    try:
        code = app(prog_name="linkwl", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except (BrokenPipeError, SystemExit) as stop:
        # Typer exits when it cannot write to standard output; its reader has seen enough, as in `linkwl ... | head`.
        if not isinstance(stop, BrokenPipeError) and not isinstance(stop.__context__, BrokenPipeError):
            raise
        _discard_output()
        sys.exit(0)
    except typer.TyperException as error:
        _fail(usage_sentence(error, sys.argv[1:]))
    except LinkwlError as error:
        _fail(str(error))
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        _fail(
            "the memory that is free does not suffice, and no file was damaged; use a smaller graph or model, fewer "
            "processes, or a machine with more memory."
        )
    sys.exit(code or 0)


def _fail(sentence: str) -> NoReturn:
    from linkwl.cli.console import say_error

    if sentence:
        say_error(sentence)
    sys.exit(2)


def _discard_output() -> None:
    """Sends what is still in buffers nowhere, since Python would complain about it when it ends."""
    for stream in (sys.__stdout__, sys.__stderr__):
        if stream is None:
            continue
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    run()
