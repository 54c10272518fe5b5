"""Benchmark: the paper's tables, cell by cell, from records that can be resumed and redrawn."""
