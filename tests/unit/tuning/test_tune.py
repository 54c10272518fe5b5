from __future__ import annotations

import random
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from linkwl.engine import InlineEngine, ProcessEngine
from linkwl.errors import InputError
from linkwl.models import create_model
from linkwl.protocols import PAPER
from linkwl.tuning import Budget, Search, Study, tune
from linkwl.tuning.stores import StudyName, open_store
from studies import communities, found

pytest.importorskip("optuna")
trial_module = import_module("linkwl.tuning.trial")


@pytest.fixture(scope="module", name="communities")
def graph():
    return communities()


QUICK = {"rank": 4, "training": {"max_steps": 20}}


def test_published_settings_come_first_then_the_defaults(communities):
    study = tune(communities, "mf", budget=Budget(4, 5.0), published=QUICK)
    assert [trial.origin for trial in study.trials] == ["published", "default", "drawn", "drawn"]
    assert study.trials[0].settings == QUICK
    assert study.trials[1].settings == {}
    assert all(len(trial.values) == study.splits == 3 for trial in study.trials)
    assert study.is_over


def test_a_stopped_study_goes_on_with_the_same_trials(communities):
    whole = tune(communities, "mf", budget=Budget(4, 5.0))
    part = tune(communities, "mf", budget=Budget(2, 5.0))
    rest = tune(communities, "mf", budget=Budget(4, 5.0), before=Study.from_row(part.to_row()))
    assert [(t.settings, t.values) for t in rest.trials] == [(t.settings, t.values) for t in whole.trials]


def test_links_that_the_first_split_holds_out_play_no_part(communities):
    """Other test links, and none at all, give the same trials."""
    split = PAPER.apply(communities, 0)
    held_out = np.concatenate([split.valid.positives, split.test.positives])
    absent = np.concatenate([split.valid.negatives, split.test.negatives])
    swapped = communities.without(held_out).with_(absent)

    class SameTraining(type(PAPER)):
        def apply(self, graph, seed):
            return split if graph is swapped else super().apply(graph, seed)

    protocol = SameTraining(**{name: getattr(PAPER, name) for name in PAPER.__dataclass_fields__})
    others, expected = (tune(graph, "mf", protocol, budget=Budget(3, 5.0)) for graph in (swapped, communities))
    assert others.graph != expected.graph
    assert [(t.settings, t.values) for t in others.trials] == [(t.settings, t.values) for t in expected.trials]


def test_every_trial_is_measured_on_training_links_alone(communities):
    seen = []

    class Spy(type(PAPER)):
        def apply(self, graph, seed):
            seen.append(graph)
            return super().apply(graph, seed)

    spy = Spy(**{name: getattr(PAPER, name) for name in PAPER.__dataclass_fields__})
    tune(communities, "mf", spy, budget=Budget(2, 5.0))
    split = PAPER.apply(communities, 0)
    held_out = {tuple(edge) for fold in (split.valid, split.test) for edge in np.sort(fold.positives, axis=1).tolist()}
    assert seen[0] is communities
    assert len(seen) > 4
    assert all(not held_out & {tuple(edge) for edge in graph.edges.tolist()} for graph in seen[1:])


def test_a_trial_that_fails_is_recorded_and_the_study_goes_on(communities, monkeypatch):
    evaluate = trial_module.evaluate_models

    def fail(graph, models, *rest, **options):
        if models[0].config.rank != create_model("mf").config.rank:
            raise RuntimeError("no convergence")
        return evaluate(graph, models, *rest, **options)

    monkeypatch.setattr(trial_module, "evaluate_models", fail)
    study = tune(communities, "mf", budget=Budget(3, 5.0), published={"rank": 5})
    assert [trial.origin for trial in study.trials] == ["published", "default", "drawn"]
    assert study.trials[0].stopped == "RuntimeError: no convergence"
    assert study.best.origin in ("default", "drawn")
    assert study.best.values


def test_time_ends_a_study_but_never_before_the_defaults(communities):
    study = tune(communities, "mf", budget=Budget(20, 1e-6), published={"training": {"max_steps": 400}})
    assert [trial.origin for trial in study.trials] == ["published", "default"]
    assert study.trials[0].value is None
    assert "CPU seconds" in study.trials[0].stopped
    assert study.best.origin == "default"


def test_a_formula_has_nothing_to_tune(communities):
    with pytest.raises(InputError, match="cn has no settings to tune"):
        tune(communities, "cn")


def test_another_study_is_not_continued(communities):
    before = tune(communities, "mf", budget=Budget(1, 5.0))
    with pytest.raises(InputError, match="earlier study is of mf"):
        tune(communities, "vgae", before=before)


def test_it_saves_after_every_trial(communities):
    counts = []
    tune(communities, "mf", budget=Budget(3, 5.0), on_trial=lambda study: counts.append(len(study.trials)))
    assert counts == [1, 2, 3]


WAVES = Search(width=3, is_pruned=True)
NINE = {"budget": Budget(9, 5.0), "search": WAVES, "splits": 2, "seed": 1}


@pytest.fixture(scope="module")
def nine(communities):
    """A study of three waves that was not interrupted."""
    return tune(communities, "mf", **NINE)


def test_poor_trials_of_later_waves_end_early(nine):
    early = [trial for trial in nine.trials if trial.partial]
    assert early
    assert min(trial.number for trial in early) >= 6  # four whole trials are needed before
    means = sorted(trial.values[0] for trial in nine.trials[:6] if trial.values)
    assert all(trial.partial[0] < (means[2] + means[3]) / 2 for trial in early)
    assert all(len(trial.values) == 2 for trial in nine.trials if not trial.partial)


@pytest.mark.parametrize("count", [2, 4, 5, 7])
def test_a_study_cut_anywhere_in_a_wave_goes_on_with_the_same_trials(communities, nine, count):
    part = tune(communities, "mf", **NINE | {"budget": Budget(count, 5.0)})
    assert found(part) == found(nine)[:count]
    assert found(tune(communities, "mf", **NINE, before=part)) == found(nine)


def test_trials_that_are_missing_inside_a_wave_are_run(communities, nine):
    """As after a kill while the second trial of the second wave was running and the third had ended."""
    kept = tuple(trial for trial in nine.trials if trial.number in (0, 1, 2, 3, 5))
    again = []
    before = Study(**{name: getattr(nine, name) for name in nine.__dataclass_fields__} | {"trials": kept})
    resumed = tune(communities, "mf", **NINE, before=before, on_trial=lambda study: again.append(len(study.trials)))
    assert found(resumed) == found(nine)
    assert again == [6, 7, 8, 9]


class BackwardsEngine(InlineEngine):
    """Ends the last trial of a wave first."""

    def run(self, function, tasks, shared):
        for index, result in super().run(function, tasks[::-1], shared):
            yield len(tasks) - 1 - index, result


def test_the_order_in_which_trials_end_does_not_matter(communities, nine):
    assert found(tune(communities, "mf", **NINE, engine=BackwardsEngine())) == found(nine)


@pytest.mark.thorough
@pytest.mark.parametrize("workers", [2, 3])
def test_the_number_of_workers_does_not_matter(communities, nine, workers):
    """The last wave, which is drawn from earlier ones and pruned by them, runs in processes as well."""
    first = tune(communities, "mf", **NINE | {"budget": Budget(5, 5.0)})
    assert found(tune(communities, "mf", **NINE, engine=ProcessEngine(workers), before=first)) == found(nine)


DRIVER = """
import sys
from linkwl.tuning import Budget, Search, tune
from linkwl.tuning.stores import StudyName, open_store
from linkwl.models.registry import find_row
sys.path.insert(0, sys.argv[1])
from studies import communities

if __name__ == "__main__":
    graph = communities()
    store = open_store(sys.argv[2], StudyName("mf", graph.record, "paper", 1), find_row("mf").load_class().search_space)

    def save(study):
        store.save(study)
        print(len(study.trials), flush=True)

    with store.locked():
        search = Search(width=3, is_pruned=True)
        tune(graph, "mf", budget=Budget(9, 5.0), search=search, splits=2, seed=1, on_trial=save)
"""


@pytest.mark.thorough
@pytest.mark.parametrize("file", ["trials.log", "trials.db", "trials.jsonl"])
def test_a_killed_study_resumes_to_the_same_trials(communities, nine, tmp_path, file):
    storage = str(tmp_path / file)
    count = random.randrange(1, 9)
    command = [sys.executable, "-c", DRIVER, str(Path(__file__).parents[2]), storage]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            if int(line) == count:
                process.send_signal(signal.SIGKILL)
                break
    assert process.returncode == -signal.SIGKILL
    store = open_store(storage, StudyName("mf", communities.record, "paper", 1), mf_space())
    with store.locked():  # that of the killed process does not count
        before = store.load()
        assert count <= len(before.trials) < 9, "it was not killed on the way"
        resumed = tune(communities, "mf", **NINE, before=before, on_trial=store.save)
    assert found(resumed) == found(nine), f"killed after {count} trials"
    assert found(store.load()) == found(nine)
    assert [path.name for path in tmp_path.iterdir() if path.is_dir()] == []  # nothing of the lock is left


def mf_space():
    return type(create_model("mf")).search_space


def test_the_winner_is_measured_on_splits_that_no_trial_has_seen(communities, nine):
    seeds = []

    class Spy(type(PAPER)):
        def apply(self, graph, seed):
            seeds.append((graph.num_edges, seed))
            return super().apply(graph, seed)

    spy = Spy(**{name: getattr(PAPER, name) for name in PAPER.__dataclass_fields__})
    study = tune(communities, "mf", spy, **NINE, before=nine, fresh_splits=2)
    assert study.trials == nine.trials
    whole, *inside = seeds
    assert whole == (communities.num_edges, 1)
    assert {edges for edges, _ in inside} == {PAPER.apply(communities, 1).train.observed.num_edges}
    assert {seed for _, seed in inside} == set(study.confirmation.seeds)
    assert not set(study.confirmation.seeds) & set(range(study.splits))


def test_another_search_is_not_continued(communities, nine):
    with pytest.raises(InputError, match="has waves of 3, the sampler tpe, 2 splits a trial and pruning"):
        tune(communities, "mf", **NINE | {"search": Search(width=2)}, before=nine)
    with pytest.raises(InputError, match="with another seed"):
        tune(communities, "mf", **NINE | {"seed": 2}, before=nine)
