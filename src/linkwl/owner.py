"""The process that a lock or a temporary file belongs to, and whether it still runs."""

from __future__ import annotations

import hashlib
import os
import socket
from pathlib import Path
from typing import NamedTuple


class Owner(NamedTuple):
    """A process, as distinct from later ones with the same number and from those of other machines and containers."""

    machine: str
    """The name of the machine, and of the container in it."""
    pid: int
    start: str
    """When it started, as the system counts; empty if the system does not say."""

    @classmethod
    def current(cls) -> Owner:
        """This process."""
        return cls(_machine(), os.getpid(), _start_of(os.getpid()))

    @property
    def is_here(self) -> bool:
        """Whether it belongs to this machine, so that one can know whether it runs."""
        return self.machine == _machine()

    @property
    def is_running(self) -> bool:
        """Whether it still runs; assumed of processes on other machines."""
        if not self.is_here:
            return True
        try:
            os.kill(self.pid, 0)
        except (ProcessLookupError, OverflowError):
            return False
        except PermissionError:  # a process of another user
            pass
        return self.start == _start_of(self.pid)

    @property
    def token(self) -> str:
        """A short text for names of files."""
        return f"{_digest(self.machine)}-{self.pid}-{self.start}"

    @staticmethod
    def is_gone(token: str) -> bool:
        """Whether a token is of a process of this machine that has ended."""
        machine, _, rest = token.partition("-")
        pid, _, start = rest.partition("-")
        return machine == _digest(_machine()) and pid.isdecimal() and not Owner(_machine(), int(pid), start).is_running


def _machine() -> str:
    try:
        return f"{socket.gethostname()} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:  # not Linux
        return socket.gethostname()


def _digest(machine: str) -> str:
    return hashlib.sha256(machine.encode()).hexdigest()[:8]


def _start_of(pid: int) -> str:
    """The start of a process in ticks since the machine was started."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return ""
    return text.rpartition(")")[2].split()[19]  # the command's name, in brackets, may contain spaces
