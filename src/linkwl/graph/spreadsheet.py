"""Tables for spreadsheets: names that a program would run as formulas become plain text."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

_FORMULA = r"^([=+\-@\t\r\n])"


def spreadsheet_safe(table: pa.Table) -> pa.Table:
    """The table with an apostrophe before every text that begins with ``=``, ``+``, ``-``, ``@``, tab or line end.

    Excel and its relatives would calculate such a cell when they open a CSV file; after an apostrophe they show it.

    Example:
        >>> spreadsheet_safe(pa.table({"name": ["=1+1", "a=b"]}))["name"].to_pylist()
        ["'=1+1", 'a=b']
    """
    for place, field in enumerate(table.schema):
        if pa.types.is_string(field.type) or pa.types.is_large_string(field.type):
            cells = pc.replace_substring_regex(table.column(place), _FORMULA, r"'\1")
            table = table.set_column(place, field, cells)
    return table
