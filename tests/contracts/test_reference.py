"""The reference can be built, and has what the package exports."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import linkwl

ROOT = Path(__file__).parents[2]


@pytest.mark.thorough
def test_every_exported_name_has_an_entry(tmp_path):
    runpy.run_path(str(ROOT / "docs" / "reference.py"))["build"](tmp_path)
    page = (tmp_path / "linkwl.html").read_text(encoding="utf-8")
    missing = [name for name in linkwl.__all__ if f'id="{name}"' not in page]
    assert missing == []
    assert "Learns from the links of a graph" in page
    assert (tmp_path / "linkwl" / "nn.html").exists()
    assert not (tmp_path / "linkwl" / "cli.html").exists()
