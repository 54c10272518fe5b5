from __future__ import annotations

import json

import networkx as nx
import numpy as np
import pytest

import linkwl
from linkwl import InputError, UnknownNameError
from linkwl import comparing as module
from linkwl.comparing import compare, of_whole_splits
from linkwl.models import MODELS
from linkwl.protocols import PAPER
from linkwl.records import RunRecord
from triple_graphs import relatives


@pytest.fixture(scope="module")
def airports():
    return linkwl.load_dataset("airports")


def test_it_is_the_ranking_of_the_command_line(airports, tmp_path):
    from linkwl.cli.main import app

    args = ["evaluate", "airports", "--model", "cn,ra,pa", "--seeds", "2", "--json", str(tmp_path / "r.json")]
    app(args, standalone_mode=False)
    written = json.loads((tmp_path / "r.json").read_text())
    found = compare(airports, ["cn", "ra", "pa"], seeds=2)
    assert [row.model for row in found] == written["ranking"]
    assert found.recommended.model == written["recommended"]
    assert found.evaluation.summary == written["summary"]


def test_models_are_named_in_any_way(airports):
    for models in ("cn, ra", ["cn", "ra", "cn"], (linkwl.create_model("cn"), "ra")):
        found = compare(airports, models, seeds=[4])
        assert {row.model for row in found} == {"cn", "ra"}
        assert found.evaluation.seeds == [4]


def test_settings_are_those_of_a_model(airports):
    found = compare(airports, "katz,cn", settings={"katz": {"beta": 0.003}}, seeds=1)
    configs = {run.model: run.config for run in found.evaluation}
    assert configs["katz"]["beta"] == 0.003
    with pytest.raises(InputError, match="`settings` has values for 'katz', which is not compared"):
        compare(airports, "cn", settings={"katz": {"beta": 0.003}}, seeds=1)


def test_the_default_is_what_auto_compares(airports, monkeypatch):
    monkeypatch.setattr("linkwl.predict.predictor.auto_models", lambda task: ["cn", "pa"])
    found = compare(airports)
    assert {row.model for row in found} == {"cn", "pa"}
    assert found.evaluation.seeds == [0, 1, 2]


def test_named_models_have_the_splits_of_the_protocol(airports):
    assert compare(airports, "cn").evaluation.seeds == list(range(PAPER.seeds))
    assert compare(airports, "cn", protocol="hits", seeds=1).metric == "hits@100"


def test_all_leaves_out_what_cannot_be_run(airports, monkeypatch):
    monkeypatch.setattr(module, "model_ids", lambda task: ["cn", "katz"])

    def refuse(self, observed):
        raise InputError("katz needs more memory.")

    monkeypatch.setattr(MODELS["katz"], "prepare", refuse)
    found = compare(airports, "all")
    assert [row.model for row in found] == ["cn"]
    assert found.evaluation.refusals == {"katz": "katz needs more memory."}
    with pytest.raises(InputError, match="katz needs more memory"):
        compare(airports, "katz,cn", seeds=1)
    monkeypatch.setattr(module, "model_ids", lambda task: ["katz"])
    with pytest.raises(InputError, match=r"no model could be run on airports: katz needs more memory\."):
        compare(airports, ["all"])


def test_graphs_of_every_kind():
    edges = nx.to_pandas_edgelist(nx.les_miserables_graph())
    found = compare(edges, "ra,cn", weight="weight", seeds=np.int64(1), protocol=PAPER)
    assert found.evaluation.protocol["id"] == "paper"
    features = dict.fromkeys(nx.les_miserables_graph(), 1.0)
    assert len(compare(nx.les_miserables_graph(), "cn", features=features, seeds=1)) == 1
    assert compare(relatives(6), "floor", seeds=1).best.model == "floor"


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"models": "cm"}, "unknown model 'cm'"),
        ({"models": []}, "`models` names no model; choose from"),
        ({"models": " , "}, "`models` names no model; choose from"),
        ({"models": "cn", "seeds": 0}, "`seeds` 0: at least one split is needed"),
        ({"models": "cn", "seeds": []}, "at least one split is needed"),
        ({"models": "cn", "protocol": "papers"}, "unknown protocol 'papers'"),
    ],
)
def test_what_makes_no_sense(airports, options, says):
    with pytest.raises((InputError, UnknownNameError), match=says):
        compare(airports, **options)


def test_a_bar_shows_runs_and_steps(airports, monkeypatch):
    shown = []

    class Bar:
        def __init__(self, progress):
            assert progress is True

        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def update(self, *values):
            shown.append(values)

    monkeypatch.setattr(module, "progress_bar", Bar)
    compare(airports, "local-2wl,cn", settings={"local-2wl": {"training": {"max_steps": 2}}}, seeds=1, progress=True)
    assert [(done, total) for _, done, total in shown] == [(0, 2), (0, 2), (1, 2), (2, 2)]
    assert shown[0][0].startswith("local-2wl, seed 0: loss")
    assert shown[-1][0] == "finished cn, seed 0"


def run(model, seed):
    return RunRecord(model, seed, {"auc": 0.5}, {"auc": 0.5}, {"fit": 0.0, "predict": 0.0}, 0, 1.0, "s")


def test_splits_that_are_not_finished_do_not_count():
    runs = [run("cn", 0), run("ra", 0), run("cn", 1)]
    assert of_whole_splits(runs) == runs[:2]
    assert of_whole_splits([run("cn", 0)]) == [run("cn", 0)]
    with_rest = [run("cn", 0), run("ra", 1)]
    assert of_whole_splits(with_rest) == with_rest[:1]


def test_the_graph_is_not_changed(airports):
    before = airports.digest
    compare(airports, "cn", seeds=np.arange(1))
    assert airports.digest == before
