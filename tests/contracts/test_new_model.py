"""A model is one file and one row of the registry: everything else works without another line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import toy_model
import triple_model
from linkwl import LinkPredictor, create_model, evaluate_models
from linkwl.benchmark.grid import GRIDS
from linkwl.cli.main import app
from linkwl.datasets import load_airports
from linkwl.errors import InputError
from linkwl.models import MODELS
from linkwl.predict import RankedFact
from linkwl.protocols import PROTOCOLS
from linkwl.splits import audit_split


@pytest.fixture(autouse=True)
def known(monkeypatch):
    toy_model.register(monkeypatch)
    triple_model.register(monkeypatch)


@pytest.fixture(scope="module")
def families():
    return triple_model.family()


def linkwl(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)


@pytest.mark.parametrize("protocol", ["paper", "hits", "heart"])
def test_a_model_of_pairs_is_evaluated_under_every_protocol(protocol):
    result = evaluate_models(load_airports(), [create_model("toy")], PROTOCOLS[protocol], [0])
    assert set(result.summary["toy"]) == set(PROTOCOLS[protocol].metrics)
    assert all(0 < value["mean"] <= 1 for value in result.summary["toy"].values())
    assert result.protocol["id"] == protocol


def test_a_model_of_pairs_goes_all_the_way_on_the_command_line(tmp_path):
    folder, ranked, why = tmp_path / "m", tmp_path / "top.csv", tmp_path / "why.json"
    assert linkwl("train", "airports", "--model", "toy", "--out", folder).exit_code == 0
    assert (folder / "report.html").exists()
    assert linkwl("predict", folder, "--top-k", 5, "--out", ranked).exit_code == 0
    assert len(ranked.read_text().splitlines()) == 6
    assert linkwl("explain", folder, "--pair", "JNU", "WRG", "--json", why).exit_code == 0
    assert json.loads(why.read_text())["pair"] == ["JNU", "WRG"]
    loaded = LinkPredictor.load(folder)
    assert loaded.model_.id == "toy"
    evaluated = linkwl("evaluate", "airports", "--model", "toy", "--protocol", "hits", "--seeds", 1, "--json", "-")
    assert json.loads(evaluated.stdout)["runs"][0]["model"] == "toy"


def test_it_is_in_the_tables_and_in_the_lists():
    toys = {"pairs": "toy", "triples": "toy-triple"}
    for grid in GRIDS.values():
        assert [toy for toy in toys.values() if toy in grid.networks] == [toys[grid.task]]
        assert toys[grid.task] in {cell.model for cell in grid.cells(seeds=1)}
    assert set(toys.values()) <= set(MODELS)


def test_help_lists_the_registry(monkeypatch):
    """Options are made when a command's module is imported, so the help of a fresh process is read."""
    import subprocess
    import sys
    from pathlib import Path

    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); from linkwl.models import registry;"
        "registry.ROWS['toy'] = registry.ModelRow('toy', 'Toy', 'toy_model:Toy', 'network');"
        "from linkwl.cli.main import app; app(['evaluate', '--help'])"
    )
    command = [sys.executable, "-c", code, str(Path(toy_model.__file__).parent)]
    help_text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert "toy" in help_text


@pytest.mark.parametrize("protocol", ["paper", "hits"])
def test_a_model_of_triples_is_evaluated(families, protocol):
    chosen = PROTOCOLS[protocol]
    split = chosen.apply(families, 0)
    assert audit_split(split, families).passed
    result = evaluate_models(families, [create_model("toy-triple")], chosen, [0, 1])
    assert result.graph.name == "families"
    assert result.summary["toy-triple"]["auc"]["mean"] > 0.7


def test_hard_negatives_of_triples_are_refused_with_a_sentence(families):
    with pytest.raises(InputError, match="hard negatives are for pairs; use another protocol"):
        PROTOCOLS["heart"].apply(families, 0)


def test_a_model_of_triples_goes_all_the_way(families, tmp_path):
    predictor = LinkPredictor("toy-triple").fit(families, folder=tmp_path / "m")
    top = predictor.recommend(5)
    assert isinstance(top.head(1)[0], RankedFact)
    assert not families.contains(top.queries).any()
    loaded = LinkPredictor.load(tmp_path / "m")
    assert loaded.graph_.digest == families.digest
    assert [tuple(fact) for fact in loaded.recommend(5)] == [tuple(fact) for fact in top]
    query = ("ann 0", "parent of", "cid 0")
    assert loaded.predict_proba([query]).shape == (1, 2)
    explanation = loaded.explain(query)
    assert explanation.is_link
    total = explanation.baseline + sum(part.contribution for part in explanation.parts)
    assert total == pytest.approx(explanation.score)
    assert explanation.to_text(families).startswith("ann 0 -parent of-> cid 0: score")
    with pytest.raises(InputError, match="unknown relation 'parent off'; did you mean 'parent of'"):
        loaded.explain(("ann 0", "parent off", "cid 0"))


def test_a_model_of_triples_on_the_command_line(families, tmp_path):
    LinkPredictor("toy-triple").fit(families, folder=tmp_path / "m")
    found = linkwl("predict", tmp_path / "m", "--top-k", 3)
    assert found.exit_code == 0
    assert found.stdout.splitlines()[0] == "head,relation,tail,score,probability,rank"
    why = linkwl("explain", tmp_path / "m", "--triple", "ann 0", "parent of", "cid 0", "--json", "-")
    assert json.loads(why.stdout)["triple"] == ["ann 0", "parent of", "cid 0"]
    with pytest.raises(InputError, match="explain a fact with --triple H R T instead of --pair"):
        linkwl("explain", tmp_path / "m", "--pair", "ann 0", "bob 0")


def test_changing_held_out_triples_changes_no_training_step(families):
    from dataclasses import replace

    from fitting import fit, swapped

    split = PROTOCOLS["paper"].apply(families, 0)
    other = replace(split, valid=swapped(split.valid), test=swapped(split.test))
    histories = [fit(create_model("toy-triple"), part) for part in (split, other)]
    assert histories[0].losses == histories[1].losses


def test_models_and_graphs_of_different_tasks_are_refused(families):
    with pytest.raises(InputError, match="ra scores pairs, and families is a graph of triples"):
        create_model("ra")(families, np.array([(0, 1, 2)]))
    with pytest.raises(InputError, match="toy-triple scores triples, and airports is a graph of pairs"):
        evaluate_models(load_airports(), [create_model("toy-triple")], PROTOCOLS["paper"], [0])
