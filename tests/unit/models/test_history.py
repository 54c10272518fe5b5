from __future__ import annotations

import json

from linkwl.models.history import History


def test_the_best_is_the_first_of_several():
    history = History(losses=[0.7, 0.6, 0.5, 0.4], valid=[(2, 0.8), (3, 0.9), (4, 0.9)])
    assert (history.steps, history.best_step, history.best_valid) == (4, 3, 0.9)


def test_the_last_is_kept_where_asked_for():
    history = History(valid=[(2, 0.8), (3, 0.9), (4, 0.7)], keep="last")
    assert (history.best_step, history.best_valid) == (4, 0.7)


def test_before_any_look_there_is_no_best():
    assert (History().steps, History().best_step, History().best_valid) == (0, 0, None)


def test_json_and_back():
    history = History(losses=[1 / 3, 0.1], valid=[(2, 2 / 3)], seconds=1.5, stopped="patience")
    assert History.from_json(json.loads(json.dumps(history.to_json()))) == history
