"""Sort pooling: the nodes of a graph as a sequence of fixed length."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from linkwl.sparse.sort_rows import largest_rows


class SortPool(nn.Module):
    """The nodes of each graph in descending order of their last channel, cut or filled up with zeros to one length.

    Ties are decided by the channel before, and so on; nodes that are equal in every channel are interchangeable. The
    order itself has no gradient.

    Reference: Zhang et al., An end-to-end deep learning architecture for graph classification, AAAI, 2018, Section 3.2.

    Args:
        length: The number of nodes to keep.

    Shape:
        - x: ``(num_nodes, channels)``
        - node_ptr: ``(num_graphs + 1,)``; the nodes of graph i are ``node_ptr[i] : node_ptr[i + 1]``
        - output: ``(num_graphs, length, channels)``
    """

    def __init__(self, length: int) -> None:
        super().__init__()
        self.length = length

    def forward(self, x: Tensor, node_ptr: Tensor) -> Tensor:
        """Sorts the nodes of every graph."""
        rows = largest_rows(x.detach().cpu().contiguous().numpy(), node_ptr.cpu().numpy(), self.length)
        place = torch.from_numpy(rows).to(x.device).reshape(-1)
        is_node = (place >= 0).to(x)[:, None]
        return (x.index_select(0, place.clamp(min=0)) * is_node).view(-1, self.length, x.shape[1])

    def extra_repr(self) -> str:
        """The length."""
        return str(self.length)
