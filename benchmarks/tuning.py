"""Tunes models on datasets of the catalogue, and keeps the settings that come with the package.

    python benchmarks/tuning.py --models gcn,seal --datasets usair,cora --trials 20 --minutes 30 --engine processes:2

Every study is a line of ``results/tuning/MODEL.jsonl``, written after every trial, and goes on where it was stopped, or
with a larger budget. The best settings of each become the tuned settings in ``src/linkwl/configs/MODEL.toml``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from selection import with_tuned

from linkwl.benchmark.published import CITATION, FEATURELESS
from linkwl.datasets import load_dataset
from linkwl.engine import find_engine
from linkwl.files import write_text
from linkwl.models.bundled import bundled_settings
from linkwl.models.registry import model_ids
from linkwl.tuning import Budget, Study, tune
from linkwl.tuning.study import load_studies, save_study

PROJECT = Path(__file__).parents[1]
_HEADER = """# Settings of {model} for the datasets of the catalogue.
#
# An entry holds for the datasets that it lists. A dataset has the settings of all entries that list it, the later ones
# in place of the earlier.

"""
_TUNED = "# tuned: the best trial of each study in results/tuning/{model}.jsonl; benchmarks/tuning.py writes them."


@dataclass(frozen=True)
class StudyTask:
    """A study to run."""

    model: str
    dataset: str

    def __str__(self) -> str:
        return f"{self.model} on {self.dataset}"


@dataclass(frozen=True)
class Plan:
    """What all studies share."""

    folder: Path
    budget: Budget


def run_study(plan: Plan, task: StudyTask) -> Study:
    """Runs a study, or the rest of it, and writes it after every trial."""
    return tune(
        load_dataset(task.dataset),
        task.model,
        budget=plan.budget,
        published=bundled_settings(task.model, task.dataset, "paper"),
        before=load_studies(plan.folder, task.model).get(task.dataset),
        on_trial=lambda study: save_study(plan.folder, study),
    )


def keep_best(study: Study, project: Path = PROJECT) -> None:
    """Writes the best settings of a study into the settings file of its model."""
    if study.best is None:
        return
    file = project / "src" / "linkwl" / "configs" / f"{study.model}.toml"
    before = file.read_text(encoding="utf-8") if file.exists() else ""
    write_text(file, with_tuned(with_header(before, study.model), study.graph.name, study.best.settings))


def with_header(text: str, model: str) -> str:
    """The text of a settings file whose first lines say where tuned settings come from."""
    if not text.startswith("#"):
        text = _HEADER.format(model=model) + text
    if "\n# tuned:" in text:
        return text
    head, separator, rest = text.partition("\n\n")
    return f"{head}\n#\n{_TUNED.format(model=model)}{separator or chr(10)}{rest}"


def run_studies(tasks: Iterable[StudyTask], plan: Plan, engine: str) -> None:
    """Runs studies side by side; a settings file is written as soon as a study is over."""

    def done(task: StudyTask, study: Study) -> None:
        keep_best(study, plan.folder.parents[1])
        best = study.best
        found = "no result" if best is None else f"{best.value:.4f} by trial {best.number} ({best.origin})"
        print(f"{task}: {len(study.trials)} trials, {study.cpu_seconds:.0f} CPU seconds, {found}", flush=True)

    for _ in find_engine(engine).map(run_study, tasks, shared=plan, on_done=done):
        pass


def main() -> None:
    """Reads the command line."""
    datasets = [*FEATURELESS, *CITATION]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default=",".join(model_ids("baseline", task="pairs")))
    parser.add_argument("--datasets", default=",".join(datasets))
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=30.0)
    parser.add_argument("--engine", default="inline")
    given = parser.parse_args()
    tasks = [StudyTask(m, d) for d in given.datasets.split(",") for m in given.models.split(",")]
    plan = Plan(PROJECT / "results" / "tuning", Budget(given.trials, given.minutes))
    run_studies(tasks, plan, given.engine)


if __name__ == "__main__":
    main()
