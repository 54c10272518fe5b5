from __future__ import annotations

import importlib
from pathlib import Path

import numpy as np
import pytest

from linkwl import Graph, create_model

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"


@pytest.fixture
def directed(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("directed")


def test_a_guessed_direction_leads_to_what_is_pointed_at(directed):
    observed = Graph.from_pairs([(0, 1), (2, 1), (3, 1), (0, 4)], 5, is_directed=True)
    there, back = directed.guess_directions(create_model("cn").prepare(observed.links), observed)(
        np.array([(0, 1), (1, 0)])
    )
    odds = (2.5 * 3.5) / (0.5 * 0.5)  # out of 0 and into 1, against out of 1 and into 0, each with a half more
    assert there == pytest.approx(np.log(odds / (1 + odds)))
    assert back == pytest.approx(np.log(1 / (1 + odds)))


def test_the_table_has_the_mean_of_the_splits_and_the_best_heuristic(directed):
    names = (directed.OURS, directed.GUESSED, *directed.HEURISTICS)
    figures = [
        {
            "graph": "g",
            "edges": 1234,
            "auc": dict.fromkeys(names, auc) | {"ra": auc + 1},
            "precision": dict.fromkeys(names, 7.0),
        }
        for auc in (90.0, 92.0)
    ]
    *_, row = directed.markdown(figures).splitlines()
    assert row == "| g | 1,234 | 2 | 91.00 | 92.00 ra | 91.00 | 7.0 % | 7.0 % cn | 7.0 % |"
