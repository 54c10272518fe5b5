from __future__ import annotations

import pytest

from linkwl import OutputError
from linkwl.cli.console import check_json_target, console, facts, say, say_error, write_json


def test_brackets_are_printed_as_they_are(capsys):
    say("wrote [/n10] to o[a]")
    say_error("node [bold]")
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.splitlines() == ["wrote [/n10] to o[a]", "error: node [bold]"]
    assert facts({"node": "[/n10]"}).row_count == 1


def test_names_between_colons_are_no_pictures(capsys):
    say("concept:newspaper:kgw")
    say_error("unknown node 'concept:smile:a'")
    console.print(facts({"node": "concept:newspaper:kgw"}))
    assert capsys.readouterr().err.split() == (
        ["concept:newspaper:kgw", "error:", "unknown", "node", "'concept:smile:a'", "node", "concept:newspaper:kgw"]
    )


def test_json_is_written_where_it_is_asked_for(capsys, tmp_path):
    write_json(None, {"a": 1})
    write_json("-", {"a": 1})
    write_json(str(tmp_path / "out.json"), '{"a": 2}\n')
    assert capsys.readouterr().out == '{\n  "a": 1\n}\n'
    assert (tmp_path / "out.json").read_text() == '{"a": 2}\n'


def test_a_target_is_checked_before_the_work(tmp_path):
    (tmp_path / "g.csv").write_text("a,b\n")
    check_json_target(None)
    check_json_target("-")
    check_json_target(str(tmp_path / "new.json"), tmp_path / "g.csv", None)
    with pytest.raises(OutputError, match="it is an input"):
        check_json_target(str(tmp_path / "g.csv"), tmp_path / "g.csv")
