"""The options that say how a graph is read, the same for every command that reads one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from linkwl.cli.feature_options import FEATURES, OTHER_FEATURES
from linkwl.cli.option_groups import Command, OptionGroup, with_options
from linkwl.errors import InputError

if TYPE_CHECKING:
    from linkwl.graph.reading import Choice, Reading

_CHOICES: dict[str, Choice] = {"yes": True, "no": False, "auto": "auto"}
_NONE, _USUAL = "none", "yes"


def _option(*names: str, metavar: str | None = "COL", text: str) -> Any:
    return typer.Option(*names, metavar=metavar, help=text, rich_help_panel="How to read the graph", show_default=False)


OPTIONS: dict[str, Any] = {
    "source": Annotated[
        str | None, _option(text="Column with the first end of every edge, by name or number, from 1.")
    ],
    "target": Annotated[str | None, _option(text="Column with the second end.")],
    "type": Annotated[
        str | None, _option(text="Column with the types of edges, which makes them triples; none, to read edges.")
    ],
    "weight": Annotated[
        str | None, _option(text="Column or attribute with the weights; yes for the values of a matrix.")
    ],
    "time": Annotated[str | None, _option(text="Column or attribute with the times: numbers or dates.")],
    "merge": Annotated[
        str | None, _option(metavar="sum|last", text="What the weights of copies of an edge become; by default sum.")
    ],
    "head": Annotated[str | None, _option(text="Same as --source, and the file holds triples.")],
    "relation": Annotated[str | None, _option(text="Same as --type.")],
    "tail": Annotated[str | None, _option(text="Same as --target, and the file holds triples.")],
    "directed": Annotated[
        str | None,
        _option(
            metavar="[yes|no|auto]",
            text="Keep the direction of edges (no: --undirected); auto: if some, not nearly all, are listed both ways.",
        ),
    ],
    "bipartite": Annotated[
        str | None,
        _option(metavar="[yes|no|auto]", text="The two ends are different kinds of things, with names of their own."),
    ],
    "threshold": Annotated[float | None, _option(metavar="X", text="The least value of a matrix that is an edge.")],
    "header": Annotated[
        bool | None, _option("--header/--no-header", metavar=None, text="Whether the first line names the columns.")
    ],
    "encoding": Annotated[str | None, _option(metavar="E", text="Encoding of the text, such as latin-1.")],
    "skip_bad": Annotated[
        bool | None, _option("--skip-bad", metavar=None, text="Skip lines that cannot be read, and count them.")
    ],
    "format": Annotated[
        str | None, _option(metavar="F", text="Format of the file if its name does not say it, such as csv or json.")
    ],
    "node_attributes": Annotated[
        str | None,
        _option(
            metavar="A,B|all|none",
            text="Attributes of nodes in a GML, GraphML, GEXF or JSON file to use; by default all that do not seem "
            "to be computed from the links.",
        ),
    ],
}
"""The options by name, in the order in which they are shown."""


def reads_graph(*without: str, features: bool = False, other_features: bool = False) -> Callable[[Command], Command]:
    """Gives a command the options in place of its parameter ``how``.

    Args:
        without: Options whose names the command has for something else.
        features: Whether it also has the parameter ``known``, for :data:`linkwl.cli.feature_options.FEATURES`.
        other_features: The same, of a graph other than the training graph.
    """
    groups = {"how": READING.without(*without)}
    if features or other_features:
        groups["known"] = OTHER_FEATURES if other_features else FEATURES

    def decorate(command: Command) -> Command:
        run = with_options(**groups)(command)
        run.command_class = GraphCommand  # type: ignore[attr-defined]
        return run

    return decorate


def make_reading(**given: Any) -> Reading:
    """The reading that options ask for, None for those that are not given."""
    from linkwl.graph.reading import Reading

    options = {name: value for name, value in given.items() if value is not None}
    for name in ("directed", "bipartite"):
        if name in options:
            options[name] = _choice(name, options[name])
    for name in ("type", "relation"):
        if options.get(name) == _NONE:
            options[name] = False
    for name in ("weight", "time"):
        if options.get(name) == _USUAL:
            options[name] = True
    if options.get("merge", "sum") not in ("sum", "last"):
        raise InputError(f"--merge {options['merge']}: weights of copies are added (sum), or the last counts (last).")
    return Reading(**options)


READING = OptionGroup({name: (kind, None) for name, kind in OPTIONS.items()}, make_reading)


def _choice(name: str, text: str) -> Choice:
    if text not in _CHOICES:
        raise InputError(f"--{name} {text}: expected yes, no or auto.")
    return _CHOICES[text]


class GraphCommand(TyperCommand):
    """A command with these options.

    ``--directed`` and ``--bipartite`` alone mean yes, and ``--undirected`` means ``--directed no``.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses as usual, after adding the values that are left out."""
        return super().parse_args(ctx, with_values(args))


def with_values(args: list[str]) -> list[str]:
    """The arguments with a value after each option that may stand alone.

    Example:
        >>> with_values(["g.csv", "--directed", "--bipartite", "auto", "--undirected"])
        ['g.csv', '--directed', 'yes', '--bipartite', 'auto', '--directed', 'no']
    """
    full: list[str] = []
    for place, word in enumerate(args):
        if word == "--":
            return [*full, *args[place:]]
        if word == "--undirected":
            full += ["--directed", "no"]
            continue
        full.append(word)
        after = args[place + 1] if place + 1 < len(args) else ""
        if word in ("--directed", "--bipartite") and after not in _CHOICES:
            full.append("yes")
    return full
