"""Which settings mattered in a study."""

from __future__ import annotations

import warnings

from linkwl.models.space import Space
from linkwl.tuning.sampler import frozen_trials, load_optuna
from linkwl.tuning.study import Study

_ENOUGH = 8
_BEST = 0.25


def importance_of_settings(study: Study, space: Space) -> dict[str, float]:
    """The share of each setting in what sets the best quarter of the trials apart, the largest first.

    It asks how much the values of a setting in the best quarter differ from those in all trials; settings that
    do not matter have the same distribution in both. Only whole trials whose settings all lie in the space count.

    Args:
        study: The trials.
        space: The settings that vary.

    Returns:
        Shares that add up to one; empty if there are fewer than eight such trials, or all are equally good.

    Reference: Watanabe et al., PED-ANOVA: efficiently quantifying hyperparameter importance in arbitrary subspaces,
    IJCAI 2023.
    """
    optuna = load_optuna()
    done = [trial for trial in study.trials if trial.values]
    trials = [trial for trial in frozen_trials(space, study.defaults, done) if len(trial.params) == len(space)]
    if len(trials) < _ENOUGH or len({trial.value for trial in trials}) == 1:
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        found = optuna.create_study(direction="maximize")
        found.add_trials(trials)
        measure = optuna.importance.PedAnovaImportanceEvaluator(target_quantile=_BEST)
        shares = optuna.importance.get_param_importances(found, evaluator=measure)
    return {name: float(share) for name, share in sorted(shares.items(), key=lambda row: (-row[1], row[0]))}
