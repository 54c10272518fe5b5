from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Annotated

import pytest
import typer
from typer.testing import CliRunner

from linkwl.cli.option_groups import OptionGroup, with_options

if TYPE_CHECKING:
    from nowhere import Size

Width = Annotated[int, typer.Option()]
SIZE = OptionGroup({"width": (Width, 1), "height": (Width, 2)}, lambda width=10, height=20: (width, height))


def draw(name: Annotated[str, typer.Argument()], size: Size, colour: Annotated[str, typer.Option()] = "red") -> None:
    """Draws."""
    typer.echo(f"{name} {size} {colour}")


def test_options_stand_in_place_of_the_value():
    command = with_options(size=SIZE)(draw)
    assert list(inspect.signature(command).parameters) == ["name", "width", "height", "colour"]
    assert (command.__name__, command.__doc__) == ("draw", "Draws.")


@pytest.mark.parametrize(
    ("group", "arguments", "shown"),
    [
        (SIZE, ["box"], "box (1, 2) red"),
        (SIZE, ["box", "--height", "5", "--colour", "blue"], "box (1, 5) blue"),
        (SIZE.without("height"), ["box", "--width", "5"], "box (5, 20) red"),
    ],
)
def test_a_command_receives_the_value(group, arguments, shown):
    app = typer.Typer()
    app.command()(with_options(size=group)(draw))
    assert CliRunner().invoke(app, arguments).output.strip() == shown
