"""Reads thousands of damaged files with every reader: ``python benchmarks/fuzz_readers.py [--count 10000] [--seed 0]``.

Each file is a small valid one with random changes. A graph or one sentence is right; any other error, a crash, ten
seconds or much memory is a finding. Every finding is kept in a folder, with the error.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from linkwl.graph.readers import matlab
from reader_cases import READERS, damaged, file_name, outcome

MOST_SECONDS = 10.0
MOST_GROWTH_MB = 300.0
"""Of the peak memory, from before the first damaged file to the last; readers and kernels are loaded before."""


SERVER = """
import json, os, runpy, sys
main = runpy.run_path(sys.argv[1])["main"]
for line in sys.stdin:
    target, path, variable, memory, seconds = json.loads(line)
    if not (child := os.fork()):
        os.dup2(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 1)
        main(path, variable, int(memory), int(seconds))
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


class ForkedReader:
    """Starts the process that reads a MATLAB file by a fork of one that has imported SciPy: a hundred times as fast."""

    def __init__(self, folder: Path) -> None:
        self._target = folder / "answer"
        command = [sys.executable, "-P", "-W", "ignore", "-c", SERVER, str(matlab._CHILD)]
        self._server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def run(self, command: list[str], **_: object) -> subprocess.CompletedProcess[bytes]:
        """Stands in for ``subprocess.run``."""
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self._server.stdin.write(json.dumps([str(self._target), *command[-4:]]) + "\n")
        self._server.stdin.flush()
        code = int(self._server.stdout.readline())
        return subprocess.CompletedProcess(command, code, self._target.read_bytes())

    def close(self) -> None:
        """Ends the process, so that its memory is counted."""
        self._server.communicate()


def peak_mb(who: int) -> float:
    """The largest resident size so far."""
    return resource.getrusage(who).ru_maxrss / 1024


def main(count: int, seed: int, only: str, folder: Path) -> int:
    """Reads the files; the number of findings."""
    reader = ForkedReader(folder)
    matlab.subprocess = SimpleNamespace(run=reader.run, DEVNULL=None, TimeoutExpired=TimeoutError)
    rng = random.Random(seed)
    names = [name for name in READERS if only in name]
    for name in names:
        path = folder / file_name(name)
        path.write_bytes(READERS[name][0])
        expected = "refused" if "7.3" in name else "read"
        assert outcome(name, path) == expected, name
    before = peak_mb(resource.RUSAGE_SELF)
    counts: Counter[tuple[str, str]] = Counter()
    slowest = (0.0, "")
    findings = 0
    for k in range(count):
        name = names[k % len(names)]
        path = folder / file_name(name)
        path.write_bytes(damaged(READERS[name][0], rng))
        start = time.monotonic()
        try:
            result = outcome(name, path)
        except Exception:
            result = "ERROR"
            (folder / f"finding-{k}.txt").write_text(traceback.format_exc())
        seconds = time.monotonic() - start
        slowest = max(slowest, (seconds, f"{k} {name}"))
        if seconds > MOST_SECONDS:
            result = "SLOW"
        if result.isupper():
            findings += 1
            path.rename(folder / f"finding-{k}-{path.name}")
            print(f"finding {k}: {name}: {result}", flush=True)
        counts[name, result] += 1
    growth = peak_mb(resource.RUSAGE_SELF) - before
    reader.close()
    for name in names:
        row = {result: counts[name, result] for result in ("read", "refused", "ERROR", "SLOW")}
        print(
            f"{name:24}", "  ".join(f"{result} {number:5}" for result, number in row.items() if number or number == 0)
        )
    print(
        f"{count} files, {sum(n for (_, r), n in counts.items() if r == 'read')} read, "
        f"{sum(n for (_, r), n in counts.items() if r == 'refused')} refused, {findings} findings; slowest "
        f"{slowest[0]:.1f} s ({slowest[1]}); peak memory grew by {growth:.0f} MB, of child processes at most "
        f"{peak_mb(resource.RUSAGE_CHILDREN):.0f} MB"
    )
    if growth > MOST_GROWTH_MB:
        findings += 1
        print(f"finding: the memory grew by more than {MOST_GROWTH_MB:.0f} MB")
    return findings


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", default="", help="readers whose name contains this")
    options = parser.parse_args()
    place = Path(tempfile.mkdtemp(prefix="fuzz-readers-"))
    found = main(options.count, options.seed, options.only, place)
    print(f"the files of the findings are in {place}" if found else "no findings")
    sys.exit(1 if found else 0)
