"""The script that measures PyKEEN's models: what it asks them for, and what it makes of the answers."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import numpy as np
import pytest
import torch

from linkwl.metrics import average_rank
from linkwl.protocols import find_protocol
from triple_graphs import relatives

BENCHMARKS = Path(__file__).resolve().parents[3] / "benchmarks"
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit:DeprecationWarning")


@pytest.fixture
def script(monkeypatch):
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("pykeen_models")


class Numbers:
    """Scores a triple by its numbers, and differently if it is asked for heads."""

    def __init__(self, num_entities: int) -> None:
        self.entities = torch.arange(num_entities)

    def predict_t(self, batch, mode):
        return (100 * batch[:, :1] + 10 * batch[:, 1:] + self.entities).float()

    def predict_h(self, batch, mode):
        return -(100 * self.entities + 10 * batch[:, :1] + batch[:, 1:]).float()


def test_tails_are_scored_as_tails_and_heads_as_heads(script):
    graph = relatives(4)
    targets = find_protocol("entities").apply(graph, 0).test.targets
    scores = script.list_scores(Numbers(graph.num_nodes), targets, None)
    values = targets.queries @ [100, 10, 1]
    num_facts = len(targets.positives)
    is_head = np.arange(num_facts) >= num_facts // 2
    is_head = np.concatenate([is_head, np.repeat(is_head, np.diff(targets.candidates))])
    assert scores.tolist() == np.where(is_head, -values, values).tolist()


def test_cases_are_inductive_or_on_their_own_entities(script, monkeypatch):
    graph = relatives(4)
    monkeypatch.setattr(script, "load_dataset", lambda name: graph)
    for case in script.CASES:
        assert set(case.models) <= set(script.RATES)
        assert case.load().digest == graph.digest


def test_the_average_rank_is_pykeen_s_realistic_rank():
    """Its realistic rank is the mean of the optimistic and the pessimistic one, over lists that hold the fact."""
    generator = np.random.default_rng(0)
    positive, negative = generator.integers(0, 5, 40).astype(float), generator.integers(0, 5, 400).astype(float)
    lists = np.arange(0, 401, 10)
    rows = np.concatenate([positive[:, None], negative.reshape(40, 10)], axis=1)
    optimistic = 1 + (rows > positive[:, None]).sum(axis=1)
    pessimistic = (rows >= positive[:, None]).sum(axis=1)
    assert average_rank(positive, negative, lists).tolist() == ((optimistic + pessimistic) / 2).tolist()
    ranks = pytest.importorskip("pykeen.evaluation.ranks")
    found = ranks.Ranks.from_scores(torch.tensor(positive)[:, None], torch.tensor(rows))
    assert found.realistic.tolist() == average_rank(positive, negative, lists).tolist()


def test_both_evaluators_find_the_same_mrr(script):
    if not script.RECORD.exists():
        pytest.skip("PyKEEN has not been measured yet")
    figures = json.loads(script.RECORD.read_text())["figures"]
    theirs = [found for figure in figures for name, found in figure["models"].items() if name != script.OURS]
    assert [found["entities"]["mrr"] for found in theirs] == pytest.approx(
        [found["own_mrr"] for found in theirs], rel=1e-5
    )


def test_the_best_of_every_column_is_bold(script):
    def found(mrr: float) -> dict[str, object]:
        return {"seconds": 12.3} | {name: {"mrr": mrr, "hits@10": 1 - mrr} for name in script.PROTOCOLS}

    models = {script.OURS: found(0.75), "RotatE": found(0.5)}
    assert script.markdown([{"graph": "world", "models": models}]).splitlines()[2:] == [
        "| world | `walk-2fwl` | **75.0** | 25.0 | **75.0** | 25.0 | 12 |",
        "| world | RotatE, PyKEEN | 50.0 | **50.0** | 50.0 | **50.0** | 12 |",
    ]
