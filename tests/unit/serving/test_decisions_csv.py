from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from linkwl.errors import InputError
from linkwl.graph import load_graph
from linkwl.serving.decisions import Decision
from linkwl.serving.decisions_csv import _guarded, _plain, read_csv, write_csv
from served import airports, world

NAMES = ["=1+1", "+x", "-y", "@z", "'quoted", "a,b", 'say "hi"', "line\nend", "plain"]


@pytest.fixture(scope="module")
def graph():
    return load_graph([(name, "hub") for name in NAMES])


def test_formulas_are_guarded_and_read_back(graph):
    hub = int(graph.ids.indices(["hub"])[0])
    nodes = graph.ids.indices(NAMES).tolist()
    keys = [(min(node, hub), -1, max(node, hub)) for node in nodes]
    decisions = [Decision(key, "accepted", 0.25, "2026-11-18T09:30:00+00:00") for key in keys]
    text = write_csv(graph, decisions)
    for name in ("=1+1", "+x", "-y", "@z"):
        assert f"'{name}" in text
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in text.splitlines() for cell in line.split(","))
    changes = read_csv(graph, text)
    assert [(change.key, change.verdict, change.probability, change.time) for change in changes] == [
        (row.key, row.verdict, row.probability, row.time) for row in decisions
    ]


@given(st.text())
def test_every_name_is_read_back(name):
    assert _plain(_guarded(name)) == name
    assert not _guarded(name).startswith(("=", "+", "-", "@", "\t", "\r"))


def test_facts_have_a_column_for_the_relation():
    graph = world().graph_
    row = Decision((5, 2, 7), "later", 0.5, "2026-11-18T09:30:00+00:00")
    text = write_csv(graph, [row])
    assert text.startswith("source,target,relation,verdict,probability,time\r\n")
    assert read_csv(graph, text)[0].key == row.key


def test_columns_may_come_in_any_order_with_others_between():
    text = "verdict,note,target,source\nAccepted,x,WRG,JNU\n\nlater,,JNU,SIT\n"
    changes = read_csv(airports().graph_, text)
    assert [(change.verdict, change.probability, change.time) for change in changes] == [
        ("accepted", None, None),
        ("later", None, None),
    ]


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("source;target;verdict\n", 1, "'source' is missing"),
        ("source,target,verdict\nJNU,WRG\n", 2, "expected 3 cells, found 2"),
        ("source,target,verdict\nJNU,SIT,later\nJNU,JNU,later\n", 3, "no link with itself"),
        ("source,target,verdict\n\nJNU,WRG,yes\n", 3, "accepted, rejected or later"),
        ("source,target,verdict\nJNU,XXX,later\n", 2, "XXX"),
        ("source,target,verdict,probability\nJNU,WRG,later,2\n", 2, "from 0 to 1"),
        ("source,target,verdict,probability\nJNU,WRG,later,nan\n", 2, "from 0 to 1"),
        ("source,target,verdict,time\nJNU,WRG,later,today\n", 2, "the time is 'today'"),
        ('source,target,verdict\n"JNU,WRG,later\n', 2, "not CSV"),
    ],
)
def test_errors_name_the_line(text, line, words):
    with pytest.raises(InputError, match=words) as found:
        read_csv(airports().graph_, text)
    assert found.value.line == line
    assert "\n" not in str(found.value)


def test_there_is_a_limit(monkeypatch):
    monkeypatch.setattr("linkwl.serving.decisions_csv.MOST_ROWS", 1)
    with pytest.raises(InputError, match="1 decisions at most"):
        read_csv(airports().graph_, "source,target,verdict\nJNU,WRG,later\nJNU,SIT,later\n")
