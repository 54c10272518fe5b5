from __future__ import annotations

import threading

import numpy as np
import pytest

from linkwl.serving.decisions import Change
from linkwl.serving.state import Served
from served import airports, directed, world


@pytest.fixture
def served(tmp_path):
    found = Served(tmp_path / "decisions", tmp_path / "rankings")
    yield found
    found.close()


def test_nothing_is_open_at_first(served):
    with pytest.raises(RuntimeError, match="no model is open"):
        _ = served.current


def test_another_model_takes_its_place(served):
    first = served.open(airports())
    second = served.open(world(), "countries")
    assert served.current is second and second.name == "countries"
    assert first.graph is airports().graph_  # a request that has begun goes on with it
    first.decisions.put([Change((3, -1, 9), "accepted", 0.5)])
    assert served.open(airports()).decisions.counts()["accepted"] == 1


def test_whoever_reads_sees_one_model_or_the_other(served):
    served.open(airports())
    seen, is_done = set(), threading.Event()

    def look():
        while not is_done.is_set():
            now = served.current
            seen.add((now.name, len(now.names), len(now.top)))

    thread = threading.Thread(target=look)
    thread.start()
    for make in (directed, airports) * 5:
        served.open(make())
    is_done.set()
    thread.join()
    assert len(seen) <= 2


def test_scores_of_decided_links_are_computed_once(served, monkeypatch):
    opened = served.open(airports())
    keys, queries = [(3, -1, 9), opened.top.keys[0]], np.array([[3, 9], opened.top.queries[0]])
    first = opened.score_known(keys, queries)
    assert first.tolist() == opened.score(queries).tolist()
    monkeypatch.setattr(type(opened), "score", None)
    assert opened.score_known(keys, queries).tolist() == first.tolist()


def test_what_is_open_and_what_is_decided(served):
    opened = served.open(airports())
    assert opened.counts() == {"accepted": 0, "rejected": 0, "later": 0, "open": 1000}
    opened.decisions.put([Change(opened.top.keys[0], "later", 0.5), Change((3, -1, 9), "rejected", 0.5)])
    assert opened.counts() == {"accepted": 0, "rejected": 1, "later": 1, "open": 999}
