from __future__ import annotations

import numpy as np

from linkwl.graph.decisions import Decisions, decisions_text


def decisions(num_accepted=1, num_rejected=2, **numbers):
    pairs = np.arange(2 * (num_accepted + num_rejected), dtype=np.int32).reshape(-1, 2)
    return Decisions(pairs[:num_accepted], pairs[num_accepted:], **numbers)


def test_accepted_queries_come_before_rejected_ones():
    assert decisions().judged.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_the_entry_of_a_record_is_plain_values():
    found = decisions(num_known=4, num_later=5).to_json()
    assert found == {
        "accepted": 1,
        "rejected": 2,
        "already known": 4,
        "later": 5,
        "accepted queries": [[0, 1]],
        "rejected queries": [[2, 3], [4, 5]],
    }


def test_the_sentence_names_what_there_is():
    assert decisions_text(decisions().to_json()) == "decisions: 1 accepted, 2 rejected"
    text = decisions_text(decisions(num_known=4, num_later=1200).to_json())
    assert text.endswith("4 accepted that the graph has already, 1,200 for later, which are not used")
