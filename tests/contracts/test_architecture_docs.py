"""The page about the architecture shows the layers that are enforced, and names files that exist."""

from __future__ import annotations

import re
import tomllib

from pages import ROOT, read_page

PAGE = read_page("docs/architecture.md")


def test_its_layers_are_those_that_are_enforced():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    (contract,) = settings["tool"]["importlinter"]["contracts"]
    picture = PAGE.split("```")[1].strip().splitlines()
    assert [line.split("  ")[0] for line in picture] == contract["layers"]


def test_the_files_it_names_exist():
    named = re.findall(r"`([\w/]+\.py)`", PAGE)
    folders = re.findall(r"`(tests/[\w/]+)`", PAGE)
    assert named
    assert folders
    for name in named:
        assert (ROOT / name).exists() or (ROOT / "src" / "linkwl" / name).exists(), name
    for name in folders:
        assert (ROOT / name).is_dir(), name
