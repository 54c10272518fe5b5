from __future__ import annotations

import warnings

import pytest


@pytest.fixture(scope="session")
def pyg():
    """The layers of PyG, to check ours against; it uses what torch calls deprecated."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return pytest.importorskip("torch_geometric.nn")
