from __future__ import annotations

import logging
import threading

import pytest

from linkwl.serving import job_process
from linkwl.serving.job_process import JobProcess


class Heard:
    """A process whose program is given, with what it reports."""

    def __init__(self, folder, monkeypatch, program, seconds=60.0):
        (folder / "fake.py").write_text(program)
        run = job_process.subprocess.Popen
        command = [job_process.sys.executable, str(folder / "fake.py")]
        monkeypatch.setattr(job_process.subprocess, "Popen", lambda _, **options: run(command, **options))
        self.events, self.ends = [], []
        self.has_event = threading.Event()
        self.process = JobProcess(folder, {}, on_event=self.hear, on_end=self.ends.append, seconds=seconds)

    def hear(self, event):
        self.events.append(event)
        self.has_event.set()


@pytest.fixture
def start(tmp_path, monkeypatch):
    started = []

    def begin(program, **options):
        started.append(Heard(tmp_path, monkeypatch, program, **options))
        return started[-1]

    yield begin
    for heard in started:
        heard.process.kill()
        heard.process.join(60)


def test_lines_of_json_are_events_and_others_are_not(start):
    heard = start('print(\'{"event": "read"}\', flush=True); print("noise"); print(\'{"event": "finished"}\')')
    heard.process.join(60)
    assert heard.events == [{"event": "read"}, {"event": "finished"}]
    assert heard.ends == [None]


def test_a_crash_is_a_sentence_and_its_details_are_in_the_log(start, caplog):
    with caplog.at_level(logging.ERROR):
        heard = start("raise ValueError('details')")
        heard.process.join(60)
    assert heard.ends == ["an unexpected error ended it; the log of the server has the details."]
    assert "ValueError: details" in caplog.text


def test_a_process_that_takes_too_long_is_ended(start):
    heard = start("import time; time.sleep(600)", seconds=0.1)
    heard.process.join(60)
    assert heard.ends == ["it took more than 0 seconds; use a smaller graph, or a quicker model."]


def test_kill_ends_the_whole_group_and_is_no_failure(start):
    program = (
        "import subprocess, sys, time\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        "print('{\"pid\": %d}' % child.pid, flush=True); time.sleep(600)\n"
    )
    heard = start(program)
    assert heard.has_event.wait(60)
    heard.process.kill()
    # Standard output ends only when the last process of the group that holds it has ended.
    heard.process.join(60)
    assert heard.ends == [None]
