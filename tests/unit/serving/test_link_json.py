from __future__ import annotations

import numpy as np
import pytest

from linkwl.serving.answers import Link
from linkwl.serving.decisions import Change, key_of
from linkwl.serving.errors import ApiError
from linkwl.serving.link_json import checked_queries, checked_query, link_rows
from linkwl.serving.state import Served
from served import airports, two_sided, world


@pytest.fixture(scope="module")
def opened():
    served = Served()
    yield {make: served.open(make()) for make in (airports, two_sided, world)}
    served.close()


def test_a_row_by_hand(opened):
    model = opened[airports]
    model.decisions.put([Change(key_of(model.graph, (9, 3)), "later", 0.5)])
    (row,) = link_rows(model, np.array([[9, 3]]), np.array([0.5]), np.array([0.0]), with_facts=True)
    Link.model_validate(row)
    names = model.graph.ids
    expected = {"rank": None, "source": 9, "target": 3, "relation": None, "relation_name": None, "score": 0.5}
    expected |= {"source_name": names[9], "target_name": names[3], "log_odds": 0.0, "probability": 0.5}
    assert row == expected | {"verdict": "later", "is_link": False}
    model.decisions.put([Change(key_of(model.graph, (9, 3)), None)])


def test_both_orders_of_a_pair_have_its_rank(opened):
    model = opened[airports]
    queries = model.top.queries[:2]
    rows = link_rows(model, queries[:, ::-1], model.top.scores[:2])
    assert [row["rank"] for row in rows] == [1, 2]


def test_a_triple_has_a_relation(opened):
    model = opened[world]
    row = link_rows(model, model.top.queries[:1], model.top.scores[:1])[0]
    assert row["relation_name"] == model.graph.relations[row["relation"]]
    assert row["rank"] == 1


@pytest.mark.parametrize(
    ("make", "query", "status"),
    [
        (airports, (3, 3), 422),
        (airports, (3, 352), 404),
        (airports, (-1, 3), 404),
        (airports, (3, 1, 9), 422),
        (two_sided, (1, 2), 422),
        (world, (3, 9), 422),
        (world, (3, 99, 9), 404),
        (world, (3, 1, 99_999), 404),
    ],
)
def test_impossible_queries_are_refused(opened, make, query, status):
    with pytest.raises(ApiError) as refused:
        checked_queries(opened[make], [query])
    assert refused.value.status == status


def test_possible_queries_become_rows(opened):
    assert checked_queries(opened[airports], [(3, 9)]).dtype == np.int32
    assert checked_queries(opened[airports], []).shape == (0, 2)
    assert checked_query(opened[world], 3, 9, 1) == (3, 1, 9)
