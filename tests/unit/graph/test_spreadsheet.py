from __future__ import annotations

import pyarrow as pa

from linkwl.graph.spreadsheet import spreadsheet_safe


def test_only_what_a_spreadsheet_would_calculate_is_changed():
    names = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "a=b", "'=1", "", None, "1-2", "plain"]
    table = pa.table({"source": names, "score": [-1.0] * len(names), "rank": range(len(names))})
    safe = spreadsheet_safe(table)
    assert safe["source"].to_pylist() == [
        *("'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'\r=1", "'\n=1"),
        *("a=b", "'=1", "", None, "1-2", "plain"),
    ]
    assert safe["score"].to_pylist() == table["score"].to_pylist()
    assert safe.schema == table.schema
