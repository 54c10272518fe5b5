"""Neural common neighbours with completion: nodes that may be common neighbours count by how likely they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import torch
from pydantic import Field
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.baselines.ncn import NCN, NCN_SPACE, NCNConfig, NCNEncoding, NCNNetwork
from linkwl.models.cost import FLOAT, KEPT, Cost
from linkwl.models.pairs.config import Settings
from linkwl.models.space import Choice, Space, Uniform
from linkwl.sparse.neighbour_overlap import NeighbourOverlap, neighbour_overlap

_BLOCK = 1 << 14  # pairs that are scored at a time to complete others
_ENTRY = 96  # bytes of a candidate


class CompletionSettings(Settings):
    """How much a node counts that is a neighbour of one end alone."""

    max_per_end: int = Field(default=32, ge=0, lt=1 << 31)
    """Largest number of such nodes at each end: those of largest degree. The published ones are drawn at random."""
    weight: float = Field(default=1.0, ge=0, le=10)
    """The weight of a node whose missing link is certain."""
    scale: float = Field(default=1.0, gt=0, le=100)
    """How fast the weight grows with the score of the missing link."""
    offset: float = Field(default=3.0, ge=-100, le=100)
    """The score at which the weight is half of that."""


class NCNCConfig(NCNConfig):
    """Settings of NCNC."""

    completion: CompletionSettings = CompletionSettings()


class NCNC(NCN):
    r"""Neural common neighbours with completion: links that may be missing make soft common neighbours.

    .. math::
        s(p, q) = f\Big(\mathbf{h}_p \odot \mathbf{h}_q \,\Big\Vert\, \sum_u w_u \mathbf{h}_u\Big), \qquad
        w_u = \begin{cases}
            1 & u \in N(p) \cap N(q) \\
            \alpha\,\sigma(\beta\,(s_0(u, q) - \gamma)) & u \in N(p) \setminus N(q) \\
            \alpha\,\sigma(\beta\,(s_0(u, p) - \gamma)) & u \in N(q) \setminus N(p)
        \end{cases}

    where :math:`s_0` is the score of :class:`linkwl.models.baselines.ncn.NCN` by the same weights. As in the published
    code the weights of neighbours have no gradient. Its fourth number, a factor of the odds, is the same as another
    :math:`\gamma`. At most 32 nodes are completed at each end, those of largest degree and among equals the first by
    number, so that a score is the same every time; the published code draws them. Links that are predicted in the same
    step are hidden from each other's completion too.

    Every completed node costs the score of another pair; equal pairs are scored once per step.

    Reference: Wang et al., 2024, arXiv:2302.00890.
    """

    id = "ncnc"
    title = "NCNC"
    block_size: ClassVar[int] = 1 << 13
    Config: ClassVar[type[NCNCConfig]] = NCNCConfig
    config: NCNCConfig
    search_space: ClassVar[Space] = {
        **NCN_SPACE,
        "completion.weight": Uniform(0.2, 1.0),
        "completion.scale": Choice(1.0, 2.0, 5.0),
        "completion.offset": Uniform(0.0, 5.0),
    }

    def build_network(self, shape: Mapping[str, int]) -> NCNCNetwork:
        """The network for graphs of that shape."""
        return NCNCNetwork(self.config, shape)

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """The cost of NCN on the targets, and without gradients on the pairs that complete them."""
        config = self.config
        common, single = self.neighbours_per_target(observed, config.completion.max_per_end)
        width, hidden = config.readout.width(config.encoder), config.readout.hidden
        candidates = num_targets * single
        block = min(candidates, _BLOCK) * (2 * width + 3 * hidden + 12 * common)
        memory = _ENTRY * candidates + FLOAT * KEPT / 2 * block
        work = candidates * ((2 * width + 2 * hidden) * hidden + (common + 3) * width)
        return super().pair_cost(observed, num_targets) + Cost(memory, work)

    def is_small(self, observed: Graph, num_targets: int) -> bool:
        """Whether the pairs that complete the targets are also few, by the mean degree."""
        degree = min(len(observed.col) / max(observed.num_nodes, 1), self.config.completion.max_per_end)
        return super().is_small(observed, int(num_targets * (1 + 2 * degree)))

    @property
    def remedy(self) -> str:
        """What to do if training does not fit."""
        return "complete fewer nodes (completion.max_per_end), " + super().remedy

    def describe(self, observed: Graph) -> str:
        """Layers, channels and completion."""
        encoder = self.config.encoder
        return f"{encoder.layers} convolutions, {encoder.channels} channels, completed sums over common neighbours"


class NCNCNetwork(NCNNetwork):
    """Encoder, scores of missing links, sums over common neighbours, readout."""

    def __init__(self, config: NCNCConfig, shape: Mapping[str, int]) -> None:
        super().__init__(config, shape)
        self.completion = config.completion

    def score(self, encoding: NCNEncoding, pairs: Tensor) -> Tensor:
        """Reads the ends, their common neighbours, and those that may be."""
        overlap = neighbour_overlap(*encoding.adjacency.arrays, pairs.cpu().numpy(), self.completion.max_per_end)
        return self.read_pairs(encoding.h, pairs, overlap, self.weights(encoding, overlap))

    @torch.no_grad()
    def weights(self, encoding: NCNEncoding, overlap: NeighbourOverlap) -> Tensor:
        """One for every common neighbour, and for the others as much as their missing link is likely."""
        node, missing = (torch.from_numpy(nodes).to(encoding.h.device) for nodes in (overlap.node, overlap.missing))
        weight = encoding.h.new_ones(len(node))
        place = torch.nonzero(missing >= 0).squeeze(1)
        if len(place) == 0:
            return weight
        first, second = node[place].long(), missing[place].long()
        num_nodes = encoding.adjacency.num_nodes
        key = torch.minimum(first, second) * num_nodes + torch.maximum(first, second)
        key, which = key.unique(return_inverse=True)
        links = torch.stack([key // num_nodes, key % num_nodes], dim=1)
        logits = torch.cat([super(NCNCNetwork, self).score(encoding, block) for block in links.split(_BLOCK)])
        settings = self.completion
        likely = settings.weight * torch.sigmoid(settings.scale * (logits - settings.offset))
        return weight.index_copy(0, place, likely.index_select(0, which))
