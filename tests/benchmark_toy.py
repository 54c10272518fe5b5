"""The smallest model with weights: a straight line through the logarithm of two degrees."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn

from linkwl.graph import Graph
from linkwl.models.gradient import GradientModel
from linkwl.typing import Pairs


class Toy(GradientModel):
    id = "2wl"
    title = "Toy"
    reference = "none"

    def build_network(self, shape: Mapping[str, int]) -> nn.Module:
        return nn.Linear(1, 1)

    def logits(self, observed: Graph, pairs: Pairs) -> Tensor:
        product = torch.tensor(observed.degree[pairs] + 1.0, dtype=torch.float32).log().sum(dim=1, keepdim=True)
        return self.trained(product).squeeze(1)

    def describe(self, observed: Graph) -> str:
        return "a line"
