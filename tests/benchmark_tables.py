"""Tables with one cell of every kind, for the tests of what draws them."""

from __future__ import annotations

from linkwl.reports.benchmark_table import Score, ScoreTable, System
from linkwl.reports.benchmark_time import Duration, TimedSystem, TimeTable

SCORES = ScoreTable(
    name="toy",
    title="Toy table",
    metric="AUC",
    datasets={"a": "Alpha", "b": "Beta"},
    networks=(
        System(
            "2wl",
            "2-WL",
            {"a": Score(94.4, 1.25, 10), "b": Score(80.0, None, 1)},
            {"a": Score(95.0, 0.5), "b": Score(None, word="OOM")},
        ),
        System(
            "local-2wl",
            "2-WL_L",
            {"a": Score(96.104, 0.4, 10), "b": Score(None, word="refused", detail="too large; use 2wl.")},
            {"a": Score(96.5, 0.25), "b": Score(79.0, 1.0)},
        ),
        System("2fwl", "", {"a": Score(96.1, 0.3, 3)}),
    ),
    floor=System(
        "best heuristic", "the same heuristic, in print", {"a": Score(93.0, 1.0, 10, detail="ra")}, {"a": Score(93.21)}
    ),
    others=(
        System("", "MF_x", printed={"a": Score(91.5), "b": Score(82.0)}),
        System("", "SEAL", printed={"a": Score(99.0, 0.1)}, is_in_paper=False),
    ),
    protocol="Ours: linkwl under protocol `paper`.",
    full_seeds=10,
    sources=("toy", "heuristics"),
    notes=("Left out: 1 record.",),
    printed_note="Printed: the numbers of Hu et al., 2022.",
)

TIMES = TimeTable(
    name="time",
    title="Seconds",
    datasets={"a": "Alpha", "b": "Beta"},
    systems=(
        TimedSystem("local-2wl", "2-WL_L", {"a": Duration(0.01234, 0.5, 1.26)}, {"a": 0.007, "b": 0.05}),
        TimedSystem("PyG GAE", "", {"a": Duration(0.01, 0.02)}, is_reference=True),
        TimedSystem("", "SEAL", printed={"a": 2.3, "b": 15.4}),
    ),
    conditions="Ours: linkwl on a CPU.",
    notes=("Refused: 2fwl on Beta: too large.",),
)
