"""The page about the networks tells the truth: its code runs, and it names every layer."""

from __future__ import annotations

import re

from linkwl import nn
from pages import python_blocks, read_page, run_code, stated_output

PAGE = read_page("docs/networks.md")


def test_its_python_runs_and_prints_what_it_says(capsys):
    blocks = python_blocks(PAGE)
    assert len(blocks) == 3
    for block in blocks:
        run_code(block, "networks.md")
        assert capsys.readouterr().out.splitlines() == stated_output(block)


def test_the_layers_it_names_exist():
    named = set(re.findall(r"`(\w+Conv)`", PAGE))
    assert named == {"LocalTwoWLConv", "TwoWLConv", "LocalTwoFWLConv", "TwoFWLConv"}
    assert named <= set(nn.__all__)
