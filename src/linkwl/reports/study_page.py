"""A web page about a study: its history, the settings that mattered, and the best of them on fresh splits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from linkwl.files import write_text
from linkwl.metrics import find_metric
from linkwl.models.space import Space
from linkwl.reports.pages import render_page
from linkwl.reports.report_figures import image
from linkwl.reports.study_figures import draw_history, draw_importance, draw_slices
from linkwl.reports.study_table import confirmation_text, ranked_trials, settings_text
from linkwl.tuning import Study


def write_study_page(study: Study, space: Space, importance: Mapping[str, float], path: Path) -> None:
    """Writes a self-contained page.

    Args:
        study: The trials, at least one.
        space: The settings that vary.
        importance: The share of each setting, the largest first; empty if there are too few trials.
        path: The file to write.

    Raises:
        OutputError: If it cannot be written.
    """
    metric = find_metric(study.metric)
    slices = draw_slices(study, metric.title, list(importance) or list(space), space)
    figures = {"history": draw_history(study, metric.title)}
    figures |= {"importance": draw_importance(importance)} if importance else {}
    values = {
        "title": f"Settings of {study.model} on {study.graph.name}",
        "study": study,
        "search": asdict(study.search) | {"trials": study.budget.trials, "CPU minutes": study.budget.cpu_minutes},
        "metric": metric,
        "best": study.best,
        "default": study.default,
        "counts": {
            "pruned": sum(bool(trial.partial) for trial in study.trials),
            "failed": sum(bool(trial.stopped) and not trial.partial for trial in study.trials),
        },
        "confirmation": study.confirmation,
        "confirmed": confirmation_text(study),
        "ranked": ranked_trials(study),
        "settings_text": settings_text,
        "images": {name: image(figure) for name, figure in figures.items()},
        "slices": {name: image(figure) for name, figure in slices.items()},
        "notes": (),
    }
    write_text(path, render_page("study.html", values))
