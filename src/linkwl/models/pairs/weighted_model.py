"""Models of pairs whose sums over edges have the weights of the edges as factors."""

from __future__ import annotations

from linkwl.graph import Graph
from linkwl.models.base import Needs
from linkwl.models.edge_values import check_values
from linkwl.models.pairs.pair_model import PairModel, PairNetwork
from linkwl.nn.adjacency import Adjacency

_WEIGHTS = "has_weights"


class WeightedPairModel(PairModel):
    r"""A model that reads the weights of edges, in units of their mean, wherever it sums over edges.

    The normalised entries of the adjacency, :math:`1 / \sqrt{d_p d_q}`, become :math:`w_{pq} / \sqrt{s_p s_q}` with
    the sums s of the weights at each node. A model that was trained without weights ignores those of other graphs.
    """

    needs = Needs(directed=True, weights=True)

    def measure(self, observed: Graph) -> dict[str, int]:
        """The shape of other models, and whether edges have weights."""
        return super().measure(observed) | ({} if observed.weight is None else {_WEIGHTS: 1})

    def _network_for(self, observed: Graph) -> PairNetwork:
        """The network, after a check that the graph has the weights it reads."""
        check_values(self.id, self.shape, observed)
        return super()._network_for(observed)

    def _adjacency(self, observed: Graph) -> Adjacency:
        """The edges, with their weights if the model was trained with weights."""
        adjacency = super()._adjacency(observed)
        if not self.shape.get(_WEIGHTS):
            return adjacency
        assert observed.relative_weight is not None
        return adjacency.with_weight(observed.relative_weight)
