"""The models of triples: the paper's, and the systems that it is compared with."""
