from __future__ import annotations

import pytest

from linkwl.errors import InputError
from linkwl.graph.readers.header import may_be_header
from linkwl.graph.readers.table_text import open_table_text


@pytest.fixture
def open_text(tmp_path):
    def open_text(content: str, requested=(), **options):
        (tmp_path / "facts.txt").write_text(content)
        return open_table_text(tmp_path / "facts.txt", requested=requested, **options)

    return open_text


@pytest.mark.parametrize(
    ("text", "requested", "header"),
    [
        ("source,target\na,b\n", (), ("source", "target")),
        ("head,relation,tail\na,r,b\n", (), ("head", "relation", "tail")),
        ("s,p,o\na,r,b\n", (), ("s", "p", "o")),
        ("s,p,o\na,r,s\n", (), None),  # s may be a node
        ("who,does,whom\na,r,b\n", (), ("who", "does", "whom")),
        ("who,does,whom\na,r,b\n", ("does",), ("who", "does", "whom")),
        ("one,two,three\na,r,b\n", ("2", 2), None),
        ("subject,object\na,b\n", (), ("subject", "object")),
        ("property,a,object\nb,property,c\n", (), None),
    ],
)
def test_headers(open_text, text, requested, header):
    text = open_text(text, requested)
    assert text.dialect.header == header
    names = [f"`{name}`" for name in header] if header else [str(k + 1) for k in range(text.dialect.num_columns)]
    assert text.column_names == names


def test_the_error_says_what_was_expected(open_text):
    with pytest.raises(InputError, match="expected two node ids per line"):
        open_text("a\nb\n")
    with pytest.raises(InputError, match="expected three names per line"):
        open_text("a\nb\n", expected="three names per line")


def test_a_first_row_that_may_be_a_header():
    rows = [("who", "does", "whom"), *((f"a{k}", f"r{k % 2}", f"b{k}") for k in range(9))]
    assert may_be_header(rows, (0, 1, 2))
    assert not may_be_header(rows[:5], (0, 1, 2))
    assert not may_be_header(rows[1:], (0, 1, 2))
    assert may_be_header(rows[1:], (0, 2))
    assert not may_be_header([("1", "2"), *rows], (0, 1))
