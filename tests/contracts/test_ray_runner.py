"""The tests of Ray cannot hang: what takes too long is ended with all it has started, and is a failure."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import run_ray_tests

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for processes in /proc"),
]
TEST = """
import pathlib, subprocess, sys, time, pytest

@pytest.mark.ray
def test_it():
    left = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    pathlib.Path({pid!r}).write_text(str(left.pid))
    time.sleep({seconds})
"""


def is_running(pid: str) -> bool:
    try:
        return Path("/proc", pid, "stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


@pytest.mark.parametrize(
    ("test_seconds", "file_seconds", "said"), [(2, 60, "failed with exit code 1"), (60, 4, "hung"), (60, 60, "passed")]
)
def test_a_file_ends_in_time_and_leaves_nothing(test_seconds, file_seconds, said, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(run_ray_tests, "TEST_SECONDS", test_seconds)
    monkeypatch.setattr(run_ray_tests, "FILE_SECONDS", file_seconds)
    file = tmp_path / "test_slow.py"
    file.write_text(TEST.format(seconds=0 if said == "passed" else 600, pid=str(tmp_path / "pid")))
    assert run_ray_tests.run(file) == (said == "passed")
    shown = capsys.readouterr().out
    assert f"{file}: {said}" in shown
    assert "ended " in shown
    assert ("time.sleep(600)" in shown or "in test_it" in shown) == (test_seconds == 2)
    if said != "hung":  # it may have been ended before it started anything
        assert not is_running((tmp_path / "pid").read_text())


def test_the_files_with_marked_tests_are_found():
    names = {file.name for file in run_ray_tests.find_files()}
    assert names >= {"test_ray.py", "test_ray_group.py", "test_ray_session.py", "test_ray_commands.py"}
    assert not names & {"test_processes.py", "test_ray_runner.py"}
