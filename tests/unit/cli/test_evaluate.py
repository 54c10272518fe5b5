from __future__ import annotations

import json

import numpy as np
import pytest

import triple_model
from triple_graphs import relatives, write_triples


def test_the_json_is_what_the_contract_says(linkwl_json):
    result = linkwl_json("evaluate", "airports", "--model", "cn,katz", "--seeds", "2", "--first-seed", "3")
    assert result["graph"]["name"] == "airports"
    assert (result["graph"]["nodes"], result["graph"]["edges"]) == (352, 3017)
    assert len(result["graph"]["digest"]) == 64
    assert result["protocol"]["id"] == "paper"
    assert [(run["model"], run["seed"]) for run in result["runs"]] == [("cn", 3), ("katz", 3), ("cn", 4), ("katz", 4)]
    for run in result["runs"]:
        assert set(run["metrics"]) == {"auc", "ap"}
        assert 0 < run["valid"]["auc"] < 1
        assert set(run["seconds"]) == {"prepare", "fit", "predict"}
        assert run["steps"] == 0
        assert run["peak_memory_mb"] > 10
        assert len(run["split"]) == 64
    assert set(result["summary"]["katz"]["auc"]) == {"mean", "std"}


def test_settings_come_from_file_and_command_line(linkwl_json, tmp_path):
    toml, yaml = tmp_path / "settings.toml", tmp_path / "settings.yaml"
    toml.write_text("[katz]\nbeta = 0.002\n[ppr]\nalpha = 0.5\n")
    yaml.write_text("beta: 0.002\nppr:\n  alpha: 0.5\n")
    call = ("evaluate", "airports", "--model", "katz,ppr,cn", "--seeds", "1")
    for file in (toml, yaml):
        runs = linkwl_json(*call, "--config", file)["runs"]
        assert [run["config"] for run in runs] == [{"beta": 0.002}, {"alpha": 0.5}, {}]
    runs = linkwl_json(*call, "--config", toml, "--set", "katz.beta=0.003", "--set", "alpha=0.6")["runs"]
    assert [run["config"] for run in runs] == [{"beta": 0.003}, {"alpha": 0.6}, {}]


def test_people_read_stderr_and_programs_stdout(linkwl):
    code, out, err = linkwl("evaluate", "airports", "--model", "pa", "--seeds", "1")
    assert (code, out) == (0, "")
    assert "pa" in err
    assert "protocol `paper`" in err


def test_a_file_of_ones_own(linkwl_json, tmp_path):
    file = tmp_path / "ring.tsv"
    file.write_text("".join(f"n{v}\tn{(v + 1) % 40}\n" for v in range(40)))
    result = linkwl_json("evaluate", file, "--model", "cn", "--seeds", "2")
    assert result["graph"]["name"] == "ring"
    # The ends of a hidden edge of a ring share no neighbour, so none can score above another pair.
    assert all(run["metrics"]["auc"] <= 0.5 for run in result["runs"])


def test_json_goes_to_a_file(linkwl, tmp_path):
    code, out, _ = linkwl("evaluate", "airports", "--model", "pa", "--seeds", "1", "--json", tmp_path / "r.json")
    assert (code, out) == (0, "")
    assert json.loads((tmp_path / "r.json").read_text())["summary"]["pa"]
    assert [path.name for path in tmp_path.iterdir()] == ["r.json"]


@pytest.mark.parametrize("command", ["evaluate", "inspect", "audit", "demo", "doctor", "datasets"])
def test_help_shows_examples(linkwl, command):
    code, out, _ = linkwl(command, "--help")
    assert code == 0
    assert f"linkwl {command}" in out
    assert "Example" in out


@pytest.fixture
def benchmark(tmp_path):
    """A folder of a benchmark with other entities for the test, and its labels."""
    train, test = relatives(20), relatives(8)
    facts = named(train, "train")
    write_triples(tmp_path / "kin" / "train.txt", facts[30:])
    write_triples(tmp_path / "kin" / "valid.txt", facts[:30])
    others = named(test, "test")
    write_triples(tmp_path / "kin_ind" / "train.txt", others[20:])
    write_triples(tmp_path / "kin_ind" / "test.txt", others[:20])
    for k in range(3):
        rows = [row for fact in others[:20] for row in ((*fact, "1"), (fact[2], "married to", fact[2], "0"))]
        write_triples(tmp_path / "labels" / f"test{k}.txt", rows)
    return tmp_path / "kin"


def named(graph, prefix):
    """The facts by name, in a random order."""
    order = np.random.default_rng(0).permutation(graph.num_facts)
    return [(f"{prefix} {h}", str(graph.relations[r]), f"{prefix} {t}") for h, r, t in graph.triples[order].tolist()]


def test_a_benchmark_folder_with_labels(linkwl_json, benchmark, monkeypatch):
    triple_model.register(monkeypatch)
    call = ("evaluate", benchmark, "--model", "toy-triple", "--protocol", "indigo", "--seeds", "1")
    drawn, labelled = linkwl_json(*call), linkwl_json(*call, "--labels", benchmark.with_name("labels"))
    assert drawn["graph"]["name"] == labelled["graph"]["name"] == "kin"
    assert drawn["runs"][0]["split"] != labelled["runs"][0]["split"]
    assert list(labelled["runs"][0]["metrics"]) == ["acc", "auc", "relation-hits@3", "relation-hits@3-pessimistic"]


def test_labels_that_would_not_be_used_are_refused(linkwl, benchmark):
    labels = benchmark.with_name("labels")
    for graph, protocol, problem in (
        (benchmark, "entities", "protocol `entities` does not use labels; try --protocol indigo"),
        ("airports", "indigo", "airports is a graph of pairs, and labels are for triples"),
    ):
        code, _, err = linkwl("evaluate", graph, "--model", "cn", "--protocol", protocol, "--labels", labels)
        assert code == 2
        assert problem in " ".join(err.split())


def test_several_models_are_ranked_and_one_is_recommended(linkwl, tmp_path):
    code, _, err = linkwl(
        "evaluate", "airports", "--model", "cn,ra,pa", "--seeds", "3", "--plot", tmp_path / "models.png"
    )
    assert code == 0
    rows = [line.split()[0] for line in err.splitlines() if line.strip().split(" ")[0] in ("pa", "ra", "cn")][:3]
    assert rows == ["pa", "ra", "cn"]
    assert "recommended: pa, with the highest validation AUC" in err
    assert (tmp_path / "models.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_is_a_png_file(linkwl, tmp_path):
    code, _, err = linkwl("evaluate", "airports", "--model", "pa", "--plot", tmp_path / "models.jpg")
    assert code == 2
    assert "expected the name of a PNG file" in err


def test_all_leaves_out_what_cannot_be_run(linkwl_json, linkwl, monkeypatch):
    from linkwl.cli import evaluate
    from linkwl.errors import InputError
    from linkwl.models import MODELS

    monkeypatch.setattr(evaluate, "model_ids", lambda task: ["cn", "katz"])

    def refuse(self, observed):
        raise InputError("katz needs more memory.")

    monkeypatch.setattr(MODELS["katz"], "prepare", refuse)
    result = linkwl_json("evaluate", "airports", "--model", "all")
    assert (result["ranking"], result["recommended"]) == (["cn"], "cn")
    assert result["refusals"] == {"katz": "katz needs more memory."}
    assert [(run["model"], run["seed"]) for run in result["runs"]] == [("cn", 0), ("cn", 1), ("cn", 2)]
    code, _, err = linkwl("evaluate", "airports", "--model", "cn,katz", "--seeds", "1")
    assert (code, "katz needs more memory." in err) == (2, True)


def test_what_was_finished_before_ctrl_c_is_shown(linkwl, monkeypatch, tmp_path):
    from linkwl.models import MODELS

    prepare, calls = MODELS["katz"].prepare, []

    def stop_late(self, observed):
        calls.append(observed)
        if len(calls) > 2:  # in the second split
            raise KeyboardInterrupt
        return prepare(self, observed)

    monkeypatch.setattr(MODELS["katz"], "prepare", stop_late)
    code, _, err = linkwl("evaluate", "airports", "-m", "cn,katz", "--seeds", "3", "--json", tmp_path / "part.json")
    assert code == 130
    assert "stopped after 3 of 6 runs; this is what they show." in err
    runs = json.loads((tmp_path / "part.json").read_text())["runs"]
    assert [(run["model"], run["seed"]) for run in runs] == [("cn", 0), ("katz", 0)]


def test_links_after_a_moment_are_predicted(linkwl, tmp_path):
    rows = np.random.default_rng(0).integers(0, 90, (800, 2))
    lines = [f"n{a},n{b},2024-{1 + k * 12 // 800:02d}-15" for k, (a, b) in enumerate(rows.tolist()) if a != b]
    (tmp_path / "g.csv").write_text("\n".join(["from,to,sent", *lines]))
    options = ["--protocol", "temporal", "--time", "sent", "--until", "2024-07-01", "--horizon", "60d", "--seeds", "1"]
    code, stdout, _ = linkwl("evaluate", str(tmp_path / "g.csv"), "-m", "pa", *options, "--json", "-")
    assert code == 0
    assert json.loads(stdout)["protocol"]["horizon"] == 60 * 86_400
    code, _, stderr = linkwl("evaluate", str(tmp_path / "g.csv"), "-m", "pa", "--until", "soon", *options[:4])
    assert code == 2
    assert "'soon' is no moment" in " ".join(stderr.split())
