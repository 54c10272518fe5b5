"""Names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any


def lazy_names(package: str, modules: Mapping[str, Iterable[str]]) -> Callable[[str], Any]:
    """The function ``__getattr__`` of a package that imports its names, and its modules, when they are first used.

    Args:
        package: The name of the package.
        modules: The names that it exports, by the module that defines them.

    Example:
        >>> find = lazy_names("linkwl.models", {"linkwl.models.registry": ["find_row"]})
        >>> find("find_row")("cn").title
        'Common neighbours'
    """
    homes = {name: module for module, names in modules.items() for name in names}

    def find(name: str) -> Any:
        if name in homes:
            value = getattr(import_module(homes[name]), name)
            setattr(sys.modules[package], name, value)  # later uses do not come here
            return value
        if not name.startswith("_") and find_spec(f"{package}.{name}") is not None:
            return import_module(f"{package}.{name}")
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return find
