"""The variational graph autoencoder."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor

from linkwl.graph import Graph
from linkwl.models.baselines.variational import Posterior, VariationalConfig, VariationalModel, VariationalNetwork
from linkwl.models.batch import Batch
from linkwl.models.cost import FLOAT, Cost
from linkwl.models.gradient import TrainingConfig
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import GCNConv
from linkwl.nn.reconstruction import BLOCK_ELEMENTS, reconstruction_loss

_LARGEST = 10.0
"""Limit of the logarithm of a deviation."""


class VGAEConfig(VariationalConfig):
    """Settings of VGAE."""

    training: TrainingConfig = TrainingConfig(learning_rate=0.01, patience=500)


class VGAE(VariationalModel):
    r"""VGAE: every node has a normal distribution, and inner products of samples give the links.

    .. math::
        \boldsymbol\mu = \hat{A} H W_\mu, \quad \log \boldsymbol\sigma = \hat{A} H W_\sigma, \quad
        \mathbf{z} = \boldsymbol\mu + \boldsymbol\sigma \odot \boldsymbol\epsilon, \quad
        s(p, q) = \boldsymbol\mu_p^\top \boldsymbol\mu_q

    The loss is a cross-entropy plus :math:`\mathrm{KL}(\mathbf{z} \,\|\, \mathcal{N}(0, I)) / n`. With features, our
    hidden layers read them and the degrees. Without features the input is the identity of each node, as published,
    which was better than degrees on validation links: the model then knows only the nodes it was trained on;
    ``nodes = "encoded"`` reads degrees. Training links are hidden while they are predicted, negatives are sampled, and
    the weights that are best on validation links are kept. Training never stops early: on sparse graphs it may stay at
    chance for a hundred steps before it finds anything.

    In the published variant (`paper`), :math:`H = \operatorname{ReLU}(\hat{A} X W)` with raw features or identities. It
    reconstructs all :math:`n^2` entries of the adjacency, see :func:`linkwl.nn.reconstruction_loss`, and keeps the last
    weights. Training links stay visible to the network that predicts them, and all other pairs are negatives, whether
    or not they are held out.

    Reference: Kipf and Welling, 2016, arXiv:1611.07308.
    """

    id = "vgae"
    title = "VGAE"
    reference = "Kipf and Welling, Variational graph auto-encoders, NeurIPS workshop, 2016."
    Config: ClassVar[type[VGAEConfig]] = VGAEConfig
    config: VGAEConfig

    def build_network(self, shape: Mapping[str, int]) -> VGAENetwork:
        """The network for graphs of that shape."""
        return VGAENetwork(self.config, shape)

    def error(self, posterior: Posterior, batch: Batch) -> Tensor:
        """In `paper` the error of the whole adjacency."""
        if self.config.variant == "ours":
            return super().error(posterior, batch)
        assert isinstance(batch.observed, Graph)
        return reconstruction_loss(posterior.z, self._adjacency(batch.observed))

    def pair_cost(self, observed: Graph, num_targets: int) -> Cost:
        """In `paper` also the cost of all pairs."""
        cost, n = super().pair_cost(observed, num_targets), observed.num_nodes
        if self.config.variant == "ours":
            return cost
        block = max(min(BLOCK_ELEMENTS, n * n), n)
        return cost + Cost(3.0 * FLOAT * block, 2.0 * n * n * (self.config.latent + 16))


class VGAENetwork(VariationalNetwork):
    """Hidden layers and normal distributions."""

    def __init__(self, config: VGAEConfig, shape: Mapping[str, int]) -> None:
        super().__init__(config, shape)
        self.log_deviation = GCNConv(config.encoder.channels, config.latent, bias=config.variant == "ours")

    def distribute(self, hidden: Tensor, adjacency: Adjacency) -> Posterior:
        """Normal distributions, each dimension on its own."""
        mean = self.mean(hidden, adjacency)
        if not self.training:
            return Posterior(mean, None)
        log_deviation = self.log_deviation(hidden, adjacency).clamp(max=_LARGEST)
        z = mean + log_deviation.exp() * torch.randn_like(mean)
        divergence = -0.5 * (1 + 2 * log_deviation - mean.square() - (2 * log_deviation).exp()).sum(1)
        return Posterior(z, divergence)
