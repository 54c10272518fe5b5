from __future__ import annotations

import importlib
import pkgutil

import pytest

import linkwl

PACKAGES = ["linkwl", *(m.name for m in pkgutil.walk_packages(linkwl.__path__, "linkwl.") if m.ispkg)]


@pytest.mark.parametrize("name", PACKAGES)
def test_all_lists_what_is_there_in_order(name):
    package = importlib.import_module(name)
    exported = getattr(package, "__all__", [])
    assert all(hasattr(package, member) for member in exported)

    # ruff's order: constants, then classes, then functions
    def kind(member):
        return 0 if member.isupper() else 1 if member[0].isupper() else 2

    assert exported == sorted(exported, key=lambda member: (kind(member), member))


def test_dir_shows_what_there_is_and_nothing_else():
    shown = [name for name in dir(linkwl) if not name.startswith("__")]
    assert set(linkwl.__all__) < set(shown)
    assert all(hasattr(linkwl, name) for name in shown)
    parts = set(shown) - set(linkwl.__all__)
    assert parts == {name for name in parts if importlib.import_module(f"linkwl.{name}") is getattr(linkwl, name)}
    assert {"nn", "wl", "plots"} <= parts
    assert {"os", "Any", "TYPE_CHECKING", "version", "import_module", "errors", "memory", "cli"}.isdisjoint(shown)
    assert "__version__" in dir(linkwl)


def test_other_names_are_refused():
    with pytest.raises(AttributeError, match="module 'linkwl' has no attribute 'link_predictor'"):
        linkwl.link_predictor  # noqa: B018


def test_the_version_is_that_of_the_package():
    from importlib.metadata import version

    assert version("linkwl") == linkwl.__version__
