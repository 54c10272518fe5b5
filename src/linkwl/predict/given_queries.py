"""Questions about given pairs or triples: their scores, probabilities and explanations."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwl.errors import InputError, LinkwlWarning
from linkwl.graph import Observed, load_graph
from linkwl.graph.node_ids import NodeId
from linkwl.metrics import auc
from linkwl.predict.explain import explain_query
from linkwl.predict.explanation import Explanation
from linkwl.predict.fitted_model import FittedModel, check_prior
from linkwl.predict.names import find_queries
from linkwl.predict.new_links import find_new_links
from linkwl.predict.ranking import Ranking
from linkwl.progress import OnProgress, shown_progress
from linkwl.splits import Targets
from linkwl.typing import FACT_WORD, FloatArray, IntArray, Queries, Scores


class GivenQueries(FittedModel):
    """The methods of :class:`linkwl.LinkPredictor` that answer questions about given pairs or triples."""

    def decision_function(self, pairs: Any, *, graph: Any = None) -> Scores:
        """The model's score of every pair; larger means likelier to be a link.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the fitted graph.
        """
        return self.rank(pairs, graph=graph).scores

    def predict_proba(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> FloatArray:
        """The probabilities that every pair is not a link, and that it is a link; shape ``(num_pairs, 2)``.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links among such pairs; by default that of :meth:`prior_for`.
        """
        ranking = self.rank(pairs, graph=graph, prior=prior)
        return np.stack([1 - ranking.probabilities, ranking.probabilities], axis=1)

    @property
    def classes_(self) -> IntArray:
        """The two answers of :meth:`predict`: 0 for a pair that is not a link, 1 for a link."""
        return np.array([0, 1])

    def predict(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> IntArray:
        """Whether every pair is likelier a link than not: 1 if its probability is above one half, else 0.

        Links are rare in most graphs, and so are pairs with such a probability. If about half of the pairs are links,
        as in many tests, give ``prior=0.5``.

        Args:
            pairs: Two node names each, shape ``(num_pairs, 2)``.
            graph: Another graph to observe; by default the fitted graph.
            prior: The share of links among such pairs; by default that of :meth:`prior_for`.
        """
        return (self.rank(pairs, graph=graph, prior=prior).probabilities > 0.5).astype(np.int64)

    def score(self, pairs: Any, labels: Any = None, *, graph: Any = None) -> float:
        """The AUC: the probability that a link has a higher score than a pair that is not a link.

        Classifiers of scikit-learn return the accuracy here, which says little where links are rare: the answer that
        nothing is a link would be nearly perfect.

        Args:
            pairs: Pairs with labels; or, without labels, a graph: then its links that the fitted graph does not have
                are compared with as many random pairs that are in neither, drawn with the predictor's seed.
            labels: 1 for a link and 0 for another pair, one per pair.
            graph: Another graph to observe; by default the fitted graph.

        Raises:
            InputError: If the labels do not fit the pairs, only one kind of label is there, or the graph has no new
                links.

        Example:
            >>> import linkwl
            >>> whole = linkwl.load_dataset("airports")
            >>> known = whole.select(np.arange(whole.num_edges) % 10 > 0)
            >>> predictor = linkwl.LinkPredictor("ra").fit(known)
            >>> f"{predictor.score(whole):.2f}"
            '0.86'
            >>> predictor.score([("JNU", "PDX"), ("JNU", "MIA")], [1, 0])
            1.0
        """
        observed = self.observe(graph)
        if labels is None:
            later = load_graph(pairs, directed=self.directed)
            targets = find_new_links(
                observed, later if self.directed or later.task == "triples" else later.links, self.seed
            )
        else:
            targets = _labelled(observed, find_queries(observed, pairs), np.asarray(labels))
        scorer = self._scorer(observed)
        return auc(scorer(targets.positives), scorer(targets.negatives))

    def rank(self, pairs: Any, *, graph: Any = None, prior: float | None = None) -> Ranking:
        """Scores, probabilities and ranks of given pairs, in their order."""
        observed = self.observe(graph)
        return self.rank_indices(find_queries(observed, pairs), graph=observed, prior=prior)

    def rank_indices(self, queries: Queries, *, graph: Observed, prior: float | None = None) -> Ranking:
        """Like :meth:`rank`, for queries by index."""
        check_prior(prior)
        queries = graph.check_queries(queries)
        if graph.task == "pairs" and len(loops := queries[queries[:, 0] == queries[:, 1]]):
            raise InputError(
                f"a node has no link with itself; remove the pair of {graph.ids[int(loops[0, 0])]!r} with itself."
            )
        return self._ranking(graph, queries, self._scorer(graph)(queries), self.prior_for(graph, prior))

    def explain(
        self,
        query: Sequence[NodeId],
        *,
        graph: Any = None,
        on_progress: OnProgress | None = None,
        progress: bool | None = None,
        **options: Any,
    ) -> Explanation:
        """Explains the score of a pair or triple; print the result, or show it in a notebook.

        Args:
            query: Two nodes, or a head, a relation and a tail.
            graph: Another graph to observe; by default the fitted graph.
            on_progress: Called with the finished work and the total work.
            progress: Whether to show a progress bar; None for one in a notebook or a terminal.
            options: Those of :func:`linkwl.predict.explain_query`.
        """
        observed = self.observe(graph)
        width = len(observed.query_columns)
        if isinstance(query, str) or len(query) != width:
            what = (
                "a link is explained by its two nodes"
                if width == 2
                else "a fact is explained by its head, relation and tail"
            )
            raise InputError(f"{observed.name} is a graph of {observed.task}: {what}, got {query!r}.")
        found = find_queries(observed, [query])[0].tolist()
        if found[0] == found[-1]:
            what = "link with" if width == 2 else "fact about"
            raise InputError(f"{query[0]!r} is both ends: a {what} itself has no paths to explain it.")
        with shown_progress("explaining", on_progress, progress) as report:
            options = {"prepare": self.prepare_exactly} | options
            explanation = explain_query(self._fitted.model_, observed, found, on_progress=report, **options)
        return explanation.named_by(observed)


def _labelled(observed: Observed, queries: Queries, labels: Any) -> Targets:
    """The queries with label 1, and those with label 0."""
    if labels.shape != (len(queries),):
        raise InputError(f"labels must be one per pair ({len(queries)}), got shape {labels.shape}.")
    is_link = labels == 1
    if not (is_link | (labels == 0)).all():
        raise InputError("labels must be 1 for a link and 0 for another pair.")
    if is_link.all() or not is_link.any():
        raise InputError("labels must have both 1 and 0: links are compared with other pairs.")
    if num_seen := int(np.count_nonzero(observed.contains(queries[is_link]))):
        warnings.warn(
            f"{observed.name}: the model sees {num_seen:,} of the {observed.task} with label 1 as "
            f"{FACT_WORD[observed.task]}s; the result says little about missing ones.",
            LinkwlWarning,
            stacklevel=3,
        )
    return Targets(queries[is_link], queries[~is_link])
