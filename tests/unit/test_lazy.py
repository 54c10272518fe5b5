from __future__ import annotations

import sys

import pytest

import linkwl.models
from linkwl.lazy import lazy_names


def test_a_name_is_imported_once(monkeypatch):
    monkeypatch.delitem(vars(linkwl.models), "create_model", raising=False)
    find = lazy_names("linkwl.models", {"linkwl.models.registry": ["create_model"]})
    found = find("create_model")
    assert found is linkwl.models.registry.create_model
    assert vars(linkwl.models)["create_model"] is found


def test_modules_are_found_by_their_names():
    find = lazy_names("linkwl.models", {})
    assert find("needs") is sys.modules["linkwl.models.needs"]


@pytest.mark.parametrize("name", ["no_such_thing", "__wrapped__"])
def test_other_names_are_unknown(name):
    with pytest.raises(AttributeError, match=f"module 'linkwl.models' has no attribute '{name}'"):
        getattr(linkwl.models, name)
    assert not hasattr(linkwl, name)
