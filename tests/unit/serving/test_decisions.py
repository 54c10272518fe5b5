from __future__ import annotations

import os
import re
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import Graph, KnowledgeGraph
from linkwl.serving import decisions as module
from linkwl.serving.decisions import Change, Decisions, key_of, query_of
from served import directed, two_sided, world

KEY = (3, -1, 9)


@pytest.fixture
def stored(tmp_path):
    decisions = Decisions(tmp_path, "a" * 64)
    yield decisions
    decisions.close()


def test_a_decision_is_found_again(stored, tmp_path):
    stored.put([Change(KEY, "accepted", 0.8), Change((1, -1, 2), "later", 0.1, "2020-01-02T09:30:00+00:00")])
    again = Decisions(tmp_path, "a" * 64)
    assert again.all() == stored.all()
    assert [(row.key, row.verdict, row.probability) for row in again.all()][0] == ((1, -1, 2), "later", 0.1)
    assert again.counts() == {"accepted": 1, "rejected": 0, "later": 1}
    again.close()


def test_it_can_be_changed_and_taken_back(stored):
    stored.put([Change(KEY, "accepted", 0.8)])
    stored.put([Change(KEY, "rejected", 0.7)])
    assert [(row.verdict, row.probability) for row in stored.all()] == [("rejected", 0.7)]
    stored.put([Change(KEY, None)])
    assert stored.all() == [] and stored.verdicts_of([KEY]) == [None]


def test_of_several_changes_of_a_link_the_last_holds(stored):
    stored.put(
        [Change(KEY, "accepted", 0.8), Change(KEY, None), Change((1, -1, 2), None), Change((1, -1, 2), "later", 0.1)]
    )
    assert stored.verdicts_of([KEY, (1, -1, 2)]) == [None, "later"]


def test_all_changes_are_stored_or_none(stored):
    with pytest.raises(ValueError, match="probability"):
        stored.put([Change(KEY, "accepted", 0.8), Change((1, -1, 2), "accepted")])
    with pytest.raises(sqlite3.IntegrityError):
        stored.put([Change(KEY, "accepted", 0.8), Change((1, -1, 2), "perhaps", 0.5)])
    assert stored.all() == []
    stored.put([Change(KEY, "accepted", 0.8)])  # the file can still be written
    assert len(stored.all()) == 1


def test_each_graph_has_its_own(tmp_path):
    first, second = Decisions(tmp_path, "a" * 64), Decisions(tmp_path, "b" * 64)
    first.put([Change(KEY, "accepted", 0.8)])
    assert second.all() == []
    assert first.path != second.path
    first.close(), second.close()


def test_another_process_is_noticed(stored, tmp_path):
    other = Decisions(tmp_path, "a" * 64)
    other.put([Change(KEY, "accepted", 0.8)])
    assert stored.verdicts_of([KEY]) == ["accepted"]
    stored.put([Change((1, -1, 2), "later", 0.1)])
    assert other.counts() == {"accepted": 1, "rejected": 0, "later": 1}
    other.close()


def test_many_threads_lose_nothing(stored):
    def work(first):
        for number in range(20):
            stored.put([Change((first, -1, number), "accepted", 0.5)])

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stored.counts()["accepted"] == 80


def test_reading_waits_for_no_writer(stored):
    stored.put([Change(KEY, "accepted", 0.8)])
    with stored._lock:
        assert stored.verdicts_of([KEY]) == ["accepted"]


def test_writing_is_synchronous(stored):
    assert stored._base.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert stored._base.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL


def test_there_is_a_limit(stored, monkeypatch):
    monkeypatch.setattr(module, "MOST", 2)
    stored.put([Change((0, -1, number), "accepted", 0.5) for number in (1, 2)])
    stored.put([Change((0, -1, 2), "rejected", 0.5)])
    with pytest.raises(InputError, match="2 decisions at most"):
        stored.put([Change((0, -1, 3), "accepted", 0.5)])


def test_another_file_is_refused(tmp_path):
    (tmp_path / f"{'a' * 32}.sqlite").write_bytes(b"not a database, but long enough to be taken for one" * 30)
    with pytest.raises(InputError, match="not a file of decisions"):
        Decisions(tmp_path, "a" * 64)


def test_a_database_of_something_else_is_refused(tmp_path):
    with closing(sqlite3.connect(tmp_path / f"{'a' * 32}.sqlite")) as base:
        base.execute("CREATE TABLE decisions (what TEXT)")
    with pytest.raises(InputError, match="not a file of decisions"):
        Decisions(tmp_path, "a" * 64)


def test_a_file_of_a_later_version_is_refused(stored, tmp_path):
    stored._base.execute("PRAGMA user_version=99")
    with pytest.raises(InputError, match="not a file of decisions"):
        Decisions(tmp_path, "a" * 64)


def test_keys_of_pairs_and_triples():
    plain = Graph.from_pairs([(0, 1)], 4)
    assert key_of(plain, (3, 1)) == key_of(plain, (1, 3)) == (1, -1, 3)
    assert key_of(directed().graph_, (3, 1)) == (3, -1, 1)
    assert key_of(two_sided().graph_, (35, 2)) == key_of(two_sided().graph_, (2, 35)) == (2, -1, 35)
    facts = world().graph_
    assert isinstance(facts, KnowledgeGraph)
    assert key_of(facts, (5, 2, 3)) == (5, 2, 3)
    assert query_of(facts, (5, 2, 3)) == [5, 2, 3] and query_of(plain, (1, -1, 3)) == [1, 3]


def test_queries_are_rows_for_training(stored, tmp_path):
    stored.put([Change((4, -1, 6), "accepted", 0.5), Change((1, -1, 2), "accepted", 0.5), Change(KEY, "rejected", 0.1)])
    assert stored.queries("accepted").tolist() == [[1, 2], [4, 6]]
    assert stored.queries("later").shape == (0, 2)
    assert stored.queries("rejected").dtype == np.int32
    triples = Decisions(tmp_path, "t" * 64)
    triples.put([Change((4, 0, 6), "accepted", 0.5)])
    assert triples.queries("accepted").tolist() == [[4, 0, 6]]
    triples.close()


def kill(folder, rounds, *options):
    program = Path(__file__).parents[2] / "killed_decisions.py"
    command = [sys.executable, str(program), str(folder), str(rounds), *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks, which only Unix systems do")
def test_a_kill_loses_no_decision(tmp_path):
    done = kill(tmp_path, 50)
    assert done.returncode == 0, done.stderr
    kills, confirmed, found = map(int, re.findall(r"\d+", done.stdout))
    assert kills == 50
    assert 50 < confirmed <= found


@pytest.mark.thorough
@pytest.mark.skipif(not hasattr(os, "fork"), reason="it forks, which only Unix systems do")
def test_what_is_confirmed_too_early_would_be_lost(tmp_path):
    done = kill(tmp_path, 50, "early")
    assert done.returncode != 0
    assert "was confirmed and is lost" in done.stderr
