"""The hyperspherical variational graph autoencoder."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import ClassVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from linkwl.models.baselines.variational import Posterior, VariationalConfig, VariationalModel, VariationalNetwork
from linkwl.models.gradient import TrainingConfig
from linkwl.nn.adjacency import Adjacency
from linkwl.nn.encoder import GCNConv
from linkwl.nn.von_mises_fisher import divergence_from_uniform, sample

_TEMPERATURE = 5.0
"""At the start."""
_SHORTEST = 1e-4
"""Shorter vectors have no direction."""


class SVGAEConfig(VariationalConfig):
    """Settings of S-VGAE."""

    training: TrainingConfig = TrainingConfig(learning_rate=0.01)


class SVGAE(VariationalModel):
    r"""S-VGAE: every node has a von Mises-Fisher distribution on the unit sphere, whose samples give the links.

    .. math::
        \boldsymbol\mu = \frac{\hat{A} H W_\mu}{\|\hat{A} H W_\mu\|}, \quad
        \kappa = 1 + \operatorname{softplus}(\hat{A} H \mathbf{w}_\kappa), \quad
        \mathbf{z} \sim \mathrm{vMF}(\boldsymbol\mu, \kappa), \quad
        s(p, q) = \tau\, \boldsymbol\mu_p^\top \boldsymbol\mu_q

    The loss is a cross-entropy plus the divergence from the uniform distribution, divided by :math:`n`; see
    :mod:`linkwl.nn.von_mises_fisher`. The temperature :math:`\tau` is learned, since cosines alone cannot become
    certain. All vectors have unit length, so a score cannot grow with the degrees: without features the model is weak.
    The hidden layers :math:`H` are those of :class:`~linkwl.models.baselines.vgae.VGAE`. Training links are hidden
    while they are predicted; in the published variant (`paper`) they stay visible to the network that predicts them.

    Reference: Davidson et al., 2018, arXiv:1804.00891.
    """

    id = "svgae"
    title = "S-VGAE"
    reference = "Davidson et al., Hyperspherical variational auto-encoders, UAI, 2018."
    Config: ClassVar[type[SVGAEConfig]] = SVGAEConfig
    config: SVGAEConfig

    def build_network(self, shape: Mapping[str, int]) -> SVGAENetwork:
        """The network for graphs of that shape."""
        return SVGAENetwork(self.config, shape)


class SVGAENetwork(VariationalNetwork):
    """Hidden layers, von Mises-Fisher distributions, and cosines."""

    def __init__(self, config: SVGAEConfig, shape: Mapping[str, int]) -> None:
        super().__init__(config, shape)
        self.concentration = GCNConv(config.encoder.channels, 1, bias=config.variant == "ours")
        self.log_temperature = nn.Parameter(torch.tensor(math.log(_TEMPERATURE)))

    def distribute(self, hidden: Tensor, adjacency: Adjacency) -> Posterior:
        """Distributions on the sphere."""
        mean = F.normalize(self.mean(hidden, adjacency), dim=1, eps=_SHORTEST)
        if not self.training:
            return Posterior(mean, None)
        kappa = 1 + F.softplus(self.concentration(hidden, adjacency)[:, 0])
        return Posterior(sample(mean, kappa), divergence_from_uniform(kappa, mean.shape[1]))

    def score(self, encoding: Posterior, pairs: Tensor) -> Tensor:
        """Cosines times the temperature."""
        return self.log_temperature.exp() * super().score(encoding, pairs)
