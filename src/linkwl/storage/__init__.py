"""Storage: tensors, graphs and models in files."""

from linkwl.storage.graph import read_graph_file, write_graph
from linkwl.storage.tensors import TensorFile, open_tensors, write_tensors

__all__ = ["TensorFile", "open_tensors", "read_graph_file", "write_graph", "write_tensors"]
