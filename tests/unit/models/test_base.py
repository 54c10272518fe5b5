from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
import pytest

from linkwl.errors import InputError
from linkwl.graph import Graph
from linkwl.models import LinkModel, ModelConfig, base
from linkwl.models.base import FormulaScorer, RetiredSetting


class LargerNode(LinkModel):
    """Scores a pair by its larger node."""

    id, title, reference = "larger", "Larger node", "None."

    def prepare(self, observed):
        self.check(observed)
        return FormulaScorer(observed, lambda pairs: pairs.max(axis=1).astype(np.float64))

    def describe(self, observed):
        return "Exact."


@pytest.fixture
def path():
    return Graph.from_pairs([(0, 1), (1, 2)], num_nodes=3)


@pytest.mark.parametrize("pairs", [[(0, 1), (2, 0)], np.array([[0, 1], [2, 0]], dtype=np.uint8)])
def test_scores_pairs(path, pairs):
    assert LargerNode()(path, pairs).tolist() == [1, 2]


@pytest.mark.parametrize("pairs", [[], np.empty((0, 2), dtype=np.int32)])
def test_no_pairs_no_scores(path, pairs):
    scores = LargerNode()(path, pairs)
    assert scores.shape == (0,)
    assert scores.dtype == np.float64


@pytest.mark.parametrize("block", [1, 4, 1 << 18])
def test_rows_are_the_scores_of_a_node_with_every_node(monkeypatch, path, block):
    monkeypatch.setattr(base, "_ROW_BLOCK", block)
    scorer = LargerNode().prepare(path)
    assert scorer.rows(np.array([2, 0])).tolist() == [[2, 2, 2], [0, 1, 2]]
    assert scorer.rows([]).shape == (0, 3)
    with pytest.raises(ValueError, match=r"nodes 0 \.\. 2 .* got 3 \.\. 3"):
        scorer.rows(np.array([3]))


def test_a_formula_may_have_rows_of_its_own(path):
    scorer = FormulaScorer(path, lambda pairs: np.zeros(len(pairs)), rows=lambda sources: np.ones((len(sources), 3)))
    assert scorer.rows(np.array([1, 1])).tolist() == [[1, 1, 1], [1, 1, 1]]


@pytest.mark.parametrize(
    ("pairs", "problem"),
    [
        (np.zeros((2, 5), dtype=int), r"shape \(num_pairs, 2\), got \(2, 5\).*edge_index\.T"),
        (np.zeros(2, dtype=int), r"got \(2,\)"),
        ([(0.0, 1.0)], "whole numbers, got float64"),
        ([(0, 3)], r"nodes 0 \.\. 2 .* got 0 \.\. 3"),
        ([(-1, 2)], r"got -1 \.\. 2"),
    ],
)
def test_unusable_pairs_are_refused(path, pairs, problem):
    with pytest.raises(ValueError, match=problem):
        LargerNode()(path, pairs)


def test_directed_graph_is_refused():
    graph = Graph.from_pairs([(0, 1)], num_nodes=2, is_directed=True)
    with pytest.raises(InputError, match="larger needs an undirected graph, and graph is directed; load it"):
        LargerNode()(graph, [(0, 1)])
    assert LargerNode()(graph.to_undirected(), [(0, 1)]).tolist() == [1]
    assert LargerNode().view(graph) is graph.links
    assert LargerNode().view(graph.links) is graph.links


def test_config_of_another_model_is_refused():
    class OtherConfig(ModelConfig):
        pass

    with pytest.raises(TypeError, match=r"must be a ModelConfig, got OtherConfig\(\)"):
        LargerNode(OtherConfig())


class YoungerConfig(ModelConfig):
    width: int = 3
    retired: ClassVar[Mapping[str, RetiredSetting]] = {
        "kind": RetiredSetting("all others were removed", harmless=("plain", None)),
        "group": RetiredSetting("all others were removed"),
    }


@pytest.mark.parametrize("kind", ["plain", None])
def test_retired_settings_are_dropped_where_they_changed_nothing(kind):
    assert YoungerConfig.without_retired("m", {"width": 4, "kind": kind, "group": {"size": 1}}) == {"width": 4}
    assert YoungerConfig.without_retired("m", {}) == {}


@pytest.mark.parametrize("kind", ["fancy", ["plain"]])
def test_retired_settings_are_refused_where_they_made_another_model(kind):
    with pytest.raises(InputError, match=r"m has no setting kind=.* any more: all others were removed\."):
        YoungerConfig.without_retired("m", {"kind": kind})


def test_retired_settings_are_no_settings():
    assert list(YoungerConfig.model_fields) == ["width"]
    assert YoungerConfig().model_dump() == {"width": 3}
