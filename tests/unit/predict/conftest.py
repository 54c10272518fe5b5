from __future__ import annotations

import pytest

from fitting import QUICK_WALKS
from linkwl import LinkPredictor
from linkwl.datasets import load_airports


@pytest.fixture(scope="module")
def airports():
    return load_airports()


@pytest.fixture(scope="module")
def fitted(airports):
    """A predictor of routes that was trained for a moment."""
    return LinkPredictor(settings=QUICK_WALKS).fit(airports)
