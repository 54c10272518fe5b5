from __future__ import annotations

import pytest

from linkwl.predict.explanation import CutScore, count_text, drop_paths

CUTS = {"a": [1], "b": [1, 2], "c": [3], "d": [4]}


def score_without(cut):
    """Facts 1 and 2 stand in for each other; 3 counts twice; 4 counts against."""
    present = {1, 2, 3, 4} - cut
    return 10.0 * bool(present & {1, 2}) + 2 * (3 in present) - (4 in present)


def test_contributions_by_hand():
    found = drop_paths(CUTS, CutScore(score_without, 0, None), most=4)
    assert found.whole == 11
    assert found.alone == {"a": 11, "b": 1, "c": 9, "d": 12}
    # After b there is nothing left for a to take; before b, fact 2 stands in for fact 1.
    assert dict(found.drops) == {"b": 10, "c": 2, "a": 0, "d": -1}
    assert list(found.drops) == ["b", "c", "a", "d"]
    assert found.rest == 0


@pytest.mark.parametrize("most", range(6))
def test_contributions_and_rest_add_up(most):
    seen = []
    total = len(CUTS) + 2 * min(most, len(CUTS)) + 1
    score = CutScore(score_without, total, lambda *report: seen.append(report))
    found = drop_paths(CUTS, score, most)
    assert sum(found.drops.values()) + found.rest == found.whole
    assert set(found.drops) == set(sorted(CUTS, key=found.alone.__getitem__)[:most])
    assert seen == [(k + 1, total) for k in range(total)]


def test_numbers_in_words():
    assert [count_text(number, "link") for number in (0, 1, 2345)] == ["0 links", "1 link", "2,345 links"]
