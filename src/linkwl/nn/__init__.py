"""Layers and operators on the pairs and nodes of a graph; PyTorch."""

from linkwl.nn.adjacency import Adjacency
from linkwl.nn.boosted_trees import BoostedTrees, TreeDescent
from linkwl.nn.convolutions import APPNP, GCNConv, SAGEConv
from linkwl.nn.degree_encoding import DegreeEncoding
from linkwl.nn.edge_weight import edge_weight
from linkwl.nn.encoder import NodeBlock, NodeEncoder, NodeInput
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.join import join
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.local_two_wl_conv import LocalTwoWLConv
from linkwl.nn.log_scale import log_scale
from linkwl.nn.neighbour_sum import neighbour_sum
from linkwl.nn.norms import ColumnNorm, GraphNorm
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures, ProductPairs, SumPairs
from linkwl.nn.pair_linear import PairLinear
from linkwl.nn.perceptron import Perceptron
from linkwl.nn.perceptron_ensemble import PerceptronEnsemble
from linkwl.nn.quantile_encoding import QuantileEncoding
from linkwl.nn.readout import PairReadout
from linkwl.nn.segment_sum import segment_sum
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.two_fwl_conv import TwoFWLConv
from linkwl.nn.two_wl_conv import TwoWLConv
from linkwl.nn.union_rounds import UnionRounds
from linkwl.nn.walk_profile import WalkProfile
from linkwl.nn.walk_rounds import WalkRounds
from linkwl.nn.walk_tensors import WalkTensors, walk_tensors

__all__ = [
    "APPNP",
    "Adjacency",
    "BoostedTrees",
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
    "TreeDescent",
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
