"""Tables as pandas data frames; pandas is not needed for anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkwl.errors import InputError

if TYPE_CHECKING:
    import pyarrow as pa


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
    if isinstance(table, Mapping):
        import pyarrow as pa  # takes a while, and records are also read where no frame is made

        table = pa.table({name: list(values) for name, values in table.items()})
    return table.to_pandas()
