"""The options ``--config FILE`` and ``--set key=value``; :mod:`linkwl.cli.settings` reads them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

ConfigOption = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Settings of the models, TOML or YAML; or `tuned` or `paper`, for the bundled settings.",
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="One setting, as in training.learning_rate=0.01; may be repeated."),
]
