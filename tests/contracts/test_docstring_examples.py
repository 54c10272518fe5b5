"""Every name that ``linkwl`` exports has an example, and those of its classes use their main methods."""

from __future__ import annotations

import re

import pytest

import linkwl

MAIN_METHODS = {
    "Graph": ["contains", "from_pairs", "neighbours", "to_scipy", "with_", "without"],
    "KnowledgeGraph": ["contains", "from_triples", "without"],
    "LinkPredictor": [
        *("decision_function", "evaluate", "explain", "fit", "load", "predict_proba"),
        *("recommend", "recommend_per_node", "save"),
    ],
    "Observed": ["without"],
    "RandomSplit": ["apply"],
}


def example(name):
    """The lines of code in the docstring."""
    return "\n".join(re.findall(r"^\s*(?:>>>|\.\.\.) (.*)$", getattr(linkwl, name).__doc__ or "", flags=re.MULTILINE))


@pytest.mark.parametrize("name", [name for name in linkwl.__all__ if not name.isupper()])
def test_an_exported_name_has_an_example(name):
    assert example(name), f"add an example to the docstring of linkwl.{name}"


@pytest.mark.parametrize("name", MAIN_METHODS)
def test_the_example_of_a_class_uses_its_main_methods(name):
    for method in MAIN_METHODS[name]:
        assert callable(getattr(getattr(linkwl, name), method))
        assert f".{method}(" in example(name), f"show {name}.{method} in its example"
