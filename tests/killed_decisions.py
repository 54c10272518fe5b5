"""Kills a process that stores decisions, with signal 9 at random moments, and looks for what it had confirmed.

It runs as a program: ``python killed_decisions.py FOLDER ROUNDS [early]``. It imports once and forks for every round,
since a process that imports anew would take a second each time.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

from linkwl.serving.decisions import Change, Decisions


def store(folder: Path, confirmed: int, *, is_early: bool) -> None:
    """Stores one decision after the other, and confirms the number of each; or, wrongly, before it is stored."""
    decisions = Decisions(folder, "graph")
    number = len(decisions.all())
    while True:
        if is_early:
            os.write(confirmed, number.to_bytes(8, "little"))
            time.sleep(0.01)
        decisions.put([Change((number, -1, number + 1), "accepted", 0.5)])
        if not is_early:
            os.write(confirmed, number.to_bytes(8, "little"))
        number += 1


def kill_once(folder: Path, generator: random.Random, *, is_early: bool) -> int:
    """The number of the last confirmed decision of a process that was killed; -1 if it confirmed none.

    The moment is a random time after a random number of confirmations, so that it does not depend on how busy the
    machine is.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        store(folder, writing, is_early=is_early)
    os.close(writing)
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        heard = b"".join(pipe.read(8) for _ in range(generator.randrange(6)))
        time.sleep(generator.uniform(0.0, 0.004))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        while more := pipe.read(4096):
            heard += more
    return int.from_bytes(heard[-8:], "little") if heard else -1


def main(folder: Path, rounds: int, *, is_early: bool) -> None:
    """Prints how much was confirmed and found; fails if something confirmed is lost."""
    generator = random.Random(0)
    most = 0
    for _ in range(rounds):
        last = kill_once(folder, generator, is_early=is_early)
        decisions = Decisions(folder, "graph")
        numbers = sorted(decision.key[0] for decision in decisions.all())
        decisions.close()
        assert numbers == list(range(len(numbers))), "a decision in between is lost"
        assert len(numbers) > last, f"decision {last} was confirmed and is lost"
        most = max(most, last + 1)
    sys.stdout.write(f"{rounds} kills, {most} confirmed, {len(numbers)} found\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), is_early=sys.argv[3:] == ["early"])
