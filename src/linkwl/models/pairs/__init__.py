"""The networks of pairs: the paper's four, and our own."""
