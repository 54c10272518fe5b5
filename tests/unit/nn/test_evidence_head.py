from __future__ import annotations

import numpy as np
import torch

from linkwl.nn.evidence_head import Evidence, EvidenceHead


def test_one_logit_per_pair_that_depends_on_its_row_alone():
    torch.manual_seed(0)
    head = EvidenceHead(3)
    sample = torch.randn(500, 3, dtype=torch.float64) * torch.tensor([1.0, 100.0, 0.0])
    head.fit(sample)
    head.double()
    logits = head(sample)
    assert logits.shape == (500,)
    assert torch.isfinite(logits).all()
    torch.testing.assert_close(head(sample[7:9]), logits[7:9])


def test_an_empty_sample_changes_nothing():
    head = EvidenceHead(2)
    head.fit(torch.empty(0, 2))
    assert torch.isfinite(head(torch.randn(4, 2))).all()


def test_fresh_weights():
    head = EvidenceHead(2)
    before = head.out.weight.clone()
    head.reset_parameters()
    assert not torch.equal(before, head.out.weight)


def test_the_last_rows_are_remembered():
    calls = []

    def table(pairs):
        calls.append(len(pairs))
        return pairs.astype(np.float64)

    pairs = torch.tensor([[0, 1], [2, 3]])
    for remember, expected in ((False, 2), (True, 1)):
        calls.clear()
        evidence = Evidence(table, remember=remember)
        assert torch.equal(evidence.at(pairs), evidence.at(pairs))
        assert len(calls) == expected
