"""Chooses the settings of the next trial, by Optuna's tree-structured Parzen estimator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkwl.errors import InputError
from linkwl.models.settings import flattened, nested
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.tuning.study import Trial

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

_STARTUP = 6  # trials before the estimator takes over from uniform draws
_DIGITS = 3  # of a number that is drawn


def next_settings(space: Space, defaults: Mapping[str, Any], done: Sequence[Trial], seed: int) -> dict[str, Any]:
    """Settings that promise more than those that were tried; they depend on the trials and the seed alone.

    Trials that did not end count as the worst, so that what takes too long is avoided.

    Args:
        space: What to vary.
        defaults: The default settings, with groups as mappings.
        done: All earlier trials.
        seed: The seed of the study.

    Returns:
        Settings by name, with groups as mappings.

    Raises:
        InputError: If Optuna is not installed.
    """
    try:
        import optuna
    except ImportError as error:
        raise InputError("tuning needs Optuna; install it with `pip install 'linkwl[tune]'`.") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    sampler = optuna.samplers.TPESampler(seed=1000 * seed + len(done), n_startup_trials=_STARTUP)
    study = optuna.create_study(direction="maximize", sampler=sampler)
    distributions = {name: _distribution(values) for name, values in space.items()}
    worst = min((trial.value for trial in done if trial.value is not None), default=0.0)
    for trial in done:
        params = _params(space, dict(flattened(defaults)) | flattened(trial.settings))
        study.add_trial(
            optuna.trial.create_trial(
                value=worst if trial.value is None else trial.value,
                params=params,
                distributions={name: distributions[name] for name in params},
            )
        )
    asked = study.ask(distributions).params
    return nested({name: _value(values, asked[name]) for name, values in space.items()})


def _distribution(values: Choice | Uniform) -> BaseDistribution:
    from optuna.distributions import CategoricalDistribution, FloatDistribution

    if isinstance(values, Choice):
        return CategoricalDistribution(tuple(range(len(values.values))))  # by place: Optuna takes few types
    return FloatDistribution(values.low, values.high, log=isinstance(values, LogUniform))


def _params(space: Space, settings: Mapping[str, Any]) -> dict[str, Any]:
    """The settings in Optuna's terms, without those outside the space."""
    params: dict[str, Any] = {}
    for name, values in space.items():
        setting = settings.get(name)
        if isinstance(values, Choice):
            if setting in values.values:
                params[name] = values.values.index(setting)
        elif isinstance(setting, int | float) and values.low <= setting <= values.high:
            params[name] = float(setting)
    return params


def _value(values: Choice | Uniform, param: Any) -> Any:
    if isinstance(values, Choice):
        return values.values[param]
    return min(max(float(f"{param:.{_DIGITS}g}"), values.low), values.high)
