"""Kernels: functions that Numba compiles once per machine."""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import FunctionCache

from linkwl.files import exclusive


class _SharedCache(FunctionCache):
    """A folder of compiled code that several processes may use.

    Numba reads its index, chooses the next free file name, and writes both. Two processes that do so at the same time
    choose one name for two kernels, and the code of the second later runs in place of the first.
    """

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if not Path(self.cache_path).is_dir():
            return None
        with exclusive(Path(self.cache_path)):
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]

    def save_overload(self, sig: Any, data: Any) -> None:
        self._impl.locator.ensure_cache_path()
        with exclusive(Path(self.cache_path)):
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]


def kernel(function: Callable[..., Any] | None = None, *, fastmath: Collection[str] = ()) -> Any:
    """Compiles a function on its first call, without the interpreter's lock, and keeps the code for later processes.

    Where no folder can be written to, every process compiles for itself.

    Args:
        function: The function.
        fastmath: The rules of arithmetic that the compiler may bend, by LLVM's names.
    """

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher: Any = numba.njit(nogil=True, fastmath=set(fastmath))(function)
        with suppress(RuntimeError):  # Numba has found no such folder
            dispatcher._cache = _SharedCache(function)  # type: ignore[no-untyped-call]
        return dispatcher

    return compiled if function is None else compiled(function)
