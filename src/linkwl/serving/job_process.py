"""Starts the process of a job, listens to it, and ends it with everything that it has started."""

from __future__ import annotations

import contextlib
import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from linkwl.files import write_text
from linkwl.serving.job_child import TASK

_LOG = "log.txt"
_LONGEST_LINE = 1 << 22
_TAIL = 4000
"""Number of characters of a log that are shown."""

_log = logging.getLogger("linkwl.serving")


class JobProcess:
    """A process that works in a folder.

    Args:
        folder: The folder; its task is written there.
        task: What to do, as values for JSON; see :mod:`linkwl.serving.job_child`.
        on_event: Called with every line that the process writes, from a thread.
        on_end: Called once when it has ended, with a sentence if it crashed or took too long, else with None.
        seconds: Time after which it is killed.
    """

    def __init__(
        self,
        folder: Path,
        task: dict[str, Any],
        *,
        on_event: Callable[[dict[str, Any]], None],
        on_end: Callable[[str | None], None],
        seconds: float,
    ) -> None:
        write_text(folder / TASK, json.dumps(task))
        self._on_event, self._on_end, self._seconds = on_event, on_end, seconds
        self._log_file = folder / _LOG
        self._is_killed = self._is_late = False
        with self._log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-W", "ignore", "-m", "linkwl.serving.job_child", str(folder)],
                stdin=subprocess.PIPE,  # its end tells the process that this one has ended
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
        self._timer = threading.Timer(seconds, self._end_late)
        self._timer.daemon = True
        self._timer.start()
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """The number of the process, which is also that of its group."""
        return self._process.pid

    def kill(self) -> None:
        """Ends the process and those that it has started; returns when it has ended."""
        self._is_killed = True
        self._kill_group()
        self._process.wait()

    def join(self, seconds: float | None = None) -> None:
        """Waits until the process has ended, and everything about it was reported."""
        self._thread.join(seconds)

    def _kill_group(self) -> None:
        # A process that has been waited for is gone, and its number may belong to another one.
        if self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:
                    self._process.kill()

    def _end_late(self) -> None:
        self._is_late = True
        self._kill_group()

    def _listen(self) -> None:
        stdout, stdin = self._process.stdout, self._process.stdin
        assert stdout is not None and stdin is not None
        with stdout:
            while line := stdout.readline(_LONGEST_LINE):
                with contextlib.suppress(ValueError):
                    self._on_event(json.loads(line))
        code = self._process.wait()
        self._timer.cancel()
        with contextlib.suppress(BrokenPipeError):
            stdin.close()
        self._on_end(self._problem(code))

    def _problem(self, code: int) -> str | None:
        if self._is_killed or code == 0:
            return None
        if self._is_late:
            return f"it took more than {self._seconds:,.0f} seconds; use a smaller graph, or a quicker model."
        if code < 0:
            return (
                "the process was killed, perhaps because the memory ran out; use a smaller graph, or a quicker model."
            )
        text = self._log_file.read_text(encoding="utf-8", errors="replace")[-_TAIL:]
        _log.error("a job ended with code %s\n%s", code, text)
        return "an unexpected error ended it; the log of the server has the details."
