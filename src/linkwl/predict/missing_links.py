"""Questions about missing links or facts: the likeliest of all, of a node, or of every node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from linkwl.engine import Engine
from linkwl.errors import InputError
from linkwl.graph import Graph, Observed
from linkwl.graph.node_ids import NodeId
from linkwl.predict.candidates import Candidates
from linkwl.predict.dataset_out import DatasetWriter, Threshold, Written
from linkwl.predict.fitted_model import check_prior
from linkwl.predict.given_queries import GivenQueries
from linkwl.predict.method import Search, search_missing_links
from linkwl.predict.per_node import NodeLinks, Side, rank_per_node
from linkwl.predict.question import Question, find_hops, node_names
from linkwl.predict.ranking import Ranking
from linkwl.predict.second_values import FirstValues, describe_second, left_out
from linkwl.progress import shown_progress
from linkwl.typing import FACT_WORD


class MissingLinks(GivenQueries):
    """The methods of :class:`linkwl.LinkPredictor` that find missing links or facts."""

    def recommend(
        self,
        k: int = 10,
        *,
        for_node: NodeId | None = None,
        for_nodes: Sequence[NodeId] | None = None,
        head: NodeId | None = None,
        relation: NodeId | None = None,
        tail: NodeId | None = None,
        relations_of: tuple[NodeId, NodeId] | None = None,
        candidates: str | Candidates = "all",
        most: int | None = None,
        ranking: str = "auto",
        second_values: str = "auto",
        graph: Any = None,
        prior: float | None = None,
        engine: Engine | None = None,
        on_choice: Callable[[Search], None] | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        progress: bool | None = None,
    ) -> Ranking:
        """The likeliest missing links or facts, best first; known and rejected ones are never among them.

        Facts from a node to itself are ranked only if the graph has such facts.

        Args:
            k: Number of links or facts.
            for_node: A node, to rank only its links; or the facts with it as head or as tail.
            for_nodes: Several nodes, to rank only the links of at least one of them, all in one ranking; for a ranking
                of each see :meth:`recommend_per_node`.
            head: The head of the facts.
            relation: The relation of the facts.
            tail: The tail of the facts.
            relations_of: Two nodes, to rank the relations from the first to the second and back.
            candidates: ``all`` queries, ``hops:3`` for pairs of nodes within three edges, ``roles`` for facts between
                heads and tails that their relation already has, or other candidates of the graph.
            most: Number of candidates of ``hops:3`` to stop at; then those of random nodes are ranked.
            ranking: ``exact`` to score every candidate; ``screened`` to find the best of all pairs with a screen, see
                :func:`linkwl.predict.screening.screen_missing_links`; ``auto`` for a screen where there are more
                pairs than :attr:`linkwl.models.Scorer.quick`. :attr:`Ranking.search` tells which was used.
            second_values: Whether facts are ranked that would give a head a second tail where nearly every head has
                one, or a tail a second head: ``drop``, ``keep``, or ``auto`` to rank them only if the question is
                about them. :attr:`Ranking.functional` tells which relations these are, and how many were left out.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links or facts among such queries; by default that of :meth:`prior_for`.
            engine: The engine that scores candidates; by default inline.
            on_choice: Called with the method before the work starts.
            on_progress: Called with the finished work and the total work.
            progress: Whether to show a progress bar; None for one in a notebook or a terminal.
        """
        check_prior(prior)
        observed = self.observe(graph)
        _check_count(k, observed)
        question = Question(head, relation, tail, for_node, relations_of, node_names(for_nodes))
        if isinstance(candidates, str):
            chosen = question.candidates(observed, candidates, most=most)
        elif question.given or most is not None:
            raise InputError("give candidates, or parts of the links to find and a limit, not both.")
        else:
            chosen = candidates
        functional = left_out(second_values, observed, question)
        chosen = chosen if functional is None else FirstValues(chosen, functional)
        rejected = self._rejected(observed)
        with shown_progress(f"ranking missing {FACT_WORD[observed.task]}s", on_progress, progress) as report:
            queries, scores, search = search_missing_links(
                *(self._scorer(observed), observed, k if rejected is None else rejected.more(k)),
                method=ranking,
                candidates=chosen,
                seed=self.seed,
                engine=engine,
                on_choice=on_choice,
                on_progress=report,
            )
        if rejected is not None:
            queries, scores = rejected.left_out(queries, scores, k)
        found = self._ranking(observed, queries, scores, self.prior_for(observed, prior))
        return replace(found, search=search, functional=describe_second(observed, queries, search.num_left_out))

    def recommend_per_node(
        self,
        k: int = 10,
        *,
        nodes: Sequence[NodeId] | None = None,
        side: Side | None = None,
        candidates: str = "all",
        graph: Any = None,
        prior: float | None = None,
        engine: Engine | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        progress: bool | None = None,
    ) -> Ranking:
        """The likeliest missing links of every node, best first, node by node; ranks count within each node.

        Args:
            k: Number of links for each node; nodes with fewer possible links have fewer.
            nodes: Some nodes; by default all, or all of the side.
            side: Of a bipartite graph, the side whose nodes are asked for; of a directed graph, ``left`` for the
                targets of every source, ``right`` for the sources of every target. By default ``left``.
            candidates: ``all`` other nodes, or ``hops:3`` for those within three edges.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links among such pairs; by default that of :meth:`prior_for`.
            engine: The engine that scores the links; by default inline.
            on_progress: Called with the number of finished nodes and of all nodes.
            progress: Whether to show a progress bar; None for one in a notebook or a terminal.
        """
        check_prior(prior)
        observed = self.observe(graph)
        if not isinstance(observed, Graph):
            raise InputError(f"{observed.name} is a graph of triples; ask for the facts of one node instead.")
        _check_count(k, observed)
        chosen = None if nodes is None else observed.ids.indices(nodes)
        rejected = self._rejected(observed)
        links = NodeLinks.of(observed, chosen, side=side, hops=find_hops(candidates))
        with shown_progress("ranking missing links of every node", on_progress, progress) as report:
            count = k if rejected is None else rejected.more_of_node(k)
            found = rank_per_node(self._scorer(observed), links, count, engine=engine, on_progress=report)
        if rejected is not None:
            found = rejected.left_out_of_nodes(*found, k, links.column)
        return self._ranking(observed, *found, self.prior_for(observed, prior), ranks_within=links.column)

    def write_scores(
        self,
        folder: Path | str,
        *,
        min_score: float | None = None,
        min_probability: float | None = None,
        question: Question | None = None,
        candidates: str = "all",
        second_values: str = "auto",
        graph: Any = None,
        prior: float | None = None,
        engine: Engine | None = None,
        on_progress: Callable[[int, int], None] | None = None,
        progress: bool | None = None,
    ) -> Written:
        """Writes every missing link or fact above a threshold as Parquet files; memory is bounded.

        Args:
            folder: A new or empty folder; see :meth:`linkwl.predict.dataset_out.DatasetWriter.write`.
            min_score: The least score; give this or ``min_probability``.
            min_probability: The least probability.
            question: Parts of the links or facts that are given, such as a node; by default none.
            candidates: ``all`` queries, ``hops:3`` or ``roles``; see :meth:`recommend`.
            second_values: ``drop``, ``keep`` or ``auto``; see :meth:`recommend`.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links or facts among such queries; by default that of :meth:`prior_for`.
            engine: The engine that scores candidates and writes files; by default inline.
            on_progress: Called with the finished work and the total work.
            progress: Whether to show a progress bar; None for one in a notebook or a terminal.
        """
        check_prior(prior)
        threshold = Threshold(min_score, min_probability)
        observed = self.observe(graph)
        asked = question or Question()
        chosen = asked.candidates(observed, candidates)
        functional = left_out(second_values, observed, asked)
        chosen = chosen if functional is None else FirstValues(chosen, functional)
        share, calibration = self.prior_for(observed, prior), self._fitted.calibration_
        writer = DatasetWriter(
            self._scorer(observed), observed, calibration, share, threshold, chosen, self._rejected(observed)
        )
        with shown_progress(f"writing missing {FACT_WORD[observed.task]}s", on_progress, progress) as report:
            return writer.write(folder, engine=engine, on_progress=report)


def _check_count(k: int, observed: Observed) -> None:
    if not isinstance(k, int | np.integer) or k < 1:
        raise InputError(f"the number of {FACT_WORD[observed.task]}s must be an integer of at least 1, got {k}.")
