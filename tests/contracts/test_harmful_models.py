"""Model folders that mean harm: absurd settings, shapes and JSON are one sentence, before anything large is built."""

from __future__ import annotations

import json
import random
from typing import get_args

import pytest
from pydantic import BaseModel

from linkwl import InputError, LinkPredictor, LinkwlError, create_model, load_dataset
from linkwl.files import parse_json
from linkwl.models.registry import ROWS
from linkwl.models.settings import nested
from linkwl.storage.model_folder import load_folder

MODELS = [(name, task) for name, row in ROWS.items() for task in ("pairs", "triples") if row.has(task)]


def numbers_of(config: type[BaseModel], prefix: str = ""):
    """The settings that are numbers."""
    for name, field in config.model_fields.items():
        kinds = [field.annotation, *get_args(field.annotation)]
        for kind in kinds:
            if isinstance(kind, type) and issubclass(kind, BaseModel):
                yield from numbers_of(kind, f"{prefix}{name}.")
        if any(kind in (int, float) for kind in kinds):
            yield f"{prefix}{name}"


@pytest.mark.parametrize(("name", "task"), MODELS)
def test_every_number_among_the_settings_has_an_upper_limit(name, task):
    for setting in set(numbers_of(ROWS[name].load_class(task).Config)):
        with pytest.raises(InputError):
            create_model(name, task, **nested({setting: 2**62}))


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    graph = load_dataset("airports")
    settings = {"training": {"max_steps": 1}}
    for name in ("local-2wl", "walk-2fwl", "ra"):
        LinkPredictor(name, settings=None if name == "ra" else settings).fit(graph, folder=folder / name)
    return folder


def test_a_billion_members_are_refused(trained):
    change(
        trained / "local-2wl", lambda config: config["config"]["readout"].update(members=10**9), "less than or equal"
    )
    folder = trained / "local-2wl"
    change(folder, lambda config: config["config"]["readout"].update(members=10**9), "must be less than or equal")
    change(folder, lambda config: config["config"]["encoder"].update(layers=10**9), "must be less than or equal")
    change(folder, lambda config: config["config"]["encoder"].update(channels=10**400), "got 1000")


def change(folder, edit, says):
    path = folder / "config.json"
    whole = path.read_text()
    try:
        config = json.loads(whole)
        edit(config)
        path.write_text(json.dumps(config))
        with pytest.raises(InputError, match=says) as caught:
            load_folder(folder)
        assert len(str(caught.value)) < 400
    finally:
        path.write_text(whole)


DEEP = "[" * 100_000 + "]" * 100_000
NESTED = '{"a":' * 500 + "1" + "}" * 500


@pytest.mark.parametrize("text", [DEEP, "[" * 100_000, NESTED, '{"format": %s}' % ("9" * 5000), "1" * 400, "NaN"])
@pytest.mark.parametrize("name", ["config.json", "record.json", "calibration.json", "sha256.json"])
def test_absurd_json_is_refused(trained, name, text):
    path = trained / "local-2wl" / name
    whole = path.read_text()
    try:
        path.write_text(text)
        with pytest.raises(InputError, match=name):
            load_folder(path.parent)
    finally:
        path.write_text(whole)


def test_json_nested_too_deeply_is_no_json():
    assert parse_json('{"a": [[1, {"b": []}], 2]}') == {"a": [[1, {"b": []}], 2]}
    assert parse_json("5") == 5
    for text in (DEEP, NESTED, "[" * 40 + "]" * 40):
        with pytest.raises(ValueError, match="nested too deeply"):
            parse_json(text)


HARMFUL = [0, -1, 257, 2**16, 2**31, 2**48 - 1, 2**63, 10**400, 0.5, 1e308, True, None, "x", "9" * 400, [], {}, [[1]]]


def places_of(value, place=()):
    yield place
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield from places_of(value[key], (*place, key))


@pytest.mark.parametrize("name", ["local-2wl", "walk-2fwl", "ra"])
def test_any_value_of_a_model_may_be_absurd(trained, name):
    """A model is loaded or refused in one sentence, whatever its settings say."""
    path = trained / name / "config.json"
    whole = path.read_text()
    rng = random.Random(0)
    try:
        for place in places_of(json.loads(whole)):
            for value in rng.sample(HARMFUL, 4):
                config = json.loads(whole)
                inner = config
                for key in place[:-1]:
                    inner = inner[key]
                if place:
                    inner[place[-1]] = value
                path.write_text(json.dumps(config if place else value))
                try:
                    load_folder(path.parent)
                except LinkwlError as error:
                    assert str(path.parent) in str(error)
                    assert "\n" not in str(error)
    finally:
        path.write_text(whole)
