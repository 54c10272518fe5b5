from __future__ import annotations

from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from linkwl import InputError
from linkwl.cli.link_option import LinkCommand, LinkOption, split_links

app = typer.Typer()


@app.command(cls=LinkCommand)
def show(
    a: str,
    b: Annotated[str | None, typer.Argument()] = None,
    link: LinkOption = None,
    json: Annotated[str, typer.Option()] = "",
) -> None:
    typer.echo(repr((a, b, split_links(link), json)))


@pytest.fixture
def parse():
    def parse(*words: str):
        outcome = CliRunner().invoke(app, list(words), catch_exceptions=False)
        assert outcome.exit_code == 0, outcome.output
        return eval(outcome.output)

    return parse


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["A"], ("A", None, [], "")),
        (["A", "--link", "p", "q", "B", "--link", "r", "s"], ("A", "B", [("p", "q"), ("r", "s")], "")),
        (["A", "B", "--link", "p", "q", "--link", "r", "s"], ("A", "B", [("p", "q"), ("r", "s")], "")),
        (["--link", "p", "q", "--json", "f", "A"], ("A", None, [("p", "q")], "f")),
        (["A", "--link=p", "q"], ("A", None, [("p", "q")], "")),
        (["A", "--link", "-3", "--x"], ("A", None, [("-3", "--x")], "")),
        (["A", "--link", "ann lee", ""], ("A", None, [("ann lee", "")], "")),
        (["--link", "-", "-h", "--", "-A"], ("-A", None, [("-", "-h")], "")),
        (["--", "-A", "--link"], ("-A", "--link", [], "")),
    ],
)
def test_links_between_other_arguments(parse, words, expected):
    assert parse(*words) == expected


@pytest.mark.parametrize(
    "words",
    [
        ["A", "--link"],
        ["A", "--link", "p"],
        ["A", "--link=p"],
        ["A", "--link", "p", "--link", "q", "r"],
        ["A", "--link", "p", "--json", "f"],
    ],
)
def test_a_link_with_one_end(parse, words):
    with pytest.raises(InputError, match="does not name two nodes; a link has two ends, as in `--link 3 7`"):
        parse(*words)
