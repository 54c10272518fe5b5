"""The entry point of the command line; it turns errors into a sentence and an exit code."""

from __future__ import annotations

import os
import sys
import warnings
from importlib.metadata import version
from typing import Annotated, TextIO

import typer

from linkwl.cli.console import say, say_error
from linkwl.errors import LinkwlError, LinkwlWarning
from linkwl.memory import is_out_of_memory, limit_memory

# Idle OpenMP threads must sleep, not spin: beside any other process this is several times faster.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

from linkwl.cli import (  # noqa: E402
    audit,
    bench,
    convert,
    datasets,
    demo,
    doctor,
    evaluate,
    explain,
    inspect,
    predict,
    train,
    tune,
    wl,
)
from linkwl.cli.reading_options import GraphCommand  # noqa: E402

app = typer.Typer(
    name="linkwl",
    help="Predict missing links in graphs with two-dimensional Weisfeiler-Lehman graph neural networks.",
    epilog="Start with:  linkwl demo",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _show_version(is_requested: bool) -> None:
    if is_requested:
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
        say(str(message))


app.command()(demo.demo)
app.command()(doctor.doctor)
app.add_typer(datasets.app, name="datasets")
app.command(cls=GraphCommand)(inspect.inspect)
app.command(cls=GraphCommand)(convert.convert)
app.command(cls=GraphCommand)(audit.audit)
app.command(cls=GraphCommand)(train.train)
app.command(cls=GraphCommand)(tune.tune)
app.command(cls=GraphCommand)(evaluate.evaluate)
app.command(cls=GraphCommand)(predict.predict)
app.command(cls=GraphCommand)(explain.explain)
app.add_typer(wl.app, name="wl")
app.add_typer(bench.app, name="bench")


def run() -> None:
    """Runs the command line; bad input and memory that runs out are one sentence and exit code 2."""
    try:
        app()
    except LinkwlError as error:
        say_error(str(error))
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        say_error(
            "the memory that is free does not suffice, and no file was damaged; use a smaller graph or model, fewer "
            "processes, or a machine with more memory."
        )
    else:
        return
    sys.exit(2)


if __name__ == "__main__":
    run()
