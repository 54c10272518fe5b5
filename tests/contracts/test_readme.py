"""The README tells the truth: it is short, its code runs, its commands exist."""

from __future__ import annotations

import pytest

from pages import known_commands, named_commands, python_blocks, read_page, run_code, stated_output

README = read_page("README.md")


def test_it_is_short():
    assert len(README.splitlines()) <= 100


@pytest.mark.thorough
def test_its_python_runs(capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    (block,) = python_blocks(README)
    run_code(block, "README.md")
    printed = capsys.readouterr().out
    assert stated_output(block)
    for line in stated_output(block):
        assert line in printed


def test_its_commands_exist():
    assert named_commands(README)
    assert named_commands(README) <= known_commands()
