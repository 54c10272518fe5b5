"""Settings of models from ``--config FILE`` and ``--set key=value``."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import yaml

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.readers.text_source import check_file
from linkwl.models import MODELS, LinkModel, create_model


def create_models(names: str, config: Path | None, assignments: Sequence[str]) -> list[LinkModel]:
    """The models of a comma-separated list, with their settings.

    A setting named ``katz.beta`` (or ``beta`` in a table ``[katz]`` of the file) is for one model; a plain ``beta`` is
    for every listed model that has it. What ``--set`` says wins over the file.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not wanted:
        raise InputError(f"no model named; choose from {', '.join(MODELS)}.")
    for name in wanted:
        create_model(name)  # an unknown model is reported before its settings are
    settings: dict[str, dict[str, Any]] = {name: {} for name in wanted}
    entries = list(_read_config(config).items()) if config is not None else []
    for key, value in entries + [_parse_assignment(text) for text in assignments]:
        owner, _, setting = key.partition(".")
        if isinstance(value, dict) and key in MODELS:
            if key in wanted:  # a file may hold settings of other models too
                settings[key].update(value)
        elif owner in wanted and setting:
            settings[owner][setting] = value
        else:
            owners = [name for name in wanted if key in MODELS[name].Config.model_fields]
            if not owners and len(wanted) == 1:
                owners = wanted  # which says what it knows
            elif not owners:
                known = dict.fromkeys(field for name in wanted for field in MODELS[name].Config.model_fields)
                raise UnknownNameError(f"setting of {', '.join(wanted)}:", key, known)
            for name in owners:
                settings[name][key] = value
    return [create_model(name, **settings[name]) for name in wanted]


def _parse_assignment(text: str) -> tuple[str, str]:
    key, sign, value = text.partition("=")
    if not sign or not key.strip():
        raise InputError(f"--set {text!r} is not of the form key=value, as in --set beta=0.01.")
    return key.strip(), value.strip()


def _read_config(path: Path) -> dict[str, Any]:
    check_file(path)
    try:
        text = path.read_text(encoding="utf-8")
        values = yaml.safe_load(text) if path.suffix.lower() in (".yaml", ".yml") else tomllib.loads(text)
    except UnicodeDecodeError as error:
        raise InputError("this is not UTF-8 text.", path=path) from error
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"not valid TOML: {str(error)[0].lower()}{str(error)[1:]}.", path=path) from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        raise InputError(
            "not valid YAML; expected settings by name, as in `beta: 0.01`.",
            path=path,
            line=mark.line + 1 if mark else None,
        ) from error
    tables = [values, *values.values()] if isinstance(values, dict) else [values]
    if not isinstance(values, dict) or not all(isinstance(k, str) for t in tables if isinstance(t, dict) for k in t):
        raise InputError("expected settings by name, as in `beta = 0.01`.", path=path)
    return values
