from __future__ import annotations

import numpy as np
import pytest

import linkwl
from linkwl.graph.readers.decisions import read_decisions
from linkwl.serving.decisions import Change, key_of
from linkwl.serving.job_verdicts import carry_over, decision_rows
from linkwl.serving.state import Served
from served import airports, directed, two_sided, world


@pytest.mark.parametrize("model", [airports, world, directed, two_sided], ids=lambda model: model.__name__)
def test_verdicts_by_name_are_the_same_verdicts(model):
    served = Served()
    opened = served.open(model())
    queries = opened.top.queries[:3].tolist()
    keys = [key_of(opened.graph, query) for query in queries]
    verdicts = ("accepted", "rejected", "later")
    opened.decisions.put([Change(key, verdict, 0.5) for key, verdict in zip(keys, verdicts, strict=True)])
    found = read_decisions(decision_rows(opened), opened.graph)
    assert [key_of(opened.graph, query) for query in found.judged.tolist()] == keys[:2]
    assert (len(found.accepted), len(found.rejected), found.num_later) == (1, 1, 1)
    served.close()


def test_links_that_were_rejected_before_stay_rejected():
    before = airports()
    first, second = ((link.source, link.target) for link in before.recommend(2))
    rows = [{"source": p, "target": q, "verdict": "rejected"} for p, q in (first, second)]
    served = Served()
    opened = served.open(linkwl.LinkPredictor("ra").fit(before.graph_, decisions=rows))
    key = key_of(opened.graph, opened.graph.ids.indices(list(first)))
    opened.decisions.put([Change(key, "accepted", 0.5)])
    found = {(row["source"], row["target"]): row["verdict"] for row in decision_rows(opened)}
    assert {frozenset(pair): verdict for pair, verdict in found.items()} == {
        frozenset(first): "accepted",
        frozenset(second): "rejected",
    }
    served.close()


def test_verdicts_about_missing_links_move_to_the_new_graph():
    served = Served()
    before = served.open(airports())
    accepted, rejected, later, other = before.top.keys[:4]
    verdicts = {accepted: "accepted", rejected: "rejected", later: "later", other: "rejected"}
    before.decisions.put([Change(key, verdict, 0.5) for key, verdict in verdicts.items()])
    carry_over(before, before)
    assert before.decisions.counts() == {"accepted": 1, "rejected": 2, "later": 1}
    graph = before.graph.with_(np.array([[accepted[0], accepted[2]]]))
    after = served.open(linkwl.LinkPredictor("ra").fit(graph))
    after.decisions.put([Change(other, "later", 0.1)])
    carry_over(before, after)
    assert {found.key: found.verdict for found in after.decisions.all()} == {
        rejected: "rejected",
        later: "later",
        other: "later",  # the newer verdict holds
    }
    served.close()
