"""Every model by its name: one row each, and the one place to add another."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeGuard

from pydantic import ValidationError

from linkwl.errors import InputError, UnknownNameError
from linkwl.models.base import LinkModel, Needs
from linkwl.models.settings import check_settings, setting_names, with_defaults
from linkwl.typing import Task

if TYPE_CHECKING:
    from linkwl.models.learned import LearnedModel

Family: TypeAlias = Literal["heuristic", "network", "own", "baseline"]
"""Closed formulas; the four networks of the paper; models of our own; other published systems."""


@dataclass(frozen=True)
class ModelRow:
    """What is known of a model before its file is imported."""

    id: str
    """The name on the command line."""
    title: str
    """The name in a table."""
    path: str
    """Where the class is, as ``package.module:Class``."""
    family: Family
    task: Task = "pairs"
    needs: Needs = Needs()
    published: str = ""
    """The row of the paper's tables that it stands beside; empty if there is none."""


_DIRECTED = Needs(directed=True)
_HEURISTICS = "linkwl.models.heuristics"

ROWS: dict[str, ModelRow] = {
    row.id: row
    for row in (
        ModelRow("cn", "Common neighbours", f"{_HEURISTICS}:CommonNeighbours", "heuristic"),
        ModelRow("aa", "Adamic-Adar", f"{_HEURISTICS}:AdamicAdar", "heuristic"),
        ModelRow("ra", "Resource allocation", f"{_HEURISTICS}:ResourceAllocation", "heuristic"),
        ModelRow("pa", "Preferential attachment", f"{_HEURISTICS}:PreferentialAttachment", "heuristic"),
        ModelRow("jaccard", "Jaccard", f"{_HEURISTICS}:Jaccard", "heuristic"),
        ModelRow("katz", "Katz", f"{_HEURISTICS}:Katz", "heuristic"),
        ModelRow("ppr", "Personalised PageRank", f"{_HEURISTICS}:PersonalisedPageRank", "heuristic"),
        ModelRow("simrank", "SimRank", f"{_HEURISTICS}:SimRank", "heuristic"),
        ModelRow("2wl", "2-WL", "linkwl.models.two_wl:TwoWL", "network", needs=_DIRECTED, published="2-WL"),
        ModelRow(
            "local-2wl",
            "local 2-WL",
            "linkwl.models.local_two_wl:LocalTwoWL",
            "network",
            needs=_DIRECTED,
            published="2-WL_L",
        ),
        ModelRow("2fwl", "2-FWL", "linkwl.models.two_fwl:TwoFWL", "network", needs=_DIRECTED, published="2-FWL"),
        ModelRow(
            "local-2fwl",
            "local 2-FWL",
            "linkwl.models.local_two_fwl:LocalTwoFWL",
            "network",
            needs=_DIRECTED,
            published="2-FWL_L",
        ),
        ModelRow("walk-2fwl", "walk 2-FWL", "linkwl.models.walk_two_fwl:WalkTwoFWL", "own"),
    )
}
"""The registry, in the order of lists and tables."""


def find_rows(*families: Family, task: Task | None = None) -> list[ModelRow]:
    """The rows of some families, or of all; of one task, or of both."""
    rows = (row for row in ROWS.values() if not families or row.family in families)
    return [row for row in rows if task is None or row.task == task]


def model_ids(*families: Family, task: Task | None = None) -> list[str]:
    """The names of :func:`find_rows`."""
    return [row.id for row in find_rows(*families, task=task)]


class _Models(Mapping[str, type[LinkModel]]):
    """The models by name; a class is imported when it is asked for, because torch takes a second."""

    def __getitem__(self, name: str) -> type[LinkModel]:
        module, _, class_name = ROWS[name].path.partition(":")
        model: type[LinkModel] = getattr(import_module(module), class_name)
        return model

    def __contains__(self, name: object) -> bool:
        return name in ROWS

    def __iter__(self) -> Iterator[str]:
        return iter(ROWS)

    def __len__(self) -> int:
        return len(ROWS)


MODELS: Mapping[str, type[LinkModel]] = _Models()
"""Every model's class by name."""

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
