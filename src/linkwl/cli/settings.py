"""Settings of models from ``--config FILE`` and ``--set key=value``; see :mod:`linkwl.cli.setting_options`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from linkwl.errors import InputError, UnknownNameError
from linkwl.graph.readers.text_source import check_file
from linkwl.models import MODELS, LinkModel, ModelConfig, create_model
from linkwl.models.bundled import SettingsKind, bundled_settings, has_bundled_settings
from linkwl.models.registry import ROWS, find_row
from linkwl.models.settings import flattened, has_setting, nested, setting_names
from linkwl.typing import Task

BUNDLED: tuple[SettingsKind, ...] = ("tuned", "paper")
"""Kinds of settings that come with the package."""


def create_models(
    names: str, config: Path | None, assignments: Sequence[str], *, dataset: str = "", task: Task | None = None
) -> list[LinkModel]:
    """The models of a comma-separated list, with their settings.

    A setting named ``katz.beta`` (or ``beta`` in a table ``[katz]`` of the file) is for one model; a plain ``beta`` is
    for every listed model that has it. A setting in a group contains a dot, ``encoder.channels``, or for one model
    ``local-2fwl.encoder.channels``. ``--set`` overrides the file.

    Args:
        names: Names of models.
        config: A file, or one of :data:`BUNDLED`.
        assignments: Strings ``key=value``.
        dataset: The graph's name in the catalogue, to find bundled settings.
        task: The kind of query, for names that stand for two models.
    """
    wanted = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not wanted:
        raise InputError(f"no model named; choose from {', '.join(MODELS)}.")
    configs = {name: find_row(name).load_class(task).Config for name in wanted}
    settings: dict[str, dict[str, Any]] = {name: {} for name in wanted}
    for key, value in _entries(wanted, config, dataset):
        owner, dot, _ = key.partition(".")
        if owner in wanted or owner not in MODELS or not dot:  # a file may contain settings of other models
            _assign(settings, configs, key, value)
    for text in assignments:
        _assign(settings, configs, *_parse_assignment(text))
    return [create_model(name, task, **nested(settings[name])) for name in wanted]


def _assign(
    settings: dict[str, dict[str, Any]], configs: Mapping[str, type[ModelConfig]], key: str, value: Any
) -> None:
    """Assigns a setting to its model, or to every model that has it."""
    wanted = list(settings)
    owner, _, setting = key.partition(".")
    if owner in wanted and setting:
        settings[owner][setting] = value
        return
    owners = [name for name in wanted if has_setting(configs[name], key)]
    if not owners and len(wanted) == 1:
        owners = wanted  # the model's own error lists its settings
    elif not owners:
        known = dict.fromkeys(name for model in wanted for name in setting_names(configs[model]))
        raise UnknownNameError(f"setting of {', '.join(wanted)}:", key, known)
    for name in owners:
        settings[name][key] = value


def _entries(wanted: Sequence[str], config: Path | None, dataset: str) -> Iterator[tuple[str, Any]]:
    """The settings of ``--config``, by dotted names."""
    if config is None:
        return
    kind = next((word for word in BUNDLED if str(config) == word), None)
    if kind is None:
        yield from flattened(_read_config(config)).items()
        return
    for name in wanted:
        if ROWS[name].family == "heuristic":
            continue  # its defaults are the published settings
        if not has_bundled_settings(name, dataset, kind):
            raise InputError(
                f"--config {kind}: the package has no such settings of {name} for {dataset}; "
                "omit --config to use the defaults, or name a file."
            )
        for key, value in flattened(bundled_settings(name, dataset, kind)).items():
            yield f"{name}.{key}", value


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
    except (RecursionError, ValueError) as error:
        raise InputError("it is nested too deeply, or has a number with thousands of digits.", path=path) from error
    if not _is_named(values):
        raise InputError("expected settings by name, as in `beta = 0.01`.", path=path)
    return values


def _is_named(values: object) -> bool:
    """Whether the values, including nested tables, are keyed by name."""
    return isinstance(values, dict) and all(
        isinstance(key, str) and (not isinstance(value, dict) or _is_named(value)) for key, value in values.items()
    )
