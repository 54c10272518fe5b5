"""The tutorial covers the job."""

from __future__ import annotations

from pages import named_commands, read_page


def test_its_commands_cover_the_job():
    assert named_commands(read_page("docs/predicting.md")) == {"train", "predict", "explain", "evaluate"}
