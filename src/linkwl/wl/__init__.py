"""Exact Weisfeiler-Lehman tests on links: which links can each test distinguish?"""

from linkwl.wl.case import READINGS, Link
from linkwl.wl.colouring import Colouring
from linkwl.wl.compare import Verdict, compare
from linkwl.wl.drnl import drnl_labels
from linkwl.wl.engine import ENGINES, TESTS
from linkwl.wl.labels import Labels
from linkwl.wl.partition import partition, partition_all
from linkwl.wl.refine import refine, refine_all
from linkwl.wl.verify import verify

__all__ = [
    "ENGINES",
    "READINGS",
    "TESTS",
    "Colouring",
    "Labels",
    "Link",
    "Verdict",
    "compare",
    "drnl_labels",
    "partition",
    "partition_all",
    "refine",
    "refine_all",
    "verify",
]
