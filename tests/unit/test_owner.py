from __future__ import annotations

import os
import subprocess
import sys

import pytest

from linkwl.owner import Owner

linux = pytest.mark.skipif(sys.platform != "linux", reason="Linux says when a process started")


def ended_process() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_this_process_runs():
    owner = Owner.current()
    assert owner.pid == os.getpid()
    assert owner.is_here
    assert owner.is_running
    assert not Owner.is_gone(owner.token)


def test_a_process_that_has_ended():
    owner = Owner.current()._replace(pid=ended_process())
    assert not owner.is_running
    assert Owner.is_gone(owner.token)


@linux
def test_another_process_with_the_same_number():
    owner = Owner.current()._replace(start="1")
    assert not owner.is_running
    assert Owner.is_gone(owner.token)


def test_of_another_machine_one_cannot_know():
    owner = Owner.current()._replace(machine="elsewhere", pid=ended_process())
    assert not owner.is_here
    assert owner.is_running
    assert not Owner.is_gone(owner.token)


@linux
def test_a_process_of_another_user_runs():
    with open("/proc/1/stat") as file:  # noqa: PTH123
        start = file.read().rpartition(")")[2].split()[19]
    assert Owner.current()._replace(pid=1, start=start).is_running


@pytest.mark.parametrize("token", ["", "a", "a-b-c", "--", "0123abcd-99999999999999999999-1"])
def test_texts_that_are_no_tokens(token):
    assert not Owner.is_gone(token)
