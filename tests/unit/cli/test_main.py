from __future__ import annotations

import pytest


@pytest.mark.thorough
def test_demo_writes_its_report(linkwl, tmp_path):
    code, _, err = linkwl("demo", "--out", tmp_path / "demo")
    assert code == 0
    assert "the likeliest missing routes" in err
    assert (tmp_path / "demo" / "index.html").is_file()


def test_without_a_command_help_is_shown(linkwl):
    _, out, _ = linkwl()
    assert "demo" in out
    assert "evaluate" in out
