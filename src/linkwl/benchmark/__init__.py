"""Benchmark: runs the cells of the paper's tables, keeps their records and draws the tables from them."""
