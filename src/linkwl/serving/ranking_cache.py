"""The likeliest missing links of a model, ranked once and kept on disk by the digest of the model."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from linkwl.errors import OutputError
from linkwl.files import make_folder, replaced
from linkwl.graph import KnowledgeGraph, Observed
from linkwl.predict.predictor import LinkPredictor
from linkwl.predict.question import Question
from linkwl.progress import OnProgress
from linkwl.serving.decisions import Key, key_of
from linkwl.serving.held_out import measure
from linkwl.typing import FloatArray, Queries, Scores

NUM_RANKED = 1000
"""Number of links that are ranked."""
MOST_PAIRS = 1_000_000_000
"""Number of pairs up to which all of them are ranked."""
MOST_TRIPLES = 2_000_000
"""Number of triples up to which all of them are ranked."""
_FORMAT = b"linkwl ranking 1"


@dataclass(frozen=True, eq=False)
class TopLinks:
    """The likeliest missing links, best first."""

    graph: Observed
    queries: Queries
    scores: Scores
    log_odds: FloatArray
    candidates: str
    """Which links were ranked, in words."""
    held_out: Mapping[str, Any]
    """How good the model is on held-out links; see :func:`linkwl.serving.held_out.measure`."""

    def __len__(self) -> int:
        return len(self.scores)

    @cached_property
    def keys(self) -> list[Key]:
        """The links as keys of decisions."""
        return [key_of(self.graph, query) for query in self.queries.tolist()]

    @cached_property
    def rank(self) -> dict[Key, int]:
        """The rank of each link, from 1."""
        return {key: place for place, key in enumerate(self.keys, start=1)}


def load_or_rank(
    predictor: LinkPredictor,
    digest: str,
    folder: Path | None,
    *,
    k: int = NUM_RANKED,
    on_progress: OnProgress | None = None,
) -> TopLinks:
    """The likeliest missing links of a model, from a file that an earlier call has written if there is one.

    Args:
        predictor: The fitted predictor.
        digest: Its digest; see :func:`linkwl.serving.digest.model_digest`.
        folder: The folder of the files, created if missing; None to rank anew every time.
        k: Number of links.
        on_progress: Called with the finished work and the total work.
    """
    graph = predictor.graph_
    path = None if folder is None else folder / f"{digest[:32]}-{k}.parquet"
    found = None if path is None else _read(path, digest, graph, k)
    if found is None:
        kind, most, words = choose_candidates(graph)
        ranking = predictor.recommend(k, candidates=kind, most=most, on_progress=on_progress, progress=False)
        found = ranking.queries, ranking.scores, words, measure(predictor)
        if path is not None:
            with contextlib.suppress(OutputError):  # a folder that cannot be written costs time at the next start
                _write(path, digest, *found)
    queries, scores, words, held_out = found
    log_odds = predictor.calibration_.log_odds(scores, predictor.prior_for(graph))
    return TopLinks(graph, queries, scores, log_odds, words, held_out)


def choose_candidates(graph: Observed) -> tuple[str, int | None, str]:
    """What to rank in bounded time: the name of the candidates, their number at most, and what they are in words."""
    if isinstance(graph, KnowledgeGraph):
        if graph.num_absent <= MOST_TRIPLES:
            return "all", None, "all triples that are not facts"
        num_queries = Question().candidates(graph, "roles").num_queries
        if num_queries is not None and num_queries <= MOST_TRIPLES:
            return "roles", None, "triples whose head and tail are known for their relation"
        return "hops:2", MOST_TRIPLES, "triples of some nodes that are at most 2 facts apart"
    if graph.num_absent <= MOST_PAIRS:
        return "all", None, "all pairs that are not linked"
    return "hops:2", MOST_PAIRS // 100, "pairs of some nodes that are at most 2 links apart"


def _write(path: Path, digest: str, queries: Queries, scores: Scores, words: str, held_out: Mapping[str, Any]) -> None:
    make_folder(path.parent)
    columns = {f"query_{place}": column for place, column in enumerate(queries.T)}
    about = {"digest": digest, "candidates": words, "held_out": dict(held_out)}
    table = pa.table(columns | {"score": scores}).replace_schema_metadata({_FORMAT: json.dumps(about).encode()})
    with replaced(path) as temporary:
        pq.write_table(table, temporary)


def _read(path: Path, digest: str, graph: Observed, k: int) -> tuple[Queries, Scores, str, Mapping[str, Any]] | None:
    """The links in a file; None if there is no file, or it is damaged, or of something else."""
    try:
        table = pq.read_table(path)
        about = json.loads((table.schema.metadata or {})[_FORMAT])
        columns = [table[f"query_{place}"].to_numpy() for place in range(len(graph.query_columns))]
        queries = graph.check_queries(np.stack(columns, axis=1))
        scores = table["score"].to_numpy().astype(np.float64)
        words, held_out = str(about["candidates"]), dict(about["held_out"])
        is_ours = about["digest"] == digest and held_out.keys() >= {"auc", "bins"}
    except (OSError, pa.ArrowException, KeyError, TypeError, ValueError):
        return None
    is_whole = len(scores) <= k and bool(np.isfinite(scores).all()) and not graph.contains(queries).any()
    return (queries, scores, words, held_out) if is_ours and is_whole else None
