from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from linkwl import LinkPredictor
from linkwl.cli import train
from linkwl.datasets import load_airports
from linkwl.locks import LOCK
from linkwl.models import StepReport
from linkwl.owner import Owner, _start_of
from linkwl.storage.model_folder import load_folder, load_model, load_nodes
from toy_model import MODEL_FILES, register
from triple_graphs import named_relatives

TOY = ("train", "airports", "--model", "toy", "--no-report", "--out")


@pytest.fixture(autouse=True)
def known(monkeypatch):
    register(monkeypatch)


def names(folder):
    return {path.name for path in folder.iterdir()}


def test_a_model_is_trained_and_saved(linkwl, tmp_path):
    code, out, err = linkwl(*TOY, tmp_path / "m", "--seed", "2", "--set", "encoder.channels=5")
    assert (code, out) == (0, "")
    assert "AUC on held-out links (validation" in err
    assert str(tmp_path / "m") in err
    assert names(tmp_path / "m") == {*MODEL_FILES}
    model, graph = load_model(tmp_path / "m"), load_airports()
    assert model.config.encoder.channels == 5
    assert np.isfinite(model(graph, graph.edges)).all()
    assert list(load_nodes(tmp_path / "m")) == list(graph.ids)


def test_figures_of_few_links_are_called_rough(linkwl, tmp_path):
    (tmp_path / "ring.csv").write_text("".join(f"{k},{(k + step) % 60}\n" for k in range(60) for step in (1, 2)))
    code, _, err = linkwl("train", tmp_path / "ring.csv", "--model", "ra", "--no-report", "--out", tmp_path / "m")
    assert code == 0
    assert "ring has only 120 links, so few were held out and these figures are rough" in " ".join(err.split())
    assert "rough" not in linkwl("train", "airports", "--model", "ra", "--no-report", "--out", tmp_path / "n")[2]


def test_the_recommended_model_is_the_default(linkwl_json, tmp_path):
    few_steps = ("--set", "training.max_steps=2", "--no-report")
    assert linkwl_json("train", "airports", *few_steps, "--out", tmp_path / "m")["model"] == "walk-2fwl"


def test_the_json_is_the_record(linkwl_json, tmp_path):
    record = linkwl_json(*TOY, tmp_path / "m", "--seed", "2")
    assert record == json.loads((tmp_path / "m" / "record.json").read_text())
    assert (record["model"], record["seed"], record["steps"]) == ("toy", 2, 40)
    assert record["source"] == {"graph": "airports", "features": None}
    assert record["training"]["stopped"] == "max_steps"
    assert len(record["history"]["losses"]) == 40


def test_settings_come_from_a_file(linkwl_json, tmp_path):
    (tmp_path / "s.toml").write_text("[training]\nmax_steps = 3\n")
    record = linkwl_json(*TOY, tmp_path / "m", "--config", tmp_path / "s.toml")
    assert record["steps"] == 3


def test_features_are_read(linkwl_json, tmp_path):
    edges, features = tmp_path / "g.csv", tmp_path / "x.csv"
    edges.write_text("".join(f"n{v},n{(v + step) % 40}\n" for v in range(40) for step in (1, 2)))
    features.write_text("node,a,b\n" + "".join(f"n{v},{v % 3},{v % 5}\n" for v in range(40)))
    linkwl_json("train", edges, "--features", features, "--model", "toy", "--no-report", "--out", tmp_path / "m")
    assert load_model(tmp_path / "m").shape["num_features"] == 2


def test_directions_are_kept(linkwl, tmp_path):
    (tmp_path / "g.graphml").write_text(
        '<graphml xmlns="http://graphml.graphdrawing.org/xmlns"><graph edgedefault="directed">'
        + "".join(f'<node id="n{v}"/>' for v in range(30))
        + "".join(f'<edge source="n{v}" target="n{(v + 1) % 30}"/>' for v in range(30))
        + "</graph></graphml>"
    )
    code, _, err = linkwl("train", tmp_path / "g.graphml", "--model", "toy", "--no-report", "--out", tmp_path / "m")
    assert code == 0
    assert "toy reads no directions: a pair has the same score both ways" in err
    assert LinkPredictor.load(tmp_path / "m").graph_.is_directed


def test_ctrl_c_and_resume(linkwl, tmp_path, monkeypatch):
    assert linkwl(*TOY, tmp_path / "whole")[0] == 0
    steps = []

    def show(bar, task, report):
        steps.append(report.step)
        if steps == list(range(1, 18)):
            signal.raise_signal(signal.SIGINT)

    monkeypatch.setattr(train, "show_step", show)
    code, out, err = linkwl(*TOY, tmp_path / "m")
    assert (code, out) == (130, "")
    assert "to continue, add --resume to the same command" in err
    assert names(tmp_path / "m") == {"checkpoint.safetensors"}
    code, _, err = linkwl(*TOY, tmp_path / "m")
    assert code == 2
    assert "unfinished run" in err
    assert linkwl(*TOY, tmp_path / "m", "--resume")[0] == 0
    assert steps == list(range(1, 41))
    for name in ("config.json", "nodes.parquet", "model.safetensors"):
        assert (tmp_path / "m" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()
    code, _, err = linkwl(*TOY, tmp_path / "m", "--resume")
    assert (code, len(steps)) == (0, 40)  # it had ended
    code, _, err = linkwl(*TOY, tmp_path / "m", "--resume", "--seed", "1")
    assert code == 2
    assert "seed was 0 and is 1 now" in err


def test_decisions_are_learned_from(linkwl, tmp_path):
    rows = ["source,target,verdict", "PIE,SFB,rejected", "SFB,ORD,accepted", "JNU,WRG,later", ""]
    file = tmp_path / "verdicts.csv"
    file.write_text("\n".join(rows))
    code, _, err = linkwl(*TOY, tmp_path / "m", "--decisions", file)
    assert code == 0
    assert "decisions: 1 accepted, 1 rejected, 1 for later, which are not used" in err
    saved = load_folder(tmp_path / "m")
    assert saved.graph.num_edges == load_airports().num_edges + 1
    assert saved.record.decisions["rejected"] == 1
    assert saved.record.source["decisions"] == str(file)
    assert linkwl(*TOY, tmp_path / "m", "--decisions", file, "--resume")[0] == 0
    code, _, err = linkwl(*TOY, tmp_path / "m", "--resume")
    assert code == 2
    assert "trained model of another run: its train pairs are not those of this graph" in err


def test_the_bar_shows_loss_and_validation_auc():
    report = StepReport("toy", 3, 5, 40, 0.4321, "AUC", 0.9, 0.95, 4)
    assert train.step_text(report) == "toy, seed 3: loss 0.432, valid AUC 90.00 % (best 95.00 %)"
    at_best = replace(report, valid=0.95)
    assert train.step_text(at_best) == "toy, seed 3: loss 0.432, valid AUC 95.00 %"
    early = StepReport("toy", 3, 1, 40, 0.4321, "AUC", None, None, 0)
    assert train.step_text(early) == "toy, seed 3: loss 0.432"


def test_the_bar_begins_where_a_run_begins():
    from linkwl.cli.progress import progress_bar

    bar = progress_bar()
    task = bar.add_task("", total=None, visible=False)
    for step in (21, 22, 23, 1, 2):
        train.show_step(bar, task, StepReport("toy", 0, step, 40, 0.5, "AUC", None, None, 0))
        assert (bar.tasks[0].completed, bar.tasks[0].total, bar.tasks[0].visible) == (step, 40, True)


def test_help_shows_examples(linkwl):
    code, out, _ = linkwl("train", "--help")
    assert code == 0
    assert "linkwl train airports --out airports-model" in " ".join(out.split())


@pytest.mark.thorough
def test_a_page_is_written_beside_the_model(linkwl, tmp_path):
    code, _, err = linkwl("train", "airports", "--model", "toy", "--out", tmp_path / "m", "--prior", "0.125")
    assert code == 0
    assert names(tmp_path / "m") == {*MODEL_FILES, "report.html"}
    assert "report.html in a browser" in err
    page = (tmp_path / "m" / "report.html").read_text()
    assert "if the share of links among the scored pairs is\n12.5 %. That share is an assumption." in page


def test_an_impossible_prior(linkwl, tmp_path):
    code, _, err = linkwl(*TOY, tmp_path / "m", "--prior", "2")
    assert code == 2
    assert "a share lies between 0 and 1" in err
    assert not (tmp_path / "m").exists()


def test_a_folder_with_something_else_is_not_touched(linkwl, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    for more in ((), ("--resume",)):
        code, _, err = linkwl(*TOY, tmp_path, *more)
        assert code == 2
        assert "this folder holds something other than a model" in err
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]


def test_a_heuristic_is_trained_like_any_other_model(linkwl, tmp_path):
    code, _, err = linkwl("train", "airports", "--model", "ra", "--no-report", "--out", tmp_path / "m")
    assert code == 0
    assert "ra on airports" in err
    assert load_model(tmp_path / "m").id == "ra"


def test_several_models_are_compared(linkwl, tmp_path, monkeypatch):
    monkeypatch.setattr("linkwl.predict.predictor.auto_models", lambda task: ["toy", "ra", "cn"])
    options = ("--no-report", "--engine", "inline", "--out", tmp_path / "m")
    code, _, err = linkwl("train", "airports", "--model", "auto", *options)
    assert code == 0
    assert "none has a higher AUC on validation links" in err
    assert load_model(tmp_path / "m").id in ("toy", "ra", "cn")


QUICK_FACTS = ("--set", "training.max_steps=3", "--no-report", "--out")


def test_facts_are_trained_and_measured_in_words(linkwl, tmp_path):
    graph = named_relatives()
    names = [str(name) for name in graph.ids], [str(name) for name in graph.relations]
    lines = [f"{names[0][t]},{names[1][r]},{names[0][h]}\n" for h, r, t in graph.triples.tolist()]
    (tmp_path / "facts.csv").write_text("who,how,whom\n" + "".join(lines))
    (tmp_path / "types.csv").write_text("entity,type\n" + "".join(f"{name},person\n" for name in names[0]))
    columns = ("--head", "whom", "--relation", "how", "--tail", "who", "--types", tmp_path / "types.csv")
    code, out, err = linkwl("train", tmp_path / "facts.csv", *columns, *QUICK_FACTS, tmp_path / "m")
    assert (code, out) == (0, ""), err
    assert re.search(r"% ACC, [0-9.]+ % AUC, [0-9.]+ % relation Hits@3 on held-out facts \(validation", err)
    saved = load_folder(tmp_path / "m")
    assert {name: saved.record.source[name] for name in ("head", "relation", "tail")} == {
        "head": "whom",
        "relation": "how",
        "tail": "who",
    }
    assert saved.record.source["types"] == str(tmp_path / "types.csv")
    assert saved.graph.num_facts == graph.num_facts
    assert saved.graph.types is not None


def test_scores_of_facts_that_say_nothing(linkwl, tmp_path, monkeypatch):
    monkeypatch.setattr("linkwl.models.calibration.Calibration.is_flat", property(lambda _: True))
    code, _, err = linkwl("train", "world", *QUICK_FACTS, tmp_path / "m")
    assert code == 0
    assert "on validation facts the scores were no better than chance, so every triple is given the prior" in err


def test_a_dozen_facts_are_too_few(linkwl, tmp_path):
    (tmp_path / "facts.tsv").write_text("".join(f"a{k}\tknows\ta{(k * k) % 7}\n" for k in range(12)))
    code, _, err = linkwl("train", tmp_path / "facts.tsv", *QUICK_FACTS, tmp_path / "m")
    assert code == 2
    assert "facts: 12 facts are too few to split; at least 20 are needed" in err
    assert not (tmp_path / "m").exists()


@pytest.mark.thorough
def test_of_two_trainings_in_one_folder_one_is_refused(tmp_path):
    command = [sys.executable, "-m", "linkwl", "train", "airports", "--out", str(tmp_path / "m"), "--no-report"]
    command += ["--model", "local-2wl", "--set", "training.max_steps=20"]
    runs = [subprocess.Popen([*command, "--seed", seed], stderr=subprocess.PIPE, text=True) for seed in "01"]
    said = [run.communicate()[1] for run in runs]
    codes = [run.returncode for run in runs]
    assert sorted(codes) == [0, 2], said
    refused = said[codes.index(2)]
    assert "another run (process" in refused or "already holds a trained model" in refused
    assert LinkPredictor.load(tmp_path / "m").record_.seed == codes.index(0)


def test_a_folder_that_another_run_writes_to(linkwl, tmp_path):
    (tmp_path / "m").mkdir()
    owner = Owner.current()
    parent = owner._replace(pid=os.getppid(), start=_start_of(os.getppid()))
    (tmp_path / "m" / LOCK).write_text(json.dumps(parent._asdict()))
    for command in ("train", "tune"):
        code, _, err = linkwl(command, "airports", "--model", "mf", "--out", tmp_path / "m")
        assert code == 2
        assert f"another run (process {os.getppid()}) is writing to this folder" in err
    assert [path.name for path in (tmp_path / "m").iterdir()] == [LOCK]
