from __future__ import annotations

import pytest

from linkwl.errors import InputError, UnknownNameError
from linkwl.printable import printable


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain \u00e9 \u4e2d \U0001f600", "plain \u00e9 \u4e2d \U0001f600"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("\x1b]0;title\x07", r"\x1b]0;title\x07"),
        ("a\rb", r"a\x0db"),
        ("\x9b2J", r"\x9b2J"),
        ("\x7f\x00\x08", r"\x7f\x00\x08"),
        ("user\u202egnp.exe", r"user\u202egnp.exe"),
        ("\u2066a\u2069\u200f", r"\u2066a\u2069\u200f"),
        ("half \udc80", r"half \udc80"),
        ("two\nlines\tand a tab", "two\nlines\tand a tab"),
    ],
)
def test_control_characters_are_spelled_out(text, shown):
    assert printable(text) == shown
    shown.encode()


def test_a_name_stays_in_its_line():
    assert printable("a\nerror: fake\tb", lines=False) == r"a\nerror: fake\tb"


def test_error_sentences_are_printable():
    assert str(InputError("node \x1b[2J", path="g\x1b.csv")) == r"g\x1b.csv: node \x1b[2J"
    assert "\x1b" not in str(UnknownNameError("node", "a", ["a\x1b", "a\x9b"]))
