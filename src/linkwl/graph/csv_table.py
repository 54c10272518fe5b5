"""Tables as CSV, with quotes only around texts that need them."""

from __future__ import annotations

from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc

_NEEDS_QUOTES = r"""[",;\t\r\n]|^[#%]|^\s|\s$|^$"""
"""A separator, a quote, the end of a line; the beginning of a comment; blanks at an end, which readers remove."""
_ROWS = 1 << 16
_COMMA, _QUOTE, _NOTHING = (pa.scalar(text, pa.large_string()) for text in (",", '"', ""))


def write_csv(table: pa.Table, stream: BinaryIO, *, header: bool = True) -> None:
    """Writes a table as CSV.

    Arrow's own writer puts quotes around every text, or refuses texts that need them.

    Args:
        table: Columns of numbers and of texts.
        stream: An open binary stream.
        header: Whether the first line has the names of the columns.

    Example:
        >>> from io import BytesIO
        >>> stream = BytesIO()
        >>> write_csv(pa.table({"name": ["ann", "a, b"], "rank": [1, 2]}), stream)
        >>> print(stream.getvalue().decode(), end="")
        name,rank
        ann,1
        "a, b",2
    """
    if header:
        names = _cells(pa.array(table.column_names, type=pa.string())).to_pylist()
        stream.write(f"{','.join(names)}\n".encode())
    for batch in table.to_batches(max_chunksize=_ROWS):
        cells = [_cells(column) for column in batch.columns]
        lines = pc.binary_join_element_wise(*cells, _COMMA, null_handling="replace", null_replacement="")
        stream.write("".join(f"{line}\n" for line in lines.to_pylist()).encode())


def _cells(column: pa.Array) -> pa.Array:
    """The values as they are written."""
    is_text = pa.types.is_string(column.type) or pa.types.is_large_string(column.type)
    cells = column.cast(pa.large_string())
    if not is_text:
        return cells
    doubled = pc.replace_substring(cells, '"', '""')
    quoted = pc.binary_join_element_wise(_QUOTE, doubled, _QUOTE, _NOTHING)
    return pc.if_else(pc.match_substring_regex(cells, _NEEDS_QUOTES), quoted, cells)
