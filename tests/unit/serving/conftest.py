from __future__ import annotations

import pytest

from served import airports, client_of, directed, two_sided, world

MODELS = {"airports": airports, "world": world, "directed": directed, "two_sided": two_sided}


@pytest.fixture(scope="session")
def served_models():
    """A client of every kind of graph; tests take back the decisions that they store."""
    with (
        client_of(airports()) as first,
        client_of(world()) as second,
        client_of(directed()) as third,
        client_of(two_sided()) as fourth,
    ):
        yield dict(zip(MODELS, (first, second, third, fourth), strict=True))


@pytest.fixture(scope="session")
def client(served_models):
    """A client of the airports."""
    return served_models["airports"]


@pytest.fixture(params=list(MODELS))
def any_client(served_models, request):
    """A client of each kind of graph."""
    return served_models[request.param]


@pytest.fixture
def opened(client):
    """The open model of the airports, without decisions."""
    found = client.app.state.served.current
    found.decisions.put([])
    assert found.decisions.all() == []
    return found
