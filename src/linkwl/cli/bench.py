"""``linkwl bench``: the paper's tables, by one command each; they are listed without importing them."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

TABLES: dict[str, str] = {
    "table1": "Table 1: networks without features. AUC.",
    "table2": "Table 2: citation networks. AUC.",
    "hits": "Citation networks, 70/10/20. Hits@100.",
    "heart": "Citation networks, hard negatives. MRR.",
    "table3": "Table 3: inductive graphs of triples. ACC, AUC, relation Hits@3.",
    "entities-50": "Entities among 50 random ones. MRR, Hits@1, Hits@10.",
    "entities-roles": "Entities among those with the same role. MRR, Hits@1, Hits@10.",
    "entities": "Entities among all. MRR, Hits@1, Hits@10.",
    "time": "Time the scoring of the test targets of the citation networks, and compare with PyG's graph autoencoder.",
}
"""What the list of commands says of each table; a test compares it with the tables themselves."""


class TableGroup(TyperGroup):
    """A group that lists its commands without importing the tables."""

    def list_commands(self, ctx: Any) -> list[str]:
        """The names of the tables."""
        return list(TABLES)

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | None:
        """A command that has only its summary; :meth:`resolve_command` finds the one to run."""
        return TyperCommand(cmd_name, help=TABLES[cmd_name]) if cmd_name in TABLES else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command to run, and its arguments."""
        name, command, rest = super().resolve_command(ctx, args)
        if name is None:
            return name, command, rest
        from linkwl.cli.bench_tables import app as tables

        group: Any = typer.main.get_command(tables)
        return name, group.commands[name], rest


app = typer.Typer(
    cls=TableGroup,
    help="""Measure the networks as the paper did, and compare the results with the printed numbers.

    Every run writes a record, and tables are drawn from records: an interrupted
    command continues where it stopped, and --draw-only draws without running.""",
    epilog="Examples:  linkwl bench table1 --jobs 2  |  linkwl bench table3 --models walk-2fwl --seeds 3",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
)


@app.callback()
def options() -> None:
    """The options of all tables: none."""
