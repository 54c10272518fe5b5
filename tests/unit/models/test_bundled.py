from __future__ import annotations

import tomllib
from importlib import resources

import pytest

from linkwl.datasets import CATALOGUE, benchmark_names
from linkwl.models import bundled, create_model
from linkwl.models.bundled import bundled_settings, has_bundled_settings
from linkwl.models.registry import model_ids

FILES = {
    file.name.removesuffix(".toml"): tomllib.loads(file.read_text())
    for file in sorted((resources.files("linkwl") / "configs").iterdir(), key=lambda file: file.name)
}
NETWORKS = model_ids("network")


def datasets(model: str, kind: str) -> set[str]:
    return {dataset for entry in FILES[model].get(kind, []) for dataset in entry.get("datasets", [])}


@pytest.mark.parametrize("model", FILES)
def test_settings_are_those_of_a_model_and_a_dataset(model):
    assert model in model_ids()
    assert set(FILES[model]) <= {"tuned", "paper"}
    for kind in FILES[model]:
        for dataset in datasets(model, kind):
            assert dataset in CATALOGUE
            settings = bundled_settings(model, dataset, kind)
            assert settings or kind == "tuned"  # the defaults may be the best of all trials
            assert "datasets" not in settings
            create_model(model, task=CATALOGUE[dataset].task, **settings)


@pytest.mark.parametrize("model", FILES)
def test_every_entry_says_something_that_no_other_says(model):
    for kind, entries in FILES[model].items():
        contents = [{name: value for name, value in entry.items() if name != "datasets"} for entry in entries]
        assert all(contents) or kind == "tuned"
        assert all(content not in contents[:place] for place, content in enumerate(contents))


@pytest.mark.parametrize("model", model_ids("network", task="pairs"))
def test_every_network_has_tuned_settings_for_every_benchmark_of_pairs(model):
    assert datasets(model, "tuned") == set(benchmark_names("pairs"))


@pytest.mark.parametrize("model", NETWORKS)
def test_published_settings_are_there_where_there_were_any(model):
    everything = set(benchmark_names("pairs")) | set(benchmark_names("triples"))
    expected = everything if model.startswith("local") else set(benchmark_names("pairs")) - {"pubmed"}
    assert datasets(model, "paper") == expected


def test_published_settings_of_indigo():
    assert datasets("indigo", "paper") == set(benchmark_names("triples"))
    settings = bundled_settings("indigo", "fb237_v4", "paper")
    assert (settings["variant"], settings["channels"], settings["training"]["max_steps"]) == ("paper", 64, 3000)


def test_published_settings_of_one_graph_of_triples():
    settings = bundled_settings("local-2fwl", "fb237_v2", "paper")
    assert settings["stars"] == {"channels": 128, "rounds": 1, "dropout": 0.2, "norm": True, "activation": False}
    assert settings["walks"] == {"channels": 16, "dropout": 0.7, "norm": True, "activation": False}
    assert settings["training"] == {
        "weight_decay": 5e-8,
        "max_steps": 1000,
        "patience": 1000,
        "evaluate_every": 1,
        "average": 0.0,
        "learning_rate": 0.0003,
    }


def test_entries_add_up():
    """A few published values, from the entry for all datasets and from that of one."""
    settings = bundled_settings("local-2fwl", "cora", "paper")
    assert (settings["training"]["average"], settings["training"]["learning_rate"]) == (0.0, 0.001)
    assert (settings["pairs"]["read"], settings["pairs"]["dropout"]) == ("last", 0.8)


def test_settings_can_be_changed_without_changing_the_next():
    bundled_settings("local-2wl", "usair", "paper")["pairs"]["channels"] = 1
    assert bundled_settings("local-2wl", "usair", "paper")["pairs"]["channels"] == 64


def test_what_is_not_there_is_empty():
    assert bundled_settings("local-2wl", "airports", "tuned") == {}
    assert bundled_settings("local-2wl", "usair", "default") == {}
    assert bundled_settings("cn", "usair", "tuned") == {}


def test_settings_that_equal_the_defaults_are_not_missing(monkeypatch):
    monkeypatch.setattr(bundled, "_entries", lambda model: {"tuned": [{"datasets": ["usair"]}]})
    assert bundled_settings("gcn", "usair", "tuned") == {}
    assert has_bundled_settings("gcn", "usair", "tuned")
    assert not has_bundled_settings("gcn", "ns", "tuned")
    assert not has_bundled_settings("gcn", "usair", "paper")
