from __future__ import annotations

from typing import Literal

import pytest
from pydantic import BaseModel

from linkwl.errors import InputError
from linkwl.models.settings import check_settings, flattened, has_setting, nested, setting_names, with_defaults


class Inner(BaseModel):
    depth: int = 1
    width: int = 2


class Middle(BaseModel):
    inner: Inner = Inner(depth=3)
    rate: float = 0.5


class Other(BaseModel):
    kind: Literal["other"] = "other"
    size: int = 1


class Outer(BaseModel):
    middle: Middle = Middle(inner=Inner(depth=4, width=5))
    choice: Inner | Other = Inner()
    maybe: Inner | None = None
    plain: int = 0


def test_names_have_dots():
    assert setting_names(Outer) == [
        *("middle.inner.depth", "middle.inner.width", "middle.rate"),
        *("choice.depth", "choice.width", "choice.kind", "choice.size"),
        *("maybe.depth", "maybe.width"),
        "plain",
    ]
    assert has_setting(Outer, "middle")
    assert has_setting(Outer, "middle.inner.depth")
    assert not has_setting(Outer, "middle.inne")
    assert not has_setting(Outer, "plain.depth")


def test_a_part_of_a_group_keeps_the_rest_of_the_default():
    config = Outer.model_validate(with_defaults(Outer, {"middle": {"inner": {"width": 9}}}))
    assert config.middle == Middle(inner=Inner(depth=4, width=9), rate=0.5)
    assert config.plain == 0


def test_where_there_is_a_choice_the_given_group_stands_alone():
    assert Outer.model_validate(with_defaults(Outer, {"choice": {"kind": "other", "size": 7}})).choice == Other(size=7)
    assert Outer.model_validate(with_defaults(Outer, {"maybe": {"depth": 7}})).maybe == Inner(depth=7)


def test_whole_groups_are_taken_as_they_are():
    check_settings("x", Outer, {"maybe": None, "middle": Middle(), "choice": {}})
    assert with_defaults(Outer, {"middle": Middle()})["middle"] == Middle()


@pytest.mark.parametrize(
    "settings", [{"middle": 3}, {"plane": 1}, {"middle": {"inner": {"x": 1}}}, {"plain": {"x": 1}}]
)
def test_what_is_unknown_is_refused(settings):
    with pytest.raises(InputError):
        check_settings("x", Outer, settings)


def test_dots_and_mappings_are_the_same():
    tree = {"a": {"b": {"c": 1}, "d": 2}, "e": 3}
    assert flattened(tree) == {"a.b.c": 1, "a.d": 2, "e": 3}
    assert nested(flattened(tree)) == tree
    assert flattened({"a": {}, "b": 1}) == {"b": 1}
    assert nested({"a": 1, "a.b": 2}) == {"a": {"b": 2}}
