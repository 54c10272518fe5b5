"""Runs the tests of Ray, each file in a process of its own that is ended, with all it has started, if it hangs.

A test that takes too long ends with the stacks of all threads, and a file that takes too long is killed; both are
failures that are printed with Ray's logs. Nothing of Ray is left afterwards, whatever happens: every process that was
started here carries a mark in its environment. Output goes to a file, so that nobody waits for a pipe that a lost
process holds open.

    python tests/run_ray_tests.py                              all
    python tests/run_ray_tests.py tests/unit/engine/test_ray.py
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from importlib import util
from pathlib import Path

HERE = Path(__file__).resolve().parent
TEST_SECONDS, FILE_SECONDS = 240, 480
MARK = "LINKWL_RAY_TESTS"
_LINES = 15
"""Of every log of Ray that is shown after a failure."""


def main() -> int:
    """Runs the files; 1 if one of them failed."""
    if util.find_spec("ray") is None:
        _say("Ray is not installed, so its tests are skipped; pip install 'linkwl[ray]'")
        return 0
    for end in (signal.SIGINT, signal.SIGTERM):  # a shell starts what runs in the background with Ctrl-C ignored
        signal.signal(end, lambda number, _: sys.exit(128 + number))
    files = [Path(name) for name in sys.argv[1:]] or find_files()
    results = [run(file) for file in files]
    return 0 if all(results) else 1


def find_files() -> list[Path]:
    """The test files with tests that are marked."""
    return [file for file in sorted(HERE.rglob("test_*.py")) if "pytestmark = ray_clusters.MARKS" in file.read_text()]


def run(file: Path) -> bool:
    """Whether the tests of a file pass in time."""
    mark, start = uuid.uuid4().hex, time.monotonic()
    timeouts = ("-o", f"faulthandler_timeout={TEST_SECONDS}", "-o", "faulthandler_exit_on_timeout=true")
    command = [sys.executable, "-m", "pytest", "-m", "ray", "-n", "0", "--verbosity", "1", *timeouts, str(file)]
    small = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_DEFAULT_OBJECT_STORE_MAX_MEMORY_BYTES": str(200 << 20)}
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="lw-", ignore_cleanup_errors=True) as folder:
        place = {MARK: mark, "TMPDIR": folder, "RAY_TMPDIR": folder}
        log = Path(folder, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(command, stdout=output, stderr=output, env=os.environ | small | place)
            try:
                code: int | None = process.wait(FILE_SECONDS)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                left = end_marked(mark)
                process.wait()
        passed = code == 0
        said = "passed" if passed else "hung" if code is None else f"failed with exit code {code}"
        also = f"; ended {left} processes that were left" if left else ""
        whole = file.resolve()
        name = whole.relative_to(HERE.parent) if whole.is_relative_to(HERE.parent) else whole
        if not passed:
            _say(log.read_text(errors="replace"))
            _say(logs_of_ray(Path(folder)))
        _say(f"{name}: {said}, {time.monotonic() - start:.0f} s{also}")
    return passed


def end_marked(mark: str) -> int:
    """Kills every process that has the mark in its environment; their number."""
    found: set[int] = set()
    word = f"{MARK}={mark}".encode()
    for _ in range(3):  # a process may be starting another
        for entry in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if int(entry.name) != os.getpid() and word in (entry / "environ").read_bytes().split(b"\0"):
                    os.kill(int(entry.name), signal.SIGKILL)
                    found.add(int(entry.name))
        time.sleep(0.05)
    return len(found)


def logs_of_ray(folder: Path) -> str:
    """The ends of the logs that were written last."""
    logs = sorted(folder.rglob("logs/*.[oe]*"), key=lambda file: file.stat().st_mtime)[-6:]
    texts = []
    for file in logs:
        lines = file.read_text(errors="replace").splitlines()[-_LINES:]
        texts.append("\n".join([f"--- {file.name}", *lines]))
    return "\n".join(texts)


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
