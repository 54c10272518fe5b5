"""Splits that do not leak, and the audit that checks it."""

from linkwl.splits.audit import Audit, Check, audit_split
from linkwl.splits.covering import CoveringSplit
from linkwl.splits.decided import decided
from linkwl.splits.draw import draw_split
from linkwl.splits.entity_corruptions import EntityCorruptions
from linkwl.splits.files import SPLIT_FILES, FileSplit, read_split, write_split
from linkwl.splits.fold import FOLDS, Fold, OtherRelations, Split, Targets
from linkwl.splits.hard_negatives import HardNegatives
from linkwl.splits.inductive import DividedSplit, EntitySplit
from linkwl.splits.inverse_relations import DuplicateRelations, InverseRelations, find_duplicates, find_inverses
from linkwl.splits.known_negatives import KnownNegatives
from linkwl.splits.labelled_negatives import LabelledNegatives
from linkwl.splits.near_negatives import near_negatives
from linkwl.splits.negatives import NegativeSampler, UniformNegatives, sample_negatives
from linkwl.splits.random import RandomSplit
from linkwl.splits.splitter import HeldOut, Splitter
from linkwl.splits.temporal import TemporalSplit

__all__ = [
    "FOLDS",
    "SPLIT_FILES",
    "Audit",
    "Check",
    "CoveringSplit",
    "DividedSplit",
    "DuplicateRelations",
    "EntityCorruptions",
    "EntitySplit",
    "FileSplit",
    "Fold",
    "HardNegatives",
    "HeldOut",
    "InverseRelations",
    "KnownNegatives",
    "LabelledNegatives",
    "NegativeSampler",
    "OtherRelations",
    "RandomSplit",
    "Split",
    "Splitter",
    "Targets",
    "TemporalSplit",
    "UniformNegatives",
    "audit_split",
    "decided",
    "draw_split",
    "find_duplicates",
    "find_inverses",
    "near_negatives",
    "read_split",
    "sample_negatives",
    "write_split",
]
