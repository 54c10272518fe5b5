"""How much an edge counts in a walk."""

from __future__ import annotations

import torch
from torch import Tensor

from linkwl.nn.adjacency import Adjacency


def edge_weight(adjacency: Adjacency, ends: Tensor, dtype: torch.dtype) -> Tensor:
    r"""Symmetric normalisation: :math:`1 / \sqrt{d_p d_q}` of edges (p, q): a walk through a hub counts little.

    In a directed graph :math:`d_p` counts the edges that leave p and :math:`d_q` those that arrive at q.

    Shape:
        - ends: ``(num_chosen, 2)``, edges of the adjacency
        - output: ``(num_chosen,)``
    """
    leaving = adjacency.degree.index_select(0, ends[:, 0])
    arriving = adjacency.transpose.degree.index_select(0, ends[:, 1])
    return (leaving * arriving).to(dtype).rsqrt()
