"""The option ``--link P Q``, which may be repeated between other arguments."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from linkwl.cli.reading_options import GraphCommand
from linkwl.errors import InputError

_FLAG = "--link"
_BETWEEN = "\0"  # the only character that no process argument can contain

LinkOption = Annotated[
    list[str] | None,
    typer.Option(_FLAG, metavar="P Q", help="The two ends of a link, by name; give it twice.", show_default=False),
]


class LinkCommand(GraphCommand):
    """A command with a :data:`LinkOption`.

    Typer has options with two values and options that may be repeated, but none that is both, so the two values are
    joined into one before parsing.
    """

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parses as usual, after joining the two values of every ``--link``."""
        if ctx.resilient_parsing:  # a shell completes a command that may lack the second value
            return super().parse_args(ctx, args)
        options = {name for param in self.get_params(ctx) for name in param.opts if name.startswith("--")}
        return super().parse_args(ctx, _join_links(args, options))


def split_links(values: list[str] | None) -> list[tuple[str, str]]:
    """The links in the values of a :data:`LinkOption`."""
    ends = [value.partition(_BETWEEN) for value in values or []]
    return [(source, target) for source, _, target in ends]


def _join_links(args: list[str], options: set[str]) -> list[str]:
    joined: list[str] = []
    rest = list(args)
    while rest:
        word = rest.pop(0)
        if word == "--":
            return [*joined, word, *rest]
        if word.startswith(f"{_FLAG}="):
            rest.insert(0, word.removeprefix(f"{_FLAG}="))
            word = _FLAG
        joined.append(word)
        if word == _FLAG:
            ends, rest = rest[:2], rest[2:]
            if len(ends) < 2 or options.intersection(ends):
                option = " ".join([_FLAG, *ends])
                raise InputError(f"`{option}` does not name two nodes; a link has two ends, as in `{_FLAG} 3 7`.")
            joined.append(_BETWEEN.join(ends))
    return joined
