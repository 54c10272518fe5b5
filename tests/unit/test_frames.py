import sys

import pyarrow as pa
import pytest

from linkwl import InputError
from linkwl.frames import to_frame


def test_tables_and_columns_become_the_same_frame():
    columns = {"name": ["ann", "bob"], "value": [1.5, 2.0]}
    for table in (columns, pa.table(columns)):
        frame = to_frame(table)
        assert list(frame.columns) == ["name", "value"]
        assert frame.to_dict("list") == columns


def test_without_pandas_it_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(InputError, match="pip install pandas"):
        to_frame({"a": [1]})
