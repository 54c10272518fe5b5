"""How long `linkwl --help` and `linkwl doctor` take, now and at an earlier commit.

The earlier commit is checked out in a temporary worktree of git; by default it is the last one before the package
imported its names lazily. Both versions run in turns, with the same Python and the same libraries.

    python benchmarks/run.py startup
    python benchmarks/startup.py --before COMMIT
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from measure import ratio

ROOT = Path(__file__).parents[1]
BEFORE = "04c25d4"
COMMANDS = (["--help"], ["train", "--help"], ["doctor"])
TURNS = 5


def start(source: Path, arguments: list[str]) -> None:
    """Runs one command with the source in a folder."""
    environment = os.environ | {"PYTHONPATH": str(source), "OMP_WAIT_POLICY": "PASSIVE"}
    code = "import sys; sys.argv[0] = 'linkwl'; from linkwl.cli.main import run; run()"
    subprocess.run([sys.executable, "-c", code, *arguments], env=environment, check=True, capture_output=True)


def processor_seconds(source: Path, arguments: list[str]) -> float:
    """The time that one command keeps a core busy, which other processes on the machine change little."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start(source, arguments)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Writes the figures to standard output."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--before", metavar="COMMIT", default=BEFORE)
    before = parser.parse_args().before
    figures = []
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "before"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--detach", str(tree), before], check=True, capture_output=True)
        try:
            for arguments in COMMANDS:
                for source in (tree / "src", ROOT / "src"):
                    start(source, arguments)  # compiles the files
                value, times = ratio(
                    lambda arguments=arguments: start(tree / "src", arguments),
                    lambda arguments=arguments: start(ROOT / "src", arguments),
                    turns=TURNS,
                )
                command = " ".join(["linkwl", *arguments])
                what = f"{command}: time at commit {before} over time now, {TURNS} turns"
                limit = {"at_least": 3.0} if arguments == ["--help"] else {}
                figures.append({"what": what, "value": value, **limit, "seconds": times})
                busy = [processor_seconds(ROOT / "src", arguments) for _ in range(TURNS)]
                limit = {"at_most": 0.3} if arguments == ["--help"] else {}
                what = f"{command}: seconds of one core, median of {TURNS}"
                figures.append({"what": what, "value": median(busy), **limit, "seconds": busy})
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True, capture_output=True)
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
