from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from linkwl.errors import InputError, OutputError
from linkwl.locks import LOCK, check_unlocked, locked
from linkwl.owner import Owner

HOLD = """
import sys
from pathlib import Path
from linkwl.locks import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def holder(tmp_path):
    """Another process that holds the lock of ``tmp_path / "run"``."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path / "run")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    with process:
        assert process.stdout.readline() == "held\n"
        yield process
        process.stdin.close()


def write_lock(folder, **changes):
    folder.mkdir(exist_ok=True)
    (folder / LOCK).write_text(json.dumps(Owner.current()._asdict() | changes))


def test_a_folder_is_made_locked_and_left(tmp_path):
    folder = tmp_path / "deep" / "run"
    with locked(folder):
        assert json.loads((folder / LOCK).read_text())["pid"] == os.getpid()
        check_unlocked(folder)  # it is ours
        (folder / "result").touch()
    assert [path.name for path in folder.iterdir()] == ["result"]


def test_a_new_folder_that_stays_empty_is_removed(tmp_path):
    with pytest.raises(ZeroDivisionError), locked(tmp_path / "run"):
        raise ZeroDivisionError
    assert not (tmp_path / "run").exists()
    (tmp_path / "old").mkdir()
    with locked(tmp_path / "old"):
        pass
    assert (tmp_path / "old").is_dir()


def test_a_second_run_is_refused(tmp_path, holder):
    folder = tmp_path / "run"
    says = f"{folder}: another run (process {holder.pid}) is writing to this folder; wait for it, or choose another."
    for attempt in (lambda: locked(folder).__enter__(), lambda: check_unlocked(folder)):
        with pytest.raises(InputError) as caught:
            attempt()
        assert str(caught.value) == says
    assert (folder / LOCK).exists()


def test_a_lock_that_a_killed_run_left_does_not_count(tmp_path, holder):
    holder.kill()
    holder.wait()
    assert (tmp_path / "run" / LOCK).exists()
    check_unlocked(tmp_path / "run")
    with locked(tmp_path / "run"):
        pass
    assert not (tmp_path / "run" / LOCK).exists()


@pytest.mark.skipif(sys.platform != "linux", reason="Linux says when a process started")
def test_a_lock_of_an_earlier_process_with_the_same_number_does_not_count(tmp_path):
    write_lock(tmp_path, start="1")
    with locked(tmp_path):
        pass


def test_two_runs_of_one_process(tmp_path):
    with locked(tmp_path), pytest.raises(InputError, match=f"process {os.getpid()}"), locked(tmp_path):
        pass


def test_a_run_on_another_machine(tmp_path):
    write_lock(tmp_path, machine="far pid:[1]", pid=2**22 + 1)
    with pytest.raises(InputError, match=r"on far\) is writing .*; if it has ended, delete .*\.linkwl-lock"):
        check_unlocked(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"machine": 1, "pid": "x", "start": 2}', "[" * 5000, "\udcff"])
def test_a_damaged_lock_does_not_count(tmp_path, text):
    (tmp_path / LOCK).write_bytes(text.encode(errors="surrogateescape"))
    with locked(tmp_path):
        pass


def test_a_folder_that_cannot_be(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError), locked(tmp_path / "file"):
        pass
