"""The pages of the project, for the tests that hold them to what the code does."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from typer.main import get_command

from linkwl.cli.commands import COMMANDS
from linkwl.cli.main import app

ROOT = Path(__file__).parents[1]
PAGES = [
    path.relative_to(ROOT).as_posix() for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
]


def read_page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def python_blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)


def run_code(code: str, name: str) -> None:
    exec(compile(code, name, "exec", dont_inherit=True), {"__name__": "__main__"})


def stated_output(code: str) -> list[str]:
    """The lines that the code says it prints: comments that stand alone."""
    return re.findall(r"^# (.+)$", code, flags=re.MULTILINE)


def calls(page: str) -> list[str]:
    """The lines of a page's blocks that call ``linkwl``, without the rest of a pipe and without remarks."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    lines = [line for language, text in blocks if not language for line in text.splitlines()]
    return [re.split(r"  +| # | \| ", line, maxsplit=1)[0] for line in lines if line.startswith("linkwl ")]


def named_commands(page: str) -> set[str]:
    """The commands of ``linkwl`` in the blocks of a page."""
    return {word for call in calls(page) for word in re.findall(r"^linkwl (?:--max-memory \S+ )?(\w+)", call)}


def parse_call(call: str) -> None:
    """Raises if the call names a command, an option or a value that does not exist, or leaves out an argument.

    Nothing is run and no file is read.
    """
    _, *words = shlex.split(call)
    command, context = get_command(app), None
    while hasattr(command, "list_commands"):
        context = command.context_class(command, info_name="linkwl", parent=context)
        _, words, _ = command.make_parser(context).parse_args(words)
        assert words, f"{call}: no command"
        _, command, words = command.resolve_command(context, words)
    command.make_context(call, words, parent=context)


def known_commands() -> set[str]:
    return set(COMMANDS)
