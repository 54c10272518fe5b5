"""Files of every reader with random damage; ``benchmarks/fuzz_readers.py`` reads thousands more."""

from __future__ import annotations

import random

import pytest

from linkwl.graph import readers
from reader_cases import GRAPH_FILES, READERS, damaged, file_name, outcome


@pytest.mark.parametrize("name", READERS)
def test_a_damaged_file_is_read_or_refused_in_one_sentence(name, tmp_path):
    content, path = READERS[name][0], tmp_path / file_name(name)
    path.write_bytes(content)
    assert outcome(name, path) == ("refused" if "7.3" in name else "read")
    rng = random.Random(name)
    for _ in range(2 if path.suffix == ".mat" else 25):  # each .mat file takes a process
        path.write_bytes(damaged(content, rng))
        assert outcome(name, path) in ("read", "refused")


def test_every_reader_is_tried():
    kinds = (readers.READERS, readers._MATRIX_READERS, readers._RDF_READERS, readers._PACKED)
    endings = {ending for kind in kinds for ending in kind} | {".csv"}
    assert endings <= {f".{name.rsplit('.', 1)[-1]}" for name in GRAPH_FILES}
