"""The page on predicting tells the truth: its Python runs from top to bottom and prints what it says."""

from __future__ import annotations

import pytest

from pages import named_commands, python_blocks, read_page, run_code, stated_output

PAGE = read_page("docs/predicting.md")


@pytest.mark.thorough
def test_its_python_prints_what_it_says(capsys):
    code = "\n".join(python_blocks(PAGE))
    run_code(code, "predicting.md")
    assert capsys.readouterr().out.splitlines() == stated_output(code)
    assert len(stated_output(code)) == 39


def test_its_commands_cover_the_job():
    assert named_commands(PAGE) == {"inspect", "convert", "train", "predict", "explain", "evaluate", "tune"}
