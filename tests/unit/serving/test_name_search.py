from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from linkwl.serving.name_search import NameSearch


def slow(names, text, limit):
    """Looks at every name."""
    key = text.casefold().replace("\n", " ")
    keys = [name.casefold().replace("\n", " ") for name in names]
    order = sorted(range(len(names)), key=keys.__getitem__)
    begin = [node for node in order if keys[node].startswith(key)]
    inside = [node for node in order if key in keys[node] and not keys[node].startswith(key)]
    return (begin + inside)[:limit]


LETTERS = st.text("aAbB \nßé", max_size=4)


@given(st.lists(LETTERS, max_size=12), LETTERS, st.integers(1, 6))
def test_it_finds_what_looking_at_every_name_finds(names, text, limit):
    assert NameSearch(names).find(text, limit) == slow(names, text, limit)


def test_beginnings_come_first_then_parts():
    assert NameSearch(["Hannah", "Bob", "ann", "Anna"]).find("AN", 10) == [2, 3, 0]


def test_no_text_matches_all():
    assert NameSearch(["b", "a"]).find("", 10) == [1, 0]


def test_a_text_across_two_names_is_not_found():
    assert NameSearch(["ab", "cd"]).find("b\nc", 10) == []
