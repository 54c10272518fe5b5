from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest
from typer.testing import CliRunner

from linkwl.cli.feature_options import FEATURES, NOTHING_KNOWN, OTHER_FEATURES, Known, MissingFeatures
from linkwl.cli.main import app

COMMANDS = ["inspect", "train", "tune", "evaluate", "predict", "explain"]


def test_every_field_is_an_option():
    names = [field.name for field in fields(Known)]
    assert list(FEATURES.options) == list(OTHER_FEATURES.options) == names
    assert FEATURES.make(**{name: default for name, (_, default) in FEATURES.options.items()}) == NOTHING_KNOWN


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_them(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    for option in FEATURES.options:
        assert f"--{option.replace('_', '-')}" in shown


def test_what_is_given():
    known = Known(Path("f.csv"), MissingFeatures.FILL, "none", Path("p.csv"), Path("t.csv"))
    assert known.files == (Path("f.csv"), Path("p.csv"), Path("t.csv"))
    assert list(known.of_graph) == ["features", "missing-features", "coordinates", "types"]
    assert known.origin == {"features": "f.csv", "pair_features": "p.csv", "types": "t.csv"}
    assert NOTHING_KNOWN.of_graph == {}
    assert NOTHING_KNOWN.origin == {"features": None}
