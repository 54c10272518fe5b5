"""Layers and operators on the pairs and nodes of a graph; PyTorch."""

from linkwl.nn.adjacency import Adjacency, edge_weight
from linkwl.nn.encoder import APPNP, GCNConv, NodeBlock, NodeEncoder, NodeInput, SAGEConv
from linkwl.nn.encodings import DegreeEncoding, QuantileEncoding, log_scale
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.local_two_wl_conv import LocalTwoWLConv
from linkwl.nn.norms import ColumnNorm, GraphNorm
from linkwl.nn.operators import join, neighbour_sum, segment_sum
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures, ProductPairs, SumPairs
from linkwl.nn.perceptron import Perceptron, PerceptronEnsemble
from linkwl.nn.plain_walks import WalkProfile
from linkwl.nn.readout import PairReadout
from linkwl.nn.rounds import PairLinear, UnionRounds, WalkRounds, WalkTensors, walk_tensors
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.two_fwl_conv import TwoFWLConv
from linkwl.nn.two_wl_conv import TwoWLConv

__all__ = [
    "APPNP",
    "Adjacency",
    "ColumnNorm",
    "DegreeEncoding",
    "DensePairs",
    "FeatureSimilarity",
    "GCNConv",
    "GatedBranch",
    "GraphNorm",
    "LabelledPairs",
    "LocalTwoFWLConv",
    "LocalTwoWLConv",
    "NodeBlock",
    "NodeEncoder",
    "NodeInput",
    "PairFeatures",
    "PairLinear",
    "PairReadout",
    "Perceptron",
    "PerceptronEnsemble",
    "ProductPairs",
    "QuantileEncoding",
    "SAGEConv",
    "SparseLinear",
    "SparseRows",
    "SumPairs",
    "TwoFWLConv",
    "TwoWLConv",
    "UnionRounds",
    "WalkProfile",
    "WalkRounds",
    "WalkTensors",
    "edge_weight",
    "join",
    "log_scale",
    "neighbour_sum",
    "segment_sum",
    "walk_tensors",
]
