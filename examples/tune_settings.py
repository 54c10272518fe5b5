"""Better settings for one model on one graph: ``python examples/tune_settings.py [MODEL] [TRIALS]``."""

import sys

import linkwl
from linkwl.tuning import Budget, tune


def main(model: str = "mf", trials: str = "6") -> None:
    """Tries settings on links hidden inside the training links, then measures the best on the test links."""
    graph = linkwl.load_dataset("airports")
    study = tune(graph, model, budget=Budget(trials=int(trials), cpu_minutes=2.0))
    for trial in study.trials:
        print(f"{trial.origin:8} {100 * trial.value:.2f} %  {trial.settings}")
    for name, settings in (("default", {}), ("tuned", study.best.settings)):
        predictor = linkwl.LinkPredictor(model, settings=settings).fit(graph)
        print(f"{name:8} AUC on the test routes: {100 * predictor.record_.test['auc']:.2f} %")


if __name__ == "__main__":
    main(*sys.argv[1:])
