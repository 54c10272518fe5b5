"""Every model by its name."""

from __future__ import annotations

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

MODELS: dict[str, type[LinkModel]] = {
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


def create_model(name: str, /, **settings: object) -> LinkModel:
    """The model of that name, with settings other than the published ones.

    Args:
        name: A key of :data:`MODELS`.
        settings: Values of the model's config, or texts to be read as such.

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
    known = model.Config.model_fields
    for setting in settings:
        if not known:
            raise InputError(f"{name} has no settings, got {setting!r}.")
        if setting not in known:
            raise UnknownNameError(f"{name} setting", setting, known)
    try:
        return model(model.Config(**settings))
    except ValidationError as error:
        raise InputError(_sentence(name, error)) from None


def _sentence(name: str, error: ValidationError) -> str:
    """The first of pydantic's findings: the setting, what was expected and what came."""
    first = error.errors()[0]
    setting = ".".join(map(str, first["loc"]))
    # pydantic words nearly all of them "Input should be <what>, <why it is not>".
    expected = first["msg"].split(",")[0].replace("Input should", "must")
    return f"{name} setting {setting!r} {expected}, got {first['input']!r}."
