from __future__ import annotations

import numpy as np
import pytest

from linkwl import Graph, create_model
from linkwl.models.evidence import ANYTHING, WALKS, Evidence

EDGES = [(0, 1), (1, 2), (2, 3), (0, 3)]


@pytest.mark.parametrize(
    ("name", "evidence"),
    [
        *[(name, Evidence.of("neighbours", is_sum=True)) for name in ("cn", "aa", "ra")],
        ("jaccard", Evidence.of("neighbours", "links")),
        ("pa", Evidence.of("links")),
        *[(name, WALKS) for name in ("katz", "ppr", "simrank")],
        ("walk-2fwl", ANYTHING),
    ],
)
def test_formulas_name_what_they_read(name, evidence):
    assert create_model(name).evidence(Graph.from_pairs(EDGES, 4)) == evidence


def test_weights_make_no_sum_and_sides_leave_paths():
    weighted = Graph.from_pairs(EDGES, 4, weight=np.arange(1.0, 5.0))
    assert create_model("ra").evidence(weighted) == Evidence.of("neighbours")
    sided = Graph.from_pairs(EDGES, 4, part=np.array([0, 1, 0, 1], dtype=np.int8))
    assert create_model("ra").evidence(sided) == Evidence.of("paths")
    assert create_model("jaccard").evidence(sided) == Evidence.of("paths", "links")
