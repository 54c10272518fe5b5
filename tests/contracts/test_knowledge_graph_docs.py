"""The page on knowledge graphs names every model of triples."""

from __future__ import annotations

from linkwl.models.registry import model_ids
from pages import named_commands, read_page

PAGE = read_page("docs/knowledge-graphs.md")


def test_it_names_every_model_of_triples():
    rows = {line.split("`")[1] for line in PAGE.splitlines() if line.startswith("| `")}
    assert rows == set(model_ids(task="triples"))


def test_its_commands_exist():
    assert named_commands(PAGE) == {"inspect", "train", "predict", "explain", "evaluate", "audit"}
