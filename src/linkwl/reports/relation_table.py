"""The relations between the tests and the paper's claims, for a terminal and for the documentation."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count
from typing import TypeAlias

from rich.markup import escape
from rich.table import Table

from linkwl.wl import TESTS, compare
from linkwl.wl.relations import CONTAINMENTS, SCOPES, Cell, Place, RelationTable, Row, Separation
from linkwl.wl.witnesses import GRAPHS, WITNESSES

RELATION_COLUMNS = ("A", "B", *SCOPES.values(), "paper", "verdict")
WITNESS_COLUMNS = ("", "links", "equal under", "different under")

Keys: TypeAlias = dict[tuple[Place, Place], str]
"""Names of two compared links in the tables: the id of the witness, or else a number."""


def relations_title(table: RelationTable) -> str:
    """The graphs and links behind the table."""
    return (
        f"{table.num_graphs:,} graphs with 2 to {table.max_nodes} nodes, {table.num_links:,} ordered non-adjacent "
        f"links, and {len(table.named)} larger witness graphs; engine `{table.engine}`"
    )


def relations_legend(table: RelationTable) -> str:
    """The legend of the table."""
    return (
        "A < B: B tells apart all that A does, and more. A ~ B: both tell apart the same. inc: each tells apart "
        "something that the other does not. In brackets the smallest links that show it, "
        f"or a named witness (†) where no graph with up to {table.max_nodes} nodes does."
    )


def containments_line(table: RelationTable) -> str:
    """Whether any proved containment is violated."""
    checked = f"{len(CONTAINMENTS)} proved containments checked"
    if not table.violations:
        return f"{checked}, none violated."
    broken = [f"{v.different} tells apart what {v.equal} does not, {links_text(v)}" for v in table.violations]
    return f"{checked}, {len(broken)} violated: {'; '.join(broken)}."


def links_text(separation: Separation) -> str:
    """Two links and their graphs."""
    graph, other = _graph_text(separation.first), _graph_text(separation.second)
    link, other_link = (f"({p}, {q})" for p, q in (separation.first.link, separation.second.link))
    return f"{graph} {link} v {other_link}" if graph == other else f"{graph} {link} v {other} {other_link}"


def relations_table(table: RelationTable) -> Table:
    """One row per pair of tests; agreement with the paper is green, disagreement is yellow and states the claim."""
    keys, view = _keys(table), _empty(RELATION_COLUMNS)
    for row in table.rows:
        cells = [f"[{_STYLES[_agrees(cell, row)]}]{_cell_text(cell, row, keys)}[/]" for cell in row.cells.values()]
        verdict = f"[{_STYLES[_agrees_everywhere(row)]}]{row.verdict}[/]"
        view.add_row(row.first, row.second, *cells, row.paper or "", verdict)
    return view


def witnesses_table(table: RelationTable) -> Table:
    """The smallest links behind every difference between two tests."""
    view = _empty(WITNESS_COLUMNS)
    for cells in _witness_rows(table):
        view.add_row(*map(escape, cells))
    return view


def relations_markdown(table: RelationTable) -> str:
    """The whole table for the documentation; disagreement with the paper is bold."""
    keys, relations = _keys(table), []
    for row in table.rows:
        cells = [_bold(_cell_text(cell, row, keys, quote="`"), _agrees(cell, row)) for cell in row.cells.values()]
        paper = f"`{row.paper}`" if row.paper else ""
        relations.append([row.first, row.second, *cells, paper, _bold(row.verdict, _agrees_everywhere(row))])
    legend = relations_legend(table).replace("A < B", "`A < B`").replace("A ~ B", "`A ~ B`").replace("inc:", "`inc`:")
    parts = [
        relations_title(table) + ".",
        _markdown(RELATION_COLUMNS, relations),
        legend,
        containments_line(table),
        _markdown(WITNESS_COLUMNS, _witness_rows(table)),
    ]
    return "\n\n".join(parts) + "\n"


def witness_list_markdown() -> str:
    """Every witness with the verdicts of all tests: ``=``, or the round that separates."""
    rows = []
    for witness in WITNESSES.values():
        (graph, (p, q)), (other, (r, s)) = witness.first, witness.second
        links = f"`{graph.name}` ({p}, {q}) v {'' if other is graph else f'`{other.name}` '}({r}, {s})"
        verdicts = compare(witness.first, witness.second).values()
        rows.append([witness.id, witness.title, links, *("=" if v.equal else str(v.round) for v in verdicts)])
    return _markdown(("", "what", "links", *TESTS), rows) + "\n"


_STYLES = {True: "green", False: "bold yellow", None: "cyan"}


def _agrees(cell: Cell, row: Row) -> bool | None:
    """Whether the paper states the same relation; None if it states none."""
    return None if row.paper is None else cell.relation == row.paper


def _agrees_everywhere(row: Row) -> bool | None:
    return None if row.paper is None else all(_agrees(cell, row) for cell in row.cells.values())


def _cell_text(cell: Cell, row: Row, keys: Keys, *, quote: str = "") -> str:
    contrast = f", not {quote}{row.paper}{quote}" if _agrees(cell, row) is False else ""
    shown = ", ".join(keys[found.first, found.second] for found in cell.separations)
    return f"{quote}{cell.relation}{quote}{contrast}{f' ({shown})' if shown else ''}"


def _separations(table: RelationTable) -> list[Separation]:
    return [found for row in table.rows for cell in row.cells.values() for found in cell.separations]


def _keys(table: RelationTable) -> Keys:
    keys: Keys = {}
    unnamed = count(1)
    for found in _separations(table):
        links = (found.first, found.second)
        if links not in keys:
            keys[links] = (found.witness or f"L{next(unnamed)}") + ("" if found.is_enumerated else "†")
    return keys


def _witness_rows(table: RelationTable) -> list[tuple[str, str, str, str]]:
    """Each two compared links once, with the tests under which they are equal and those under which they differ."""
    links = {(found.first, found.second): found for found in _separations(table)}
    rows = []
    for places, key in _keys(table).items():
        found = links[places]
        different = ", ".join(test for test in TESTS if test not in found.alike)
        rows.append((key, links_text(found), ", ".join(found.alike), different))
    return sorted(rows, key=lambda row: row[0].rstrip("†"))


def _graph_text(place: Place) -> str:
    """The name of a named graph, or else the edges."""
    if place.graph in GRAPHS or place.edges is None:
        return place.graph
    return f"{place.num_nodes} nodes with {' '.join(f'{p}-{q}' for p, q in place.edges)},"


def _empty(columns: Iterable[str]) -> Table:
    view = Table(box=None, header_style="bold")
    for name in columns:
        view.add_column(name, overflow="fold", no_wrap=len(name) == 1)  # A and B are names of tests
    return view


def _bold(text: str, agrees: bool | None) -> str:
    return f"**{text}**" if agrees is False else text


def _markdown(columns: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    columns = list(columns)
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (columns, ["---"] * len(columns), *rows))
