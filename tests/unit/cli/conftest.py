from __future__ import annotations

import json
import sys

import pytest

from linkwl.cli.main import run


@pytest.fixture
def linkwl(monkeypatch, capsys):
    """Runs the command line in this process: exit code, standard output, standard error."""

    def call(*arguments):
        monkeypatch.setattr(sys, "argv", ["linkwl", *map(str, arguments)])
        capsys.readouterr()
        try:
            run()
            code = 0
        except SystemExit as stop:
            code = stop.code or 0
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return call


@pytest.fixture
def linkwl_json(linkwl):
    """Runs a command that must succeed, and gives the JSON it writes to standard output."""

    def call(*arguments):
        code, out, err = linkwl(*arguments, "--json", "-")
        assert code == 0, err
        return json.loads(out)

    return call
