"""Settings that come with the package, by model and dataset."""

from __future__ import annotations

import tomllib
from functools import cache
from importlib import resources
from typing import Any, Literal, TypeAlias

SettingsKind: TypeAlias = Literal["tuned", "paper", "default"]


def bundled_settings(model: str, dataset: str, kind: SettingsKind = "tuned") -> dict[str, Any]:
    """The settings of a model for a graph, with groups as mappings; empty if there are none.

    ``tuned`` settings were chosen on validation targets of the dataset; ``paper`` settings were published with the
    paper, as far as our networks have them; ``default`` settings are empty. They are in ``configs/<model>.toml``: lists
    of entries, each valid for the datasets that it names.

    Example:
        >>> bundled_settings("local-2wl", "usair", "paper")["pairs"]
        {'channels': 64, 'rounds': 2, 'dropout': 0.0}
    """
    settings: dict[str, Any] = {}
    for entry in _entries(model).get(kind, []):
        if dataset in entry["datasets"]:
            for name, value in entry.items():
                settings[name] = settings.get(name, {}) | value if isinstance(value, dict) else value
    return {name: value for name, value in settings.items() if name != "datasets"}


def has_bundled_settings(model: str, dataset: str, kind: SettingsKind) -> bool:
    """Whether there are settings of this kind; tuned ones may equal the defaults and be empty."""
    return any(dataset in entry["datasets"] for entry in _entries(model).get(kind, []))


@cache
def _entries(model: str) -> dict[str, list[dict[str, Any]]]:
    """The entries of a model by kind."""
    file = resources.files("linkwl") / "configs" / f"{model}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
