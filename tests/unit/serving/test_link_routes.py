from __future__ import annotations

import numpy as np
import pytest
from scipy.special import logit

from linkwl.serving import answers, link_routes
from served import WRITE, airports, directed, two_sided, world


def parts(link):
    middle = [] if link["relation"] is None else [link["relation"]]
    return [link["source"], *middle, link["target"]]


def first(client, count=3):
    return client.get(f"/api/links?limit={count}").json()["links"]


def decide(client, links, verdict):
    body = [{key: link[key] for key in ("source", "target", "relation")} | {"verdict": verdict} for link in links]
    assert client.put("/api/decisions", json={"decisions": body}, headers=WRITE).status_code == 200


def test_links_are_the_ranking_of_the_predictor(client):
    answer = client.get("/api/links?offset=2&limit=5").json()
    answers.LinkPage.model_validate(answer)
    expected = list(airports().recommend(7, progress=False))[2:]
    assert [(row["source_name"], row["target_name"], row["rank"]) for row in answer["links"]] == [
        (row.source, row.target, row.rank) for row in expected
    ]
    assert [row["probability"] for row in answer["links"]] == pytest.approx([row.probability for row in expected])
    assert [row["log_odds"] for row in answer["links"]] == pytest.approx(
        [logit(row.probability) for row in expected], abs=1e-9
    )
    assert answer["total"] == 1000


def test_links_of_every_kind_of_graph(any_client):
    answer = any_client.get("/api/links?limit=20").json()
    answers.LinkPage.model_validate(answer)
    scores = [row["score"] for row in answer["links"]]
    assert len(scores) == 20 and scores == sorted(scores, reverse=True)
    graph = any_client.app.state.served.current.graph
    assert not graph.contains(np.array([parts(row) for row in answer["links"]])).any()


def test_pages_end(client):
    assert client.get("/api/links?offset=995&limit=50").json()["links"][-1]["rank"] == 1000
    assert client.get("/api/links?offset=5000").json() == {"total": 1000, "links": []}


def test_links_above_a_threshold(client):
    middle = first(client, 100)[-1]["log_odds"]
    answer = client.get(f"/api/links?min_log_odds={middle}&limit=200").json()
    assert 100 <= answer["total"] < 1000
    assert min(row["log_odds"] for row in answer["links"]) >= middle


def test_links_of_a_relation(served_models):
    client = served_models["world"]
    relation = first(client)[0]["relation"]
    answer = client.get(f"/api/links?relation={relation}&limit=200").json()
    assert answer["links"] and {row["relation"] for row in answer["links"]} == {relation}
    assert answer["total"] < 1000
    assert client.get("/api/links?relation=99").status_code == 404


def test_a_graph_of_pairs_has_no_relation(client):
    for path in ("/api/links?relation=0", "/api/nodes/3/links?relation=0", "/api/explain?source=3&target=9&relation=0"):
        assert client.get(path).status_code == 422


def test_links_by_verdict(any_client):
    links = first(any_client)
    decide(any_client, links[:1], "accepted")
    decide(any_client, links[1:2], "later")
    try:
        assert [parts(row) for row in any_client.get("/api/links?status=accepted").json()["links"]] == [parts(links[0])]
        assert any_client.get("/api/links?status=rejected").json()["total"] == 0
        still = any_client.get("/api/links?status=open&limit=1").json()
        assert parts(still["links"][0]) == parts(links[2])
        assert any_client.get("/api/links").json()["links"][1]["verdict"] == "later"
    finally:
        decide(any_client, links, None)


def test_a_decided_link_is_listed_even_if_it_is_not_ranked(client):
    link = client.post("/api/score", json={"pairs": [[3, 9]]}, headers=WRITE).json()["links"][0]
    assert link["rank"] is None
    decide(client, [link], "rejected")
    try:
        found = client.get("/api/links?status=rejected").json()
        assert found["total"] == 1
        assert found["links"][0] == {key: value for key, value in link.items() if key != "is_link"} | {
            "verdict": "rejected"
        }
    finally:
        decide(client, [link], None)


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=201", "offset=-1", "status=maybe", "min_log_odds=nan", "relation=x"]
)
def test_impossible_pages_are_refused(client, query):
    answer = client.get(f"/api/links?{query}")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "invalid"


def test_links_of_a_node_are_those_of_the_predictor(client):
    answer = client.get("/api/nodes/177/links?limit=3").json()
    answers.NodeLinks.model_validate(answer)
    assert answer["node"] == {"id": 177, "name": "JNU", "degree": 7}
    expected = airports().recommend(3, for_node="JNU", progress=False)
    assert [row["target_name"] for row in answer["links"]] == [row.target for row in expected]


@pytest.mark.parametrize(("name", "make"), [("world", world), ("directed", directed), ("two_sided", two_sided)])
def test_links_of_a_node_of_other_graphs(served_models, name, make):
    client, predictor = served_models[name], make()
    graph = predictor.graph_
    node = 3
    answer = client.get(f"/api/nodes/{node}/links?limit=5").json()
    expected = predictor.recommend(5, for_node=graph.ids[node], progress=False)
    assert [row["score"] for row in answer["links"]] == expected.scores.tolist()
    assert all(node in (row["source"], row["target"]) for row in answer["links"])


def test_links_of_a_node_and_a_relation(served_models):
    answer = served_models["world"].get("/api/nodes/3/links?relation=1").json()
    assert {row["relation"] for row in answer["links"]} == {1}


def test_a_large_knowledge_graph_needs_a_relation(served_models, monkeypatch):
    monkeypatch.setattr(link_routes, "MOST_TRIPLES", 10)
    assert served_models["world"].get("/api/nodes/3/links").status_code == 422
    assert served_models["world"].get("/api/nodes/3/links?relation=1").status_code == 200


def test_unknown_nodes_are_not_found(any_client):
    for path in ("/api/nodes/99999/links", "/api/nodes/99999999999/links", "/api/nodes/x/links"):
        answer = any_client.get(path)
        assert answer.status_code in (404, 422)
        assert answer.json()["error"]["message"].endswith(".")


def test_scores_by_number_and_by_name(any_client):
    links = first(any_client, 4)
    by_number = any_client.post("/api/score", json={"pairs": [parts(row) for row in links]}, headers=WRITE).json()
    answers.Links.model_validate(by_number)
    assert [row | {"is_link": None} for row in by_number["links"]] == [row | {"is_link": None} for row in links]
    names = [
        [row["source_name"], *([row["relation_name"]] if row["relation"] is not None else []), row["target_name"]]
        for row in links
    ]
    by_name = any_client.post("/api/score", json={"pairs": names, "by": "name"}, headers=WRITE).json()
    assert by_name == by_number


def test_scores_say_what_is_a_link(client):
    edge = airports().graph_.edges[0].tolist()
    answer = client.post("/api/score", json={"pairs": [edge, [3, 9]]}, headers=WRITE).json()
    assert [row["is_link"] for row in answer["links"]] == [True, False]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"pairs": [[3, 9], [3]]}, 422),
        ({"pairs": [[3, 1, 9]]}, 422),
        ({"pairs": [[3, 3]]}, 422),
        ({"pairs": [[3, -1]]}, 422),
        ({"pairs": [[3, 352]]}, 404),
        ({"pairs": [[3, 2**40]]}, 422),
        ({"pairs": [["JNU", "WRG"]]}, 422),
        ({"pairs": [["JNU", "nowhere"]], "by": "name"}, 404),
        ({"pairs": [["JNU", "JNU"]], "by": "name"}, 422),
        ({"pairs": [[3, 9]] * 10_001}, 422),
        ({"pairs": [[3, 9]], "more": 1}, 422),
        ({}, 422),
        ([], 422),
    ],
)
def test_impossible_scores_are_refused(client, body, status):
    answer = client.post("/api/score", json=body, headers=WRITE)
    assert answer.status_code == status, answer.text
    assert set(answer.json()) == {"error"}


def test_no_pairs_have_no_scores(client):
    assert client.post("/api/score", json={"pairs": []}, headers=WRITE).json() == {"links": []}


def test_ten_thousand_pairs_are_scored(client):
    pairs = airports().graph_.absent(np.arange(10_000)).tolist()
    answer = client.post("/api/score", json={"pairs": pairs}, headers=WRITE).json()
    assert [[row["source"], row["target"]] for row in answer["links"]] == pairs


def test_pairs_on_one_side_are_refused(served_models):
    answer = served_models["two_sided"].post("/api/score", json={"pairs": [[1, 2]]}, headers=WRITE)
    assert answer.status_code == 422 and "side" in answer.json()["error"]["message"]


def test_what_if_scores_the_changed_graph_and_stores_nothing(client):
    predictor, graph = airports(), airports().graph_
    pairs = np.array([[3, 9], [177, 351]])
    removed, added = graph.edges[5:7], np.array([[3, 14], [14, 9]])
    body = {"queries": pairs.tolist(), "add": added.tolist(), "remove": removed.tolist()}
    answer = client.post("/api/what-if", json=body, headers=WRITE).json()
    answers.WhatIf.model_validate(answer)
    changed = graph.without(removed).with_(added)
    assert [row["score"] for row in answer["before"]] == predictor.rank_indices(pairs, graph=graph).scores.tolist()
    assert [row["score"] for row in answer["after"]] == predictor.rank_indices(pairs, graph=changed).scores.tolist()
    assert answer["after"][0]["score"] > answer["before"][0]["score"]
    assert predictor.graph_ is graph
    again = client.post("/api/what-if", json={"queries": pairs.tolist()}, headers=WRITE).json()
    assert again["after"] == again["before"] == answer["before"]


def test_what_if_for_every_kind_of_graph(any_client):
    link = first(any_client)[0]
    answer = any_client.post(
        "/api/what-if", json={"queries": [parts(link)], "add": [parts(link)]}, headers=WRITE
    ).json()
    assert (answer["before"][0]["is_link"], answer["after"][0]["is_link"]) == (False, True)


def test_large_what_if_questions_are_refused(client):
    assert client.post("/api/what-if", json={"queries": [[3, 9]] * 51}, headers=WRITE).status_code == 422
    assert client.post("/api/what-if", json={"queries": []}, headers=WRITE).status_code == 422
