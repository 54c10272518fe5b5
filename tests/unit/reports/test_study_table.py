from __future__ import annotations

import io
from dataclasses import replace

from rich.console import Console

from linkwl.records import GraphRecord
from linkwl.reports.study_table import confirmation_text, study_table, study_text
from linkwl.tuning import Budget, Study, Trial
from studies import study_of_twelve

TRIALS = (
    Trial(0, "published", {"rank": 5}, (), 30.0, "stopped after 30 CPU seconds"),
    Trial(1, "default", {}, (0.8, 0.9), 3.0),
    Trial(2, "drawn", {"training": {"learning_rate": 0.0123}}, (0.9, 0.91), 3.0),
)
STUDY = Study("mf", GraphRecord("ring", 40, 40, "d"), "h", {"id": "paper"}, "auc", 2, Budget(3, 9.0), {}, TRIALS)


def shown(study):
    console = Console(file=io.StringIO(), width=100)
    console.print(study_table(study))
    return [line.split() for line in console.file.getvalue().splitlines()]


def test_the_best_trial_is_on_top_and_a_stopped_one_below():
    head, *rows = shown(STUDY)
    assert head == ["trial", "AUC", "%", "CPU", "s", "settings"]
    assert [row[:3] for row in rows] == [["2", "90.50", "3.0"], ["1", "85.00", "3.0"], ["0", "–", "30.0"]]
    assert rows[0][3] == "training.learning_rate=0.0123"
    assert " ".join(rows[2][3:]) == "published: rank=5 (stopped after 30 CPU seconds)"


def test_the_sentence_sets_the_best_beside_the_defaults():
    assert study_text(STUDY) == (
        "3 trials of mf on ring, 0.6 CPU minutes: best AUC 90.50 % (defaults 85.00 %) on links hidden inside the "
        "training links"
    )
    assert "defaults" not in study_text(replace(STUDY, trials=TRIALS[1:2]))
    assert study_text(replace(STUDY, trials=TRIALS[:1])).endswith("none has ended")
    late = study_text(replace(STUDY, budget=Budget(20, 0.1)))
    assert late.startswith("3 trials, then 0.1 CPU minutes were over, of mf on ring")


def test_the_winner_on_fresh_splits_is_a_sentence():
    study = study_of_twelve()
    assert confirmation_text(study) == (
        "on 3 fresh splits of the training links: AUC 91.00 %, defaults 86.00 %, +5.00 ± 2.83 points: clearly better "
        "than the defaults"
    )
    known = study.confirmation
    same = replace(study, confirmation=replace(known, best=known.default))
    assert confirmation_text(same).endswith("AUC 86.00 %; no settings were better than the defaults")
    worse = replace(study, confirmation=replace(known, best=known.default, default=known.best))
    assert confirmation_text(worse).endswith("-5.00 ± 2.83 points: clearly worse than the defaults")
    noisy = replace(study, confirmation=replace(known, best=(0.8, 0.95, 0.86)))
    assert confirmation_text(noisy).endswith("not clearly different from the defaults")
    single = replace(study, confirmation=replace(known, seeds=(100,), best=(0.9,), default=(0.8,)))
    assert confirmation_text(single).endswith("+10.00 points: too few splits to tell from noise")
    assert confirmation_text(replace(study, confirmation=None)) == ""
