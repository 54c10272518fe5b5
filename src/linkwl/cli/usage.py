"""Wrong usage of the command line in one sentence: what is wrong, and what to do about it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any

from typer import TyperException

from linkwl.cli.commands import COMMANDS
from linkwl.errors import UnknownNameError

_EXTRA = re.compile(r"Got unexpected extra argument(?:s|\(s\))? \((.*)\)", re.DOTALL)
_COMMAND = re.compile(r"No such command '(.*?)'\.", re.DOTALL)
_VALUES = re.compile(r"Option '(.*?)' requires (an|\d+) arguments?")


def usage_sentence(error: TyperException, arguments: Sequence[str]) -> str:
    """The sentence about a usage error; empty if help was shown instead.

    Typer's classes of errors are private, so they are recognised by their names.

    Args:
        error: The error.
        arguments: The arguments of the command line.
    """
    kind, message = type(error).__name__, error.message
    if kind == "NoArgsIsHelpError":
        return ""
    context: Any = getattr(error, "ctx", None)
    command = context.command_path if context is not None else _named_command(arguments)
    remedy = f"see `{command} --help`"
    if kind == "NoSuchOption":
        option = str(getattr(error, "option_name", ""))
        near = _near_option(option, context)
        offer = f"did you mean {near}? S{remedy[1:]}" if near else remedy
        return f"unknown option {option} of `{command}`; {offer}."
    if kind == "MissingParameter":
        return f"{_missing(getattr(error, 'param', None))}; {remedy}."
    if kind == "BadParameter":
        return f"{_name(getattr(error, 'param', None))}{_expected(message)}; {remedy}."
    if found := _VALUES.match(message):
        return f"{found[1]} needs {'a value' if found[2] == 'an' else f'{found[2]} values'} after it; {remedy}."
    if found := _COMMAND.match(message):
        known = context.command.list_commands(context)
        return UnknownNameError("command", found[1], known, remedy=f"See `{command} --help`.").problem
    if found := _EXTRA.match(message):
        return f"unexpected argument {found[1]!r}; put quotes around names that contain spaces, and {remedy}."
    text = message.rstrip(".").replace("'", "")
    return f"{text[:1].lower()}{text[1:]}; {remedy}."


def _named_command(arguments: Sequence[str]) -> str:
    """The command that arguments name."""
    return next((f"linkwl {word}" for word in arguments if word in COMMANDS), "linkwl")


def _near_option(option: str, context: Any) -> str:
    """The known option that is spelled nearly the same; empty if there is none."""
    known = (
        {} if context is None else {name.lstrip("-"): name for param in context.command.params for name in param.opts}
    )
    near = get_close_matches(option.lstrip("-"), known, n=1)
    return known[near[0]] if near else ""


def _name(param: Any) -> str:
    """An option by its long name, an argument by its placeholder."""
    if param is None:
        return "an argument"
    if param.param_type_name == "argument":
        return str(param.metavar or param.name.upper())
    return str(max(param.opts, key=len))


def _missing(param: Any) -> str:
    """That a parameter is missing, and what it is for."""
    name = _name(param)
    if param is None:
        return f"{name} is missing"
    if param.param_type_name == "option":
        name += f" {param.metavar or 'VALUE'}"
    what = re.split(r"[:;]|\. ", param.help or "")[0].strip().rstrip(".")
    return f"{name} is missing: {what[:1].lower()}{what[1:]}" if what else f"{name} is missing"


def _expected(message: str) -> str:
    """What is wrong with a value, after the name of its option: the first clause of pydantic's message."""
    text = message.removeprefix("Value error, ").rstrip(".")
    if text.startswith("Input should"):
        return text.split(",")[0].replace("Input should", " must")
    start, words, choices = text.partition(" is not one of ")
    plain = choices.replace("'", "")
    return f": {start}{words}{plain}"
