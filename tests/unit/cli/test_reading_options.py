from __future__ import annotations

from dataclasses import fields

import pytest
from typer.testing import CliRunner

from linkwl import InputError
from linkwl.cli.main import app
from linkwl.cli.reading_options import OPTIONS, make_reading, with_values
from linkwl.graph.reading import AS_DECLARED, Reading

COMMANDS = ["inspect", "audit", "train", "tune", "evaluate", "predict", "explain", "wl compare", "wl refine"]


def test_every_field_is_an_option():
    others = ["coordinates"]  # an option of its own, since it is about --features as well
    assert [*OPTIONS, *others] == [field.name for field in fields(Reading)]


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_them(command):
    shown = CliRunner().invoke(app, [*command.split(), "--help"], env={"COLUMNS": "200"}).output
    for option in OPTIONS:
        assert f"--{option.replace('_', '-')}" in shown


def test_what_options_mean():
    assert make_reading(**dict.fromkeys(OPTIONS)) == AS_DECLARED
    assert make_reading(
        directed="auto", bipartite="no", relation="none", weight="yes", time="3", header=False
    ) == Reading(directed="auto", bipartite=False, relation=False, weight=True, time="3", header=False)
    with pytest.raises(InputError, match="--directed perhaps: expected yes, no or auto"):
        make_reading(directed="perhaps")
    with pytest.raises(InputError, match="--merge mean"):
        make_reading(merge="mean")


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("--directed g.csv", "--directed yes g.csv"),
        ("g.csv --directed", "g.csv --directed yes"),
        ("g.csv --directed auto", "g.csv --directed auto"),
        ("--undirected g.csv", "--directed no g.csv"),
        ("--bipartite --directed no g.csv", "--bipartite yes --directed no g.csv"),
        ("-- --directed", "-- --directed"),
    ],
)
def test_options_that_may_stand_alone(given, full):
    assert with_values(given.split()) == full.split()
