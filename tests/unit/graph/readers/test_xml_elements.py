from __future__ import annotations

import pytest

from linkwl import InputError
from linkwl.graph.readers.xml_elements import parse_xml


def parse(tmp_path, content: str) -> list[tuple]:
    (tmp_path / "x.xml").write_text(content)
    found: list[tuple] = []
    parse_xml(
        tmp_path / "x.xml", lambda tag, attributes: found.append((tag, attributes)), lambda *end: found.append(end)
    )
    return found


def test_tags_attributes_and_texts(tmp_path):
    found = parse(tmp_path, '<n:a xmlns:n="u" k="1"><b> x&amp;y </b></n:a>')
    assert found == [("a", {"xmlns:n": "u", "k": "1"}), ("b", {}), ("b", "x&y"), ("a", "")]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<a>", "not well-formed XML"),
        ('<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>', "declares entities"),
        ('<!DOCTYPE a [<!ENTITY % e SYSTEM "f">%e;]><a/>', "declares entities"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "encoding"),
    ],
)
def test_what_is_refused(tmp_path, content, words):
    with pytest.raises(InputError, match=words):
        parse(tmp_path, content)


def test_deep_files(tmp_path):
    assert len(parse(tmp_path, "<a>" * 100_000 + "</a>" * 100_000)) == 200_000
