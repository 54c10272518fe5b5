"""Splits that do not leak, and the audit that proves it."""

from linkwl.splits.audit import Audit, Check, audit_split
from linkwl.splits.folder import SPLIT_FILES, read_split, write_split
from linkwl.splits.negatives import sample_negatives
from linkwl.splits.protocol import PAPER, PROTOCOLS, Protocol, find_protocol
from linkwl.splits.random_split import RandomSplit
from linkwl.splits.split import FOLDS, Fold, Split

__all__ = [
    "FOLDS",
    "PAPER",
    "PROTOCOLS",
    "SPLIT_FILES",
    "Audit",
    "Check",
    "Fold",
    "Protocol",
    "RandomSplit",
    "Split",
    "audit_split",
    "find_protocol",
    "read_split",
    "sample_negatives",
    "write_split",
]
