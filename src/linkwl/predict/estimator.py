"""Estimators in the style of scikit-learn: their parameters are the arguments of their constructor."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any, Self

from linkwl.errors import UnknownNameError

_LONGEST = 80
"""Longer settings are not shown."""


class Estimator:
    """The manners of scikit-learn; `sklearn.base.clone` and grid searches rely on them."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The arguments of the constructor."""
        return {name: getattr(self, name) for name in _parameters(type(self))}

    def set_params(self, **params: Any) -> Self:
        """Changes arguments, for the next :meth:`fit`."""
        for name, value in params.items():
            if name not in _parameters(type(self)):
                raise UnknownNameError("parameter", name, _parameters(type(self)))
            setattr(self, name, value)
        return self

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self)).parameters
        given = [
            f"{name}={_short(value)}" for name, value in self.get_params().items() if value != defaults[name].default
        ]
        return f"LinkPredictor({', '.join(given)})"


def _short(value: Any) -> str:
    """A value as Python shows it; settings of a whole model, as a loaded one has them, only as a hint."""
    text = repr(value)
    return "{...}" if isinstance(value, Mapping) and len(text) > _LONGEST else text


def _parameters(kind: type) -> list[str]:
    return list(inspect.signature(kind).parameters)
