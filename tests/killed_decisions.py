"""Kills a process that stores decisions, with signal 9 at random moments, and looks for what it had confirmed.

It runs as a program: ``python killed_decisions.py FOLDER ROUNDS``. It imports once and forks for every round, since a
process that imports anew would take a second each time.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from linkwl.serving.decisions import Change, Decisions


def store(folder: Path, confirmed: int) -> None:
    """Stores one decision after the other, and confirms the number of each."""
    decisions = Decisions(folder, "graph")
    number = len(decisions.all())
    while True:
        decisions.put([Change((number, -1, number + 1), "accepted", 0.5)])
        os.write(confirmed, number.to_bytes(8, "little"))
        number += 1


def kill_once(folder: Path, generator: random.Random) -> int:
    """The number of the last confirmed decision of a process that was killed; -1 if it confirmed none."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        store(folder, writing)
    os.close(writing)
    time.sleep(generator.uniform(0.0, 0.04))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(reading, "rb") as pipe:
        heard = pipe.read()
    whole = len(heard) // 8 * 8
    return int.from_bytes(heard[whole - 8 : whole], "little") if whole else -1


def main(folder: Path, rounds: int) -> None:
    """Prints what was confirmed and what was found, after every kill."""
    generator = random.Random(0)
    most = 0
    for _ in range(rounds):
        last = kill_once(folder, generator)
        decisions = Decisions(folder, "graph")
        numbers = sorted(decision.key[0] for decision in decisions.all())
        decisions.close()
        assert numbers == list(range(len(numbers))), "a decision in between is lost"
        assert len(numbers) > last, f"decision {last} was confirmed and is lost"
        most = max(most, last + 1)
    sys.stdout.write(f"{rounds} kills, {most} confirmed, {len(numbers)} found\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
