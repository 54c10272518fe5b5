"""Small studies, for the tests of tuning and of its pages."""

from __future__ import annotations

import numpy as np

from linkwl.graph import Graph
from linkwl.models.space import Choice, LogUniform, Uniform
from linkwl.records import GraphRecord
from linkwl.tuning import Budget, Confirmation, Search, Study, Trial

SPACE = {"kind": Choice("a", None, "<b>"), "group.share": Uniform(0.0, 0.5), "group.rate": LogUniform(1e-4, 1e-1)}
DEFAULTS = {"kind": "a", "group": {"share": 0.0, "rate": 0.01, "other": 3}}


def drawn(number, kind, share, rate, **result):
    return Trial(number, "drawn", {"kind": kind, "group": {"share": share, "rate": rate}}, **result)


def study_of_twelve():
    """One trial that failed, one that ended early, and values that depend on the share alone."""
    generator = np.random.default_rng(0)
    trials = [Trial(0, "default", {}, (0.5, 0.5))]
    for number in range(1, 12):
        share, rate = generator.uniform(0, 0.5), 10 ** generator.uniform(-4, -1)
        result = {"values": (0.5 + share, 0.5 + share), "cpu_seconds": 2.0}
        if number == 4:
            result = {"stopped": "no convergence"}
        if number == 7:
            result = {"stopped": "ended after 1 split, below the median of earlier trials", "partial": (0.25,)}
        trials.append(drawn(number, ("a", None, "<b>")[number % 3], round(share, 3), round(rate, 6), **result))
    study = Study(
        "toy",
        GraphRecord("ring <&>", 40, 60, "0123456789abcdef"),
        "hidden",
        {"id": "paper", "valid_ratio": 0.05, "test_ratio": 0.1},
        "auc",
        2,
        Budget(12, 1.0),
        DEFAULTS,
        tuple(trials),
        search=Search("tpe", 4, True),
        seed=3,
    )
    confirmation = Confirmation(study.best.number, (100, 101, 102), (0.9, 0.91, 0.92), (0.85, 0.87, 0.86), 0.1)
    return Study(**{name: getattr(study, name) for name in study.__dataclass_fields__} | {"confirmation": confirmation})


def communities():
    """60 nodes in four groups."""
    generator = np.random.default_rng(0)
    member = np.arange(60) // 15
    chance = np.where(member[:, None] == member, 0.5, 0.02)
    return Graph.from_pairs(np.argwhere(np.triu(generator.random((60, 60)) < chance, 1)), 60)


def found(study):
    """What must not depend on workers, interruptions or the store: all but times."""
    return [(t.number, t.origin, t.settings, t.values, t.stopped, t.partial) for t in study.trials]
