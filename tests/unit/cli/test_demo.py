from __future__ import annotations

from types import SimpleNamespace

from linkwl.cli.demo import headline
from linkwl.records import RunRecord


def run(model, valid, test):
    return RunRecord(model, 0, {"auc": test, "ap": 0.5}, {"auc": valid}, {}, 0, 0.0, "")


RECORD = SimpleNamespace(model="walk-2fwl", selects="auc", test={"auc": 0.971, "ap": 0.5})


def test_the_heuristic_is_chosen_on_validation_links_and_the_best_is_named():
    text = headline(RECORD, [run("ra", 0.90, 0.93), run("pa", 0.92, 0.942), run("ppr", 0.91, 0.948)])
    assert text == (
        "walk-2fwl finds hidden routes with 97.1 % AUC. Of 3 heuristics, the best on validation links is Preferential "
        "attachment (pa) with 94.2 %; on the hidden routes themselves, the best is Personalised PageRank (ppr) with "
        "94.8 %."
    )


def test_a_heuristic_that_is_best_on_both_is_named_once():
    text = headline(RECORD, [run("ra", 0.93, 0.95), run("pa", 0.92, 0.942)])
    assert text.endswith(
        "the best on validation links is Resource allocation (ra) with 95.0 %; no other one is better on the hidden "
        "routes themselves."
    )
