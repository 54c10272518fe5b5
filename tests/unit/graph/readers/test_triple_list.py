from __future__ import annotations

import pytest

from linkwl.graph.readers.table_text import open_table_text
from linkwl.graph.readers.triple_list import looks_like_triples, triple_table


@pytest.fixture
def open_text(tmp_path):
    def open_text(content: str):
        (tmp_path / "facts.txt").write_text(content)
        return open_table_text(tmp_path / "facts.txt")

    return open_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a r b\nb r c\n", True),
        ("a r b\nb s c\n", False),  # nothing repeats
        ("a r b\n", False),
        ("a r b\nb s c\nc r d\n", True),
        ("a r b\nb s c\nc t d\nd r e\n", False),  # three of four are different
        ("a b r\nc b r\nd e r\n", False),  # the third has fewer names than the second
        ("a b c\nb b a\n", False),  # the second holds a node
        ("a r b\nb 5 c\nc r d\n", False),  # the second holds a number
        ("a r b 1\nb r c 2\n", False),  # four columns
        ("head relation tail\na r b\nb r c\n", False),  # the header says it
        ("10 of 07\n07 of 11\n", True),
        ("10 of 7.5\n7.5 of 11\n", False),
        ("10 of 7\n12 of 11\n", False),
    ],
)
def test_what_looks_like_triples(open_text, text, expected):
    assert looks_like_triples(open_text(text)) is expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(k, k % 3, (7 * k + 1) % 40) for k in range(40)], True),
        ([(k, 5, (7 * k + 1) % 40) for k in range(40)], True),  # one relation
        ([(k, k % 3, k % 5) for k in range(40)], False),  # ratings
        ([(k, k % 3, 1000 + k) for k in range(40)], False),  # times: no number of the first column is in the third
        ([(k, k % 3, k % 15) for k in range(40)], False),  # counts are smaller than ids
        ([(k % 40, k // 40, (7 * k) % 40) for k in range(120)], False),  # the targets ascend
        ([(u, v, (u * v) % 20) for u in range(20) for v in range(u)], False),  # a complete graph with weights
        ([(k, k % 20, (7 * k + 1) % 40) for k in range(40)], False),  # too many relations
        ([(k, k % 3, f"0.{k}") for k in range(40)], False),
        ([(k, k % 3, f"{k}{'0' * 5000}") for k in range(20)], False),
    ],
)
def test_numbers_that_look_like_triples(open_text, rows, expected):
    text = "".join(f"{h} {r} {t}\n" for h, r, t in rows)
    assert looks_like_triples(open_text(text)) is expected


def test_lines_of_names(open_text):
    table = triple_table(open_text("a,r,b\nb,a,c\nc,r,r\n"), (0, 1, 2))
    assert table.line_of("node", "c") == 2
    assert table.line_of("node", "r") == 3
    assert table.line_of("relation", "a") == 2
    assert table.line_of("relation", "x") is None


def test_whole_numbers_are_numbers(open_text):
    table = triple_table(open_text("5,10,6\n6,20,7\n"), (0, 1, 2))
    assert [column.to_pylist() for column in (table.head, table.relation, table.tail)] == [[5, 6], [10, 20], [6, 7]]
    mixed = triple_table(open_text("5,10,6\n6,020,7\n"), (0, 1, 2))
    assert [column.to_pylist() for column in (mixed.head, mixed.relation)] == [[5, 6], ["10", "020"]]
