"""Every model by its name."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeGuard

from pydantic import ValidationError

from linkwl.errors import InputError, UnknownNameError
from linkwl.models.base import LinkModel
from linkwl.models.heuristics import (
    AdamicAdar,
    CommonNeighbours,
    Jaccard,
    Katz,
    PersonalisedPageRank,
    PreferentialAttachment,
    ResourceAllocation,
    SimRank,
)
from linkwl.models.settings import check_settings, setting_names, with_defaults

if TYPE_CHECKING:
    from linkwl.models.learned import LearnedModel

HEURISTICS: dict[str, type[LinkModel]] = {
    model.id: model
    for model in (
        CommonNeighbours,
        AdamicAdar,
        ResourceAllocation,
        PreferentialAttachment,
        Jaccard,
        Katz,
        PersonalisedPageRank,
        SimRank,
    )
}
"""Models with nothing to train, by name."""

ENTRIES: dict[str, type[LinkModel] | str] = {
    **HEURISTICS,
    "2wl": "linkwl.models.two_wl:TwoWL",
    "local-2wl": "linkwl.models.local_two_wl:LocalTwoWL",
    "2fwl": "linkwl.models.two_fwl:TwoFWL",
    "local-2fwl": "linkwl.models.local_two_fwl:LocalTwoFWL",
    "walk-2fwl": "linkwl.models.walk_two_fwl:WalkTwoFWL",
}
"""Each model's class, or the module and name where it is found: learned models import torch, which takes a second."""


class _Models(Mapping[str, type[LinkModel]]):
    """The models by name; a class is imported when it is asked for."""

    def __getitem__(self, name: str) -> type[LinkModel]:
        entry = ENTRIES[name]
        if isinstance(entry, str):
            module, _, class_name = entry.partition(":")
            model: type[LinkModel] = getattr(import_module(module), class_name)
            return model
        return entry

    def __contains__(self, name: object) -> bool:
        return name in ENTRIES

    def __iter__(self) -> Iterator[str]:
        return iter(ENTRIES)

    def __len__(self) -> int:
        return len(ENTRIES)


MODELS: Mapping[str, type[LinkModel]] = _Models()
"""Every model by name."""

RECOMMENDED = "walk-2fwl"
"""The one to take where nobody names one."""


def create_model(name: str, /, **settings: Any) -> LinkModel:
    """The model of that name, with settings other than the defaults.

    Args:
        name: A key of :data:`MODELS`.
        settings: Values of the model's config, or texts to be read as such; a mapping for a group of settings, of
            which those left out keep their values.

    Raises:
        UnknownNameError: If there is no such model or no such setting.
        InputError: If a setting has a value it cannot have.

    Example:
        >>> create_model("katz", beta="0.01")
        Katz(beta=0.01)
    """
    if name not in MODELS:
        raise UnknownNameError("model", name, MODELS)
    model = MODELS[name]
    check_settings(name, model.Config, settings)
    try:
        return model(model.Config.model_validate(with_defaults(model.Config, settings)))
    except ValidationError as error:
        raise InputError(_sentence(name, setting_names(model.Config), error)) from None


def is_learned(model: LinkModel) -> TypeGuard[LearnedModel]:
    """Whether the model has weights to train; torch is not imported to find out that a heuristic has none."""
    learned = sys.modules.get("linkwl.models.learned")
    return learned is not None and isinstance(model, learned.LearnedModel)


def _sentence(name: str, known: Sequence[str], error: ValidationError) -> str:
    """The first of pydantic's findings: the setting, what was expected and what came."""
    first = error.errors()[0]
    # Where there is a choice of types, which of them was tried stands behind the setting.
    places = [".".join(map(str, first["loc"][:count])) for count in range(len(first["loc"]), 0, -1)]
    setting = next((place for place in places if place in known), places[0] if places else None)
    # pydantic words nearly all of them "Input should be <what>, <why it is not>"; choices have commas of their own.
    what = first["msg"] if first["type"] == "literal_error" else first["msg"].split(",")[0]
    expected = what.replace("Input should", "must")
    got = "" if isinstance(first["input"], Mapping) else f", got {first['input']!r}"  # a whole group says too much
    subject = f"{name} setting {setting!r}" if setting is not None else f"{name}:"  # else it is about several of them
    return f"{subject} {expected}{got}."
