"""The commands, with what the list of them says: a command's module is imported when it is run or its help is shown."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

COMMANDS: dict[str, str] = {
    "demo": "Find missing routes between US airports: train, evaluate, rank, explain, draw a map, write a report.",
    "doctor": "Show versions, threads, device, free memory, data folders, and what is missing.",
    "datasets": "List the benchmark graphs, describe one, or fetch its files.",
    "inspect": "Show what a file contains: nodes, edges or triples, what was merged and dropped, and why.",
    "convert": "Convert a graph of edges to a folder of arrays, which other commands map into memory instead of "
    "reading it.",
    "audit": "Check that a split, ours or your own, does not leak: exit code 0 if it is clean, 1 if it is not.",
    "train": "Train a model on a graph of links or facts and save it in a folder.",
    "tune": "Search the settings of a model for a graph.",
    "evaluate": "Measure models on held-out links of a graph, over several splits.",
    "predict": "Rank the missing links or facts of a graph, or score given pairs or triples.",
    "explain": "Explain the score of a pair or triple: groups of evidence and the contribution of each.",
    "serve": "Serve a page, on this machine, to explore, judge and understand the missing links of a trained model.",
    "wl": "Find out which links a Weisfeiler-Lehman test distinguishes.",
    "bench": "Measure the networks as the paper did, and compare the results with the printed numbers.",
}
"""The first sentence of every command's help, in the order of the list."""


class LazyGroup(TyperGroup):
    """A group that lists its commands without importing them."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        """A command that has only its summary; :meth:`resolve_command` finds the one to run."""
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name]) if cmd_name in COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command to run, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        return name, load_command(name) if name is not None else command, rest


def load_command(name: str) -> Any:
    """The command in the module of its name: the Typer application ``app`` there, or the function of the same name."""
    module = import_module(f"linkwl.cli.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, rich_markup_mode="rich")
        function = getattr(module, name)
        app.command(name, cls=getattr(function, "command_class", TyperCommand))(function)
    command = typer.main.get_command(app)
    command.name = name
    return command
