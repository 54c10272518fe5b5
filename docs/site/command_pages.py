"""The reference of the command line, read from the commands themselves, in place of ``<!-- commands -->`` on a page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

import typer
from sphinx.application import Sphinx

from linkwl.cli.main import app as linkwl_app

MARKER = "<!-- commands -->"


def commands() -> Iterator[tuple[str, Any, Any]]:
    """Every command with its whole name and a context, groups before their members."""

    def visit(command: Any, path: str, parent: Any) -> Iterator[tuple[str, Any, Any]]:
        context = command.context_class(command, info_name=path.rpartition(" ")[2], parent=parent)
        yield path, command, context
        if hasattr(command, "list_commands"):
            for name in command.list_commands(context):
                _, found, _ = command.resolve_command(context, [name])
                yield from visit(found, f"{path} {name}", context)

    return visit(typer.main.get_command(linkwl_app), "linkwl", None)


def commands_markdown() -> str:
    """A section for every command: what it does, how it is called, its examples and its options."""
    return "\n\n".join(_section(*command) for command in commands())


def _section(path: str, command: Any, context: Any) -> str:
    text, *examples = re.split(r"\nExamples?\n", re.sub(r"\[/?\w*\]", "", command.help or ""), maxsplit=1)
    usage = command.get_usage(context).removeprefix("Usage: ").replace("{", "").replace("}", "")
    calls = "\n".join(line.strip() for line in "".join(examples).splitlines() if line.strip())
    parts = [f"## `{path}`", _plain(text.strip()), _block(usage)]
    parts += [_block(calls)] if calls else []
    shown = [parameter for parameter in command.get_params(context) if parameter.get_help_record(context)]
    for panel, rows in groupby(sorted(shown, key=_panel), key=_panel):
        records = [row.get_help_record(context) for row in rows]
        parts += [f"*{panel}*"] if panel else []
        parts.append("| option | what it does |\n|---|---|\n" + "\n".join(_row(*record) for record in records))
    return "\n\n".join(part for part in parts if part)


def _panel(parameter: Any) -> str:
    return parameter.rich_help_panel or ""


def _row(name: str, text: str) -> str:
    call = re.sub(r" <(\w+)>$", "", name) if not name.startswith("-") else name
    return f"| {_code(call)} | {_plain(text)} |"


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def _plain(text: str) -> str:
    """The text with every character of Markdown as itself, options as code."""
    escaped = re.sub(r"([\\*_<>\[\]|`])", r"\\\1", text)
    return re.sub(r"(?<![\w-])(--[a-z][\w-]*)", r"`\1`", escaped)


def _block(text: str) -> str:
    return f"```text\n{text}\n```"


def setup(app: Sphinx) -> dict[str, bool]:
    """Fills the marker when a page is read."""

    def fill(_: Sphinx, __: str, source: list[str]) -> None:
        if MARKER in source[0]:
            source[0] = source[0].replace(MARKER, commands_markdown())

    app.connect("source-read", fill)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
