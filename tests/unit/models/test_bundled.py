from __future__ import annotations

from importlib import resources

import pytest

from linkwl.datasets import CATALOGUE
from linkwl.models import create_model
from linkwl.models.bundled import bundled_settings

FILES = sorted(
    (kind.name, model.name, file.name.removesuffix(".toml"))
    for kind in (resources.files("linkwl") / "configs").iterdir()
    if kind.name != "candidates"
    for model in kind.iterdir()
    for file in model.iterdir()
)
NETWORKS = ["2wl", "local-2wl", "2fwl", "local-2fwl"]


@pytest.mark.parametrize(("kind", "model", "dataset"), FILES)
def test_settings_are_those_of_a_model_and_a_dataset(kind, model, dataset):
    assert kind in ("tuned", "paper")
    assert dataset in CATALOGUE
    assert bundled_settings(model, dataset, kind)
    create_model(model, **bundled_settings(model, dataset, kind))


@pytest.mark.parametrize("model", NETWORKS)
def test_published_settings_are_there_where_there_were_any(model):
    paper = {dataset for kind, name, dataset in FILES if kind == "paper" and name == model}
    assert paper == set(CATALOGUE) - {"airports"} - (set() if model.startswith("local") else {"pubmed"})


def test_what_is_not_there_is_empty():
    assert bundled_settings("local-2wl", "airports", "tuned") == {}
    assert bundled_settings("local-2wl", "usair", "default") == {}
