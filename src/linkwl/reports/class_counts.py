"""Number of classes that the pair tests find in real networks, from records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


def class_counts_markdown(records: Iterable[Mapping[str, Any]]) -> str:
    """A row per graph: classes of its ordered pairs after one round and when stable.

    Args:
        records: The output of ``linkwl wl refine --json`` for the tests 2-wl, local-2-fwl and 2-fwl on each graph.
    """
    graphs: dict[str, dict[str, Mapping[str, Any]]] = {}
    for record in records:
        graphs.setdefault(record["graph"]["name"], {})[record["test"]] = record
    lines = [
        "| network | ordered pairs | round 1: 2-WL | 2-FWL | in the end: 2-WL | local 2-FWL | 2-FWL | rounds |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, tests in graphs.items():
        plain, local, folklore = (tests[test] for test in ("2-wl", "local-2-fwl", "2-fwl"))
        counts = [plain["graph"]["nodes"] ** 2, plain["history"][1], folklore["history"][1]]
        counts += [record["classes"] for record in (plain, local, folklore)]
        rounds = ", ".join(str(record["rounds"]) for record in (plain, local, folklore))
        lines.append(f"| {name} | {' | '.join(f'{count:,}' for count in counts)} | {rounds} |")
    return "\n".join(lines) + "\n"
