import io
import sys
from types import ModuleType, SimpleNamespace

import pytest

from linkwl import progress as module
from linkwl.progress import in_notebook, in_terminal, progress_bar, shown_progress


class Handle:
    def __init__(self, shown):
        self.shown = shown

    def update(self, content):
        self.shown.append(content)


@pytest.fixture
def notebook(monkeypatch):
    """A stand-in for IPython in a kernel; the contents that were displayed."""
    shown = []

    def display(content, display_id):
        assert display_id
        shown.append(content)
        return Handle(shown)

    ipython, part = ModuleType("IPython"), ModuleType("IPython.display")
    ipython.get_ipython = lambda: SimpleNamespace(kernel=object())
    part.display, part.HTML = display, str
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", part)
    return shown


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """The time, which only tests move."""
    now = [0.0]
    monkeypatch.setattr(module, "monotonic", lambda: now[0])
    return now


def run(progress, clock):
    with progress_bar(progress) as bar:
        for text, done, wait in (("training <b>", 1, 1.0), ("training <b>", 2, 0.01), ("scoring", 1, 1.0)):
            clock[0] += wait
            bar.update(text, done, 10)


def test_in_a_notebook_it_shows_by_itself_and_goes_away(notebook, capsys, clock):
    run(None, clock)
    assert in_notebook()
    assert [text.count("<progress") for text in notebook] == [1, 1, 0]  # the second report came too early
    assert "1 / 10 training &lt;b&gt;" in notebook[0]
    assert notebook[-1] == ""
    assert capsys.readouterr() == ("", "")


def test_a_notebook_can_be_without(notebook, clock):
    run(False, clock)
    assert notebook == []


def test_no_bar_before_the_first_report(notebook):
    with progress_bar():
        pass
    assert notebook == []


def test_a_piped_process_shows_nothing(monkeypatch, capsys, clock):
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    run(None, clock)
    assert not in_notebook()
    assert not in_terminal()
    assert capsys.readouterr() == ("", "")


def test_ipython_in_a_terminal_is_no_notebook(notebook, monkeypatch):
    sys.modules["IPython"].get_ipython = lambda: SimpleNamespace()
    assert not in_notebook()
    sys.modules["IPython"].get_ipython = lambda: None
    assert not in_notebook()


def test_a_terminal_has_a_line(monkeypatch, clock):
    stream = Terminal()
    monkeypatch.delitem(sys.modules, "IPython", raising=False)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setenv("TERM", "xterm")
    run(None, clock)
    assert in_terminal()
    assert "scoring" in stream.getvalue()


def test_a_closed_stream_is_no_terminal(monkeypatch):
    stream = Terminal()
    stream.close()
    monkeypatch.setattr(sys, "stderr", stream)
    assert not in_terminal()
    monkeypatch.setattr(sys, "stderr", None)
    assert not in_terminal()


def test_frequent_reports_are_drawn_now_and_then(notebook, clock):
    with progress_bar() as bar:
        for done in range(100):
            clock[0] += 0.01
            bar.update("ranking", done, 100)
    assert 4 <= sum("<progress" in text for text in notebook) <= 5


def test_quick_work_has_no_bar(notebook, clock):
    with progress_bar() as bar:
        clock[0] += 0.1
        bar.update("ranking", 1, 1)
    assert notebook == []


@pytest.mark.parametrize(("progress", "count"), [(None, 0), (True, 1), (False, 0)])
def test_a_caller_who_listens_has_a_bar_only_by_request(notebook, clock, progress, count):
    heard = []
    with shown_progress("ranking", lambda *report: heard.append(report), progress) as report:
        clock[0] += 1
        report(3, 4)
    assert heard == [(3, 4)]
    assert sum("<progress" in text for text in notebook) == count


def test_a_caller_who_does_not_listen_has_a_bar(notebook, clock):
    with shown_progress("ranking", None, None) as report:
        clock[0] += 1
        report(3, 4)
    assert "3 / 4 ranking" in notebook[0]


def test_the_bar_goes_away_after_an_error(notebook, clock):
    with pytest.raises(KeyboardInterrupt), progress_bar() as bar:
        clock[0] += 1
        bar.update("training", 1, 2)
        raise KeyboardInterrupt
    assert notebook[-1] == ""
