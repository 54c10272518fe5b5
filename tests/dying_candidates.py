"""Candidates whose workers, or whose nodes of a cluster, are killed on the way; and the digest of a ranking."""

from __future__ import annotations

import hashlib
import os
import signal
import time
from contextlib import suppress
from pathlib import Path

from linkwl.engine import Engine
from linkwl.predict import LinkPredictor
from linkwl.predict.candidates import AllPairs

KILLED = "killed"
_PATIENCE_SECONDS = 60.0


class ManyParts(AllPairs):
    """All pairs, in parts that are small enough for several workers."""

    def __init__(self, graph) -> None:
        super().__init__(graph)
        self.step = 4096


class WorkerDies(ManyParts):
    """The worker of one part is killed once."""

    def __init__(self, graph, folder: Path) -> None:
        super().__init__(graph)
        self._mark = folder / KILLED

    def scored(self, scorer, part):
        if part.start == 5 * self.step and not self._mark.exists():
            self._mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().scored(scorer, part)


class NodeDies(ManyParts):
    """The first part that runs on another node than the head writes down that node, and never ends there.

    The head waits for it: alone it might rank everything before another node has started a worker.
    """

    def __init__(self, graph, folder: Path, head: str) -> None:
        super().__init__(graph)
        self._mark, self._head = folder / "victim", head

    def scored(self, scorer, part):
        import ray

        node = ray.get_runtime_context().get_node_id()
        if node != self._head and not self._mark.exists():
            new = self._mark.with_name(f"victim-{os.getpid()}")
            new.write_text(node)
            with suppress(FileExistsError):  # another node was first
                self._mark.hardlink_to(new)
        end = time.monotonic() + _PATIENCE_SECONDS
        while not self._mark.exists() or self._mark.read_text() == node:
            if time.monotonic() > end:
                raise TimeoutError("no node was killed")
            time.sleep(0.05)
        return super().scored(scorer, part)


def digest(predictor: LinkPredictor, candidates: AllPairs, engine: Engine | None = None) -> str:
    """The digest of the top 1000 pairs and scores."""
    ranking = predictor.recommend(1000, candidates=candidates, engine=engine)
    assert len(ranking) == 1000
    return hashlib.sha256(ranking.queries.tobytes() + ranking.scores.tobytes()).hexdigest()
