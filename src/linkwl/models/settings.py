"""Settings in groups: ``encoder.channels`` is the setting ``channels`` of the group ``encoder``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, get_args

from pydantic import BaseModel

from linkwl.errors import InputError, UnknownNameError


def setting_names(config: type[BaseModel]) -> list[str]:
    """Every setting of a config; settings of a group are prefixed with the group's name and a dot."""
    return list(dict.fromkeys(_names(config)))


def has_setting(config: type[BaseModel], name: str) -> bool:
    """Whether ``name`` is a setting or a group of settings of a config."""
    return any(known == name or known.startswith(f"{name}.") for known in setting_names(config))


def check_settings(owner: str, config: type[BaseModel], settings: Mapping[str, Any]) -> None:
    """Raises InputError if a setting is unknown, or a group is given a plain value.

    Args:
        owner: The owner of the settings, for error messages.
        config: The known settings.
        settings: Values by name, groups as mappings.
    """
    known = setting_names(config)
    for name, value in _given(settings):
        if not known:
            raise InputError(f"{owner} has no settings, got {name!r}.")
        if name in known:
            continue
        members = [setting for setting in known if setting.startswith(f"{name}.")]
        if members and (value is None or isinstance(value, BaseModel | Mapping)):
            continue  # a whole group
        if members:
            raise InputError(
                f"{owner} setting {name!r} is a group of settings and takes no value, got {value!r}; "
                f"set one of them, as in {members[0]}."
            )
        raise UnknownNameError(f"{owner} setting", name, known)


def with_defaults(config: type[BaseModel], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings, completed with the defaults of the config.

    Otherwise a partly given group would use the group's own defaults, which the config may override.
    """
    return _completed(config(), settings)


def nested(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with dotted names as mappings of mappings; the later of two values wins."""
    tree: dict[str, Any] = {}
    for name, value in settings.items():
        *groups, last = name.split(".")
        place = tree
        for group in groups:
            if not isinstance(place.get(group), dict):
                place[group] = {}
            place = place[group]
        place[last] = value
    return tree


def flattened(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings in mappings of mappings by dotted names; empty mappings set nothing."""
    return {name: value for name, value in _given(settings) if value != {}}


def settings_toml(settings: Mapping[str, Any]) -> str:
    """Settings with groups as mappings in TOML, a line each.

    Example:
        >>> print(settings_toml({"channels": 32, "training": {"keep": "last"}}), end="")
        channels = 32
        training = { keep = "last" }
    """
    return "".join(f"{name} = {_toml(value)}\n" for name, value in settings.items())


def _toml(value: Any) -> str:
    if not isinstance(value, Mapping):
        return json.dumps(value)
    return f"{{ {', '.join(f'{name} = {_toml(inner)}' for name, inner in value.items())} }}" if value else "{}"


def _given(settings: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in settings.items():
        if isinstance(value, Mapping) and value:
            yield from _given(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value


def _completed(default: BaseModel, settings: Mapping[str, Any]) -> dict[str, Any]:
    values = {name: getattr(default, name) for name in type(default).model_fields}
    for name, value in settings.items():
        group = values.get(name)
        values[name] = value
        if isinstance(group, BaseModel) and isinstance(value, Mapping) and len(_groups(type(default), name)) == 1:
            values[name] = _completed(group, value)  # in a union of groups, it may differ from the default's group
    return values


def _names(config: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name in config.model_fields:
        groups = _groups(config, name)
        for group in groups:
            yield from _names(group, f"{prefix}{name}.")
        if not groups:
            yield f"{prefix}{name}"


def _groups(config: type[BaseModel], name: str) -> list[type[BaseModel]]:
    """The configs that the setting may hold: none for a plain setting, several for a union."""
    annotation = config.model_fields[name].annotation
    candidates = [annotation, *get_args(annotation)]
    return [kind for kind in candidates if isinstance(kind, type) and issubclass(kind, BaseModel)]
