from __future__ import annotations

from linkwl.serving import answers


def test_the_description_has_every_answer(client):
    schemas = client.get("/api/openapi.json").json()["components"]["schemas"]
    own = {name for name in vars(answers) if isinstance(getattr(answers, name), type) and name in schemas}
    assert {"Health", "ModelAnswer", "Drawing", "Link", "LinkPage", "ExplainAnswer", "ReliabilityAnswer"} <= own


def test_a_link_is_described_as_it_is_sent(client):
    link = client.get("/api/links?limit=1").json()["links"][0]
    assert set(link) == set(answers.Link.model_fields) - {"is_link"}
