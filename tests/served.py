"""Applications of the server around small models, and clients for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import numpy as np
from starlette.testclient import TestClient

import linkwl
from linkwl.graph import Graph
from linkwl.serving import create_app

BASE = "http://127.0.0.1:8000"
WRITE = {"X-Linkwl": "1"}


@contextmanager
def client_of(predictor=None, *, app=None, base_url=BASE, **options) -> Iterator[TestClient]:
    """A client of the application of a predictor; an error of the server is an answer with status 500."""
    app = create_app(predictor, **options) if app is None else app
    with visitor(app, base_url) as client:
        yield client


def visitor(app, base_url=BASE) -> TestClient:
    """One more client, with cookies of its own; the application ends only if it is used as a context."""
    return TestClient(app, base_url=base_url, raise_server_exceptions=False, follow_redirects=False)


@cache
def airports():
    """A formula on the airports."""
    return linkwl.LinkPredictor("ra").fit(linkwl.load_dataset("airports"))


@cache
def world():
    """The simplest model of triples on the countries of the world."""
    return linkwl.LinkPredictor("floor").fit(linkwl.load_dataset("world"))


@cache
def directed():
    """A formula that is the same both ways, on a graph with directions."""
    generator = np.random.default_rng(0)
    pairs = generator.integers(0, 40, size=(300, 2))
    return linkwl.LinkPredictor("ra").fit(Graph.from_pairs(pairs, 40, is_directed=True, name="arrows"))


@cache
def two_sided():
    """A formula across two sides."""
    generator = np.random.default_rng(0)
    pairs = np.stack([generator.integers(0, 30, size=260), generator.integers(30, 60, size=260)], axis=1)
    part = np.repeat([0, 1], 30)
    return linkwl.LinkPredictor("pa").fit(Graph.from_pairs(pairs, 60, part=part, name="shop"))
