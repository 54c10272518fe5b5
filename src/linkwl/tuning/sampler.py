"""Chooses the settings of the next trials, by Optuna's samplers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from linkwl.errors import InputError
from linkwl.models.settings import flattened, nested
from linkwl.models.space import Choice, LogUniform, Space, Uniform
from linkwl.tuning.study import SamplerName, Trial

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

_STARTUP = 6  # trials before the estimator takes over from uniform draws
_DIGITS = 3  # of a number that is drawn


def load_optuna() -> Any:
    """Optuna, without its messages.

    Raises:
        InputError: If it is not installed.
    """
    try:
        import optuna
    except ImportError as error:
        raise InputError("tuning needs Optuna; install it with `pip install 'linkwl[tune]'`.") from error
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna


def wave_settings(
    space: Space,
    defaults: Mapping[str, Any],
    done: Sequence[Trial],
    count: int,
    *,
    seed: int,
    wave: int,
    sampler: SamplerName = "tpe",
) -> list[dict[str, Any]]:
    """Settings that promise more than those that were tried; they depend on the arguments alone.

    The first settings of a wave do not depend on how many are drawn. Trials that failed or took too long count as the
    worst, so that such settings are avoided; trials that ended early for low values come after all that did not.

    Args:
        space: What to vary.
        defaults: The default settings, with groups as mappings.
        done: All trials of earlier waves.
        count: The number of settings to draw.
        seed: The seed of the study.
        wave: The number of the wave.
        sampler: How to draw.

    Returns:
        Settings by name, with groups as mappings.

    Raises:
        InputError: If Optuna is not installed.
    """
    optuna = load_optuna()
    number = 1000 * seed + wave
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        if sampler == "random":
            drawing = optuna.samplers.RandomSampler(seed=number)
        else:
            # Settings that were drawn for the same wave count as poor ones, so that the next ones differ from them.
            drawing = optuna.samplers.TPESampler(seed=number, n_startup_trials=_STARTUP, constant_liar=True)
    study = optuna.create_study(direction="maximize", sampler=drawing)
    study.add_trials(frozen_trials(space, defaults, done))
    asked = [study.ask(distributions(space)).params for _ in range(count)]
    return [nested({name: _value(values, params[name]) for name, values in space.items()}) for params in asked]


def next_settings(space: Space, defaults: Mapping[str, Any], done: Sequence[Trial], seed: int) -> dict[str, Any]:
    """The settings of the next trial, if trials come one after the other; see :func:`wave_settings`."""
    return wave_settings(space, defaults, done, 1, seed=seed, wave=len(done))[0]


def frozen_trials(space: Space, defaults: Mapping[str, Any], done: Sequence[Trial]) -> list[FrozenTrial]:
    """Trials in Optuna's terms; settings outside the space are left out."""
    optuna = load_optuna()
    worst = min((trial.value for trial in done if trial.value is not None), default=0.0)
    ranges, found = distributions(space), []
    for trial in done:
        params = _params(space, dict(flattened(defaults)) | flattened(trial.settings))
        result: dict[str, Any] = {"value": worst if trial.value is None else trial.value}
        if trial.partial:
            reports = {step: sum(trial.partial[:step]) / step for step in range(1, len(trial.partial) + 1)}
            result = {"state": optuna.trial.TrialState.PRUNED, "intermediate_values": reports}
        inside = {name: ranges[name] for name in params}
        found.append(optuna.trial.create_trial(params=params, distributions=inside, **result))
    return found


def distributions(space: Space) -> dict[str, BaseDistribution]:
    """The space in Optuna's terms."""
    from optuna.distributions import CategoricalDistribution, FloatDistribution

    def one(values: Choice | Uniform) -> BaseDistribution:
        if isinstance(values, Choice):
            return CategoricalDistribution(tuple(range(len(values.values))))  # by place: Optuna takes few types
        return FloatDistribution(values.low, values.high, log=isinstance(values, LogUniform))

    return {name: one(values) for name, values in space.items()}


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
