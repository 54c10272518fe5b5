"""Tables as pandas data frames; pandas is not needed for anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from linkwl.errors import InputError


def to_frame(table: pa.Table | Mapping[str, Sequence[Any]]) -> Any:
    """An Arrow table, or columns by name, as a pandas data frame.

    Raises:
        InputError: If pandas is not installed.
    """
    try:
        import pandas  # noqa: F401, Arrow needs it
    except ImportError as error:
        raise InputError(
            "a data frame needs pandas, which is not installed; install it with `pip install pandas`."
        ) from error
    found = table if isinstance(table, pa.Table) else pa.table({name: list(values) for name, values in table.items()})
    return found.to_pandas()
