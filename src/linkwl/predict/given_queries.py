"""Questions about given pairs or triples: their scores, probabilities and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from linkwl.errors import InputError
from linkwl.graph import Observed
from linkwl.graph.node_ids import NodeId
from linkwl.predict.explain import explain_query
from linkwl.predict.explanation import Explanation
from linkwl.predict.fitted_model import FittedModel, check_prior
from linkwl.predict.names import find_queries
from linkwl.predict.ranking import Ranking
from linkwl.typing import FloatArray, Queries, Scores


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

    def explain(self, query: Sequence[NodeId], *, graph: Any = None, **options: Any) -> Explanation:
        """Explains the score of a pair or triple; see :func:`linkwl.predict.explain_query`."""
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
        return explain_query(self._fitted.model_, observed, found, **options)
