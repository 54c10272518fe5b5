from __future__ import annotations

import pytest
from typer.testing import CliRunner

from linkwl.cli.main import app
from linkwl.cli.settings import BUNDLED


@pytest.mark.parametrize("command", ["train", "evaluate"])
def test_help_names_the_bundled_settings(command):
    shown = CliRunner().invoke(app, [command, "--help"], env={"COLUMNS": "200"}).output
    assert "--set" in shown
    assert all(f"`{kind}`" in shown for kind in BUNDLED)
