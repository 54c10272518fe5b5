from __future__ import annotations

import json
import subprocess
import sys

import pytest

from linkwl.errors import InputError, OutputError
from linkwl.jsonl import put_row, read_rows


def put(path, **row):
    put_row(path, row, lambda row: row["name"], "a toy")


def test_rows_are_put_in_order_and_replaced(tmp_path):
    path = tmp_path / "new" / "toys.jsonl"
    assert read_rows(path, dict, "a toy") == []
    for name in "bca":
        put(path, name=name, value=0.1)
    put(path, name="b", value=0.30000000000000004)
    assert path.read_text() == (
        '{"name": "a", "value": 0.1}\n{"name": "b", "value": 0.30000000000000004}\n{"name": "c", "value": 0.1}\n'
    )
    assert [row["name"] for row in read_rows(path, dict, "a toy")] == ["a", "b", "c"]


@pytest.mark.parametrize("damage", [b"", b"{", b'{"name": ', b"\xff\xfe", b"[]", b"{}", b"7", b"null"])
def test_a_damaged_line_is_one_sentence_with_its_number(tmp_path, damage):
    path = tmp_path / "toys.jsonl"
    content = b'{"name": "a"}\n' + damage + b'\n{"name": "c"}\n'
    path.write_bytes(content)
    for read in (lambda: read_rows(path, lambda row: row["name"], "a toy"), lambda: put(path, name="d")):
        with pytest.raises(InputError) as caught:
            read()
        assert str(caught.value) == (
            f"{path}, line 2: this is not a readable record of a toy; delete the line, and measure again."
        )
    assert path.read_bytes() == content


def test_a_sentence_of_the_parser_gets_file_and_line(tmp_path):
    def parse(row):
        raise InputError("this is the wrong toy.")

    path = tmp_path / "toys.jsonl"
    put(path, name="a")
    with pytest.raises(InputError) as caught:
        read_rows(path, parse, "a toy")
    assert str(caught.value) == f"{path}, line 1: this is the wrong toy."


def test_no_place_to_write_is_one_sentence(tmp_path):
    (tmp_path / "toys").write_text("a file where a folder should be")
    with pytest.raises(OutputError, match="cannot be written"):
        put(tmp_path / "toys" / "a.jsonl", name="a")


def test_an_empty_file_has_no_rows(tmp_path):
    (tmp_path / "toys.jsonl").touch()
    assert read_rows(tmp_path / "toys.jsonl", dict, "a toy") == []


SCRIPT = """
import sys
from pathlib import Path
from linkwl.jsonl import put_row
for k in range(40):
    put_row(Path(sys.argv[1]), {"name": f"{sys.argv[2]}{k:02}"}, lambda row: row["name"], "a toy")
"""


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such locks")
def test_two_commands_at_once_lose_nothing(tmp_path):
    path = tmp_path / "toys.jsonl"
    writers = [subprocess.Popen([sys.executable, "-c", SCRIPT, str(path), name]) for name in "ab"]
    assert [writer.wait() for writer in writers] == [0, 0]
    names = [json.loads(line)["name"] for line in path.read_text().splitlines()]
    assert names == [f"{name}{k:02}" for name in "ab" for k in range(40)]
