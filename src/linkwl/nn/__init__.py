"""Layers and operators on the pairs and nodes of a graph; PyTorch."""

from linkwl.nn.adjacency import Adjacency, edge_weight
from linkwl.nn.encoder import APPNP, GCNConv, NodeBlock, NodeEncoder, NodeInput, SAGEConv
from linkwl.nn.encodings import DegreeEncoding, QuantileEncoding, log_scale
from linkwl.nn.entry_products import Entries, entry_products
from linkwl.nn.feature_similarity import FeatureSimilarity
from linkwl.nn.gated_branch import GatedBranch
from linkwl.nn.grail_conv import GrailConv, QueryGraph
from linkwl.nn.local_two_fwl_conv import LocalTwoFWLConv
from linkwl.nn.local_two_wl_conv import LocalTwoWLConv
from linkwl.nn.norms import ColumnNorm, GraphNorm
from linkwl.nn.operators import join, neighbour_sum, segment_sum
from linkwl.nn.pair_features import DensePairs, LabelledPairs, PairFeatures, ProductPairs, SumPairs
from linkwl.nn.perceptron import Perceptron, PerceptronEnsemble
from linkwl.nn.plain_walks import WalkProfile
from linkwl.nn.readout import PairReadout
from linkwl.nn.reconstruction import reconstruction_loss
from linkwl.nn.relational_conv import RelationalConv, RelationalEdges
from linkwl.nn.rounds import PairLinear, UnionRounds, WalkRounds, WalkTensors, walk_tensors
from linkwl.nn.sparse_linear import SparseLinear, SparseRows
from linkwl.nn.star_branch import BranchSums, StarBranch
from linkwl.nn.star_conv import Places, hear, star_totals
from linkwl.nn.stars import at_stars, star_sums
from linkwl.nn.two_fwl_conv import TwoFWLConv
from linkwl.nn.two_wl_conv import TwoWLConv
from linkwl.nn.typed_stars import PairPlaces, TypedPairGraph, TypedStars
from linkwl.nn.typed_walks import JoinedPairs, TypedWalks

__all__ = [
    "APPNP",
    "Adjacency",
    "BranchSums",
    "ColumnNorm",
    "DegreeEncoding",
    "DensePairs",
    "Entries",
    "FeatureSimilarity",
    "GCNConv",
    "GatedBranch",
    "GrailConv",
    "GraphNorm",
    "JoinedPairs",
    "LabelledPairs",
    "LocalTwoFWLConv",
    "LocalTwoWLConv",
    "NodeBlock",
    "NodeEncoder",
    "NodeInput",
    "PairFeatures",
    "PairLinear",
    "PairPlaces",
    "PairReadout",
    "Perceptron",
    "PerceptronEnsemble",
    "Places",
    "ProductPairs",
    "QuantileEncoding",
    "QueryGraph",
    "RelationalConv",
    "RelationalEdges",
    "SAGEConv",
    "SparseLinear",
    "SparseRows",
    "StarBranch",
    "SumPairs",
    "TwoFWLConv",
    "TwoWLConv",
    "TypedPairGraph",
    "TypedStars",
    "TypedWalks",
    "UnionRounds",
    "WalkProfile",
    "WalkRounds",
    "WalkTensors",
    "at_stars",
    "edge_weight",
    "entry_products",
    "hear",
    "join",
    "log_scale",
    "neighbour_sum",
    "reconstruction_loss",
    "segment_sum",
    "star_sums",
    "star_totals",
    "walk_tensors",
]
