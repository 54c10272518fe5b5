"""Settings that come with the package, by model and dataset."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any, Literal, TypeAlias

SettingsKind: TypeAlias = Literal["tuned", "paper", "default"]


def bundled_settings(model: str, dataset: str, kind: SettingsKind = "tuned") -> dict[str, Any]:
    """The settings of a model for a dataset of the catalogue, groups as mappings; empty if there are none.

    ``tuned`` were chosen on validation targets of the dataset, see :mod:`linkwl.benchmark.selection`; ``paper`` are
    those that were published with the paper, as far as our networks have them; ``default`` are none.

    Example:
        >>> bundled_settings("local-2wl", "usair", "paper")["pairs"]
        {'channels': 64, 'rounds': 2, 'dropout': 0.0}
    """
    if kind == "default":
        return {}
    file = resources.files("linkwl") / "configs" / kind / model / f"{dataset}.toml"
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
