"""Small tables as HTML, for the output of a notebook cell.

They have the colours of the page around them, so they can be read on light and on dark pages, and contain no script.
"""

from __future__ import annotations

import html
from collections.abc import Collection, Iterable, Mapping, Sequence

from linkwl.printable import printable

_TABLE = "border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.3em 0"
_CELL = "padding:.15em .8em .15em 0;border:0;background:none;vertical-align:top;text-align:"
_HEAD = f"border-bottom:1px solid currentColor;font-weight:600;{_CELL}"


def escaped(value: object) -> str:
    """A value as HTML text; control characters are spelled out.

    Example:
        >>> escaped("<b>ann</b>")
        '&lt;b&gt;ann&lt;/b&gt;'
    """
    return html.escape(printable(str(value)))


def table_html(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    title: str = "",
    notes: Iterable[str] = (),
    numbers: Collection[str] = (),
) -> str:
    """A table with a row of column names.

    Args:
        columns: The names of the columns.
        rows: A value for each column; their texts are escaped.
        title: A line above the table.
        notes: Lines below the table.
        numbers: The columns that are aligned to the right.
    """
    sides = ["right" if name in numbers else "left" for name in columns]
    head = "".join(f'<th style="{_HEAD}{side}">{escaped(name)}</th>' for name, side in zip(columns, sides, strict=True))
    body = "".join(_row(row, sides) for row in rows)
    return _block(title, f'<table style="{_TABLE}"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>', notes)


def facts_html(title: str, facts: Mapping[str, object], notes: Iterable[str] = ()) -> str:
    """A table of names and values, with a title above it and notes below it."""
    rows = "".join(
        f'<tr style="background:none"><th style="{_CELL}left;font-weight:400;opacity:.7">{escaped(name)}</th>'
        f'<td style="{_CELL}left">{escaped(value)}</td></tr>'
        for name, value in facts.items()
    )
    return _block(title, f'<table style="{_TABLE}"><tbody>{rows}</tbody></table>', notes)


def text_html(text: str) -> str:
    """Lines of text, with their spaces."""
    style = "background:none;border:0;margin:.3em 0;white-space:pre-wrap;font-family:monospace"
    return f'<pre style="{style}">{escaped(text)}</pre>'


def _row(values: Sequence[object], sides: Sequence[str]) -> str:
    cells = "".join(
        f'<td style="{_CELL}{side}">{escaped(value)}</td>' for value, side in zip(values, sides, strict=True)
    )
    return f'<tr style="background:none">{cells}</tr>'


def _block(title: str, table: str, notes: Iterable[str]) -> str:
    above = f"<div><b>{escaped(title)}</b></div>" if title else ""
    below = "".join(f'<div style="opacity:.7;font-size:.9em">{escaped(note)}</div>' for note in notes)
    return f'<div style="line-height:1.4">{above}{table}{below}</div>'
