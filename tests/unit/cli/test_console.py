from __future__ import annotations

import io

import pytest
from rich.progress import Progress, TextColumn
from rich.table import Table

from linkwl import OutputError
from linkwl.cli.console import (
    SafeConsole,
    check_json_target,
    console,
    facts,
    say,
    say_error,
    say_warning,
    set_quiet,
    write_json,
)


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


def test_nothing_from_a_file_controls_the_terminal():
    """Rich's own styles and cursor movements stay; escapes in names do not, wherever they are printed."""
    stream = io.StringIO()
    terminal = SafeConsole(file=stream, force_terminal=True, width=60, color_system="standard", highlight=False)
    evil = "\x1b]0;owned\x07\x9b2J\u202eabc"
    table = Table("name")
    table.add_row(evil)
    terminal.print(table)
    terminal.print(f"[bold]said[/] {evil}")
    with Progress(TextColumn("{task.description}"), console=terminal) as bar:
        bar.add_task(evil)
    shown = stream.getvalue()
    assert "\x1b[1m" in shown  # bold is ours
    for part in ("\x1b]", "\x07", "\x9b", "\u202e"):
        assert part not in shown
    assert shown.count(r"\x1b]0;owned") >= 3  # table, text and progress


def test_an_error_is_one_line(capsys):
    say_error("unknown node a\nerror: all is lost")
    assert capsys.readouterr().err.splitlines() == [r"error: unknown node a\nerror: all is lost"]


def test_quiet_leaves_warnings_and_errors(capsys):
    set_quiet(True)
    try:
        say("wrote a file")
        console.print(facts({"node": "a"}))
        say_warning("a part of the input is not used")
        say_error("unknown node a")
        assert console.quiet
    finally:
        set_quiet(False)
    assert capsys.readouterr().err == "a part of the input is not used\nerror: unknown node a\n"


def test_a_closed_pipe_is_left_to_the_entry_point(monkeypatch):
    class Closed(io.StringIO):
        def write(self, text):
            raise BrokenPipeError

    monkeypatch.setattr("sys.stdout", Closed())
    with pytest.raises(BrokenPipeError):
        write_json("-", {"a": 1})
