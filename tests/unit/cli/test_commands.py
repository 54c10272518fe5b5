from __future__ import annotations

import subprocess
import sys

import pytest

from linkwl.cli.commands import COMMANDS, load_command

HEAVY = ("matplotlib", "numba", "numpy", "pandas", "pyarrow", "scipy", "torch", "yaml")
WITHOUT = """
import sys
from linkwl.cli.main import run
sys.argv = ["linkwl", *{arguments!r}]
try:
    run()
except SystemExit as stop:
    assert not stop.code, stop.code
print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)
"""


def imported(arguments, heavy=HEAVY):
    code = WITHOUT.format(arguments=arguments, heavy=heavy)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Usage" in done.stdout
    return done.stderr.strip()


def test_help_imports_nothing_that_is_slow():
    own = ("linkwl.cli.train", "linkwl.graph", "linkwl.models", "linkwl.datasets")
    assert imported(["--help"], (*HEAVY, "pydantic", *own)) == "[]"


@pytest.mark.thorough
@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_imports_no_library_of_numbers(command):
    assert imported([command, "--help"]) == "[]"


def test_the_list_says_what_the_help_says():
    for name, summary in COMMANDS.items():
        command = load_command(name)
        assert command.name == name
        assert " ".join(command.help.split("\n\n")[0].split()) == summary


def test_unknown_commands_are_no_modules(linkwl):
    code, _, err = linkwl("console")
    assert code == 2
    assert err.startswith("error: unknown command 'console'")
