"""Timing two things in turns; figures one after the other."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from typing import Any, TypeVar

T = TypeVar("T")


def seconds(function: Callable[[], object]) -> float:
    """How long one call takes."""
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def ratio(
    numerator: Callable[[], object], denominator: Callable[[], object], turns: int = 7
) -> tuple[float, list[list[float]]]:
    """The median, over turns, of the time of one over the time of the other; and all the times."""
    times = [[seconds(numerator), seconds(denominator)] for _ in range(turns)]
    return median(a / b for a, b in times), times


def peak_gigabytes(script: str) -> float:
    """The largest resident size of a fresh Python that runs ``script``."""
    probe = f"{script}\nimport resource\nprint(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    output = subprocess.run([sys.executable, "-c", probe], check=True, stdout=subprocess.PIPE, text=True).stdout
    return int(output.split()[-1]) * 1024 / 1e9


def draws_table(record: Path, markdown: Callable[[list[dict[str, Any]]], str]) -> bool:
    """Whether the command line asks for the record as a table, which is then printed."""
    if sys.argv[1:] != ["table"]:
        return False
    print(markdown(json.loads(record.read_text())["figures"]), end="")
    return True


def collected(measure: Callable[[T], dict[str, Any]], items: Iterable[T], record: Path) -> list[dict[str, Any]]:
    """The figure of every item; each is shown and kept when it is there, so a run that was stopped goes on from it.

    What is kept goes when the record is written.
    """
    kept, found = partial_record(record), []
    lines = kept.read_text().splitlines(keepends=True) if kept.exists() else []
    known = dict(json.loads(line) for line in lines if line.endswith("\n"))
    for item in items:
        if (name := str(item)) not in known:
            known[name] = measure(item)
            with kept.open("a") as file:
                print(json.dumps([name, known[name]]), file=file)
            print(f"{known[name]['value']:+.4f}  {known[name]['what']}", file=sys.stderr, flush=True)
        found.append(known[name])
    return found


def partial_record(record: Path) -> Path:
    """Where a run keeps its figures until it has all of them."""
    return record.with_suffix(".part")
