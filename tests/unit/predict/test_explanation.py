from __future__ import annotations

from dataclasses import dataclass

import pytest

from linkwl.predict.contributions import Contributions
from linkwl.predict.explanation import Explanation, GroupScores, Part, count_text, make_parts


@dataclass(frozen=True)
class Named:
    name: str
    is_background: bool = False


class Plain(Explanation):
    def to_json(self, graph):
        return {}

    def to_text(self, graph):
        return "\n".join([*(self.part_text(part, part.group.name) for part in self.parts), *self.summary_text()])

    def group_text(self, graph, group):
        return group.name


@pytest.mark.parametrize(
    ("contribution", "error", "drop", "effect", "note"),
    [
        (2.0, 0.0, 1.0, "raises", ""),
        (2.0, 0.0, 0.0, "raises", ""),
        (-2.0, 0.0, -1.0, "lowers", ""),
        (2.0, 0.0, -1.0, "unclear", "acts only together with other groups"),
        (-2.0, 0.5, 1.0, "unclear", "acts only together with other groups"),
        (0.4, 0.5, 1.0, "unclear", "smaller than its error"),
        (0.0, 0.0, 1.0, "unclear", ""),
    ],
)
def test_an_effect_never_contradicts_its_removal(contribution, error, drop, effect, note):
    part = Part(Named("a"), contribution, error, 5.0 - drop, drop)
    assert (part.effect, part.note) == (effect, note)


def test_parts_come_with_what_joins_the_nodes_first_and_null_ones_are_left_out():
    groups = [Named("a"), Named("own", is_background=True), Named("b"), Named("unused")]
    found = Contributions(9.0, 1.0, (1.0, 4.0, 3.0, 0.0), (0.0,) * 4, (8.0, 2.0, 7.0, 9.0))
    parts = make_parts(groups, found)
    assert [part.group.name for part in parts] == ["b", "a", "own"]
    assert [part.drop for part in parts] == [2.0, 1.0, 7.0]
    explanation = Plain((0, 1), False, 9.0, 1.0, parts, 16)
    assert explanation.share == 0.5
    text = explanation.to_text(None)
    assert "  +3.000  b  (without: 7.000)" in text
    assert "+1.000  baseline: the score without all of this" in text
    assert text.endswith("explains 50% of the parts.")


def test_estimates_show_their_errors_and_small_scores_their_digits():
    part = Part(Named("a"), 2e-5, 1e-6, 1e-5, 1e-5)
    text = Plain((0, 1), False, 2e-5, 0.0, (part,), 16).to_text(None)
    assert "+2.00e-05 ± 1.00e-06  a  (without: 1.00e-05)" in text


def test_a_score_that_nothing_changes():
    assert "nothing that could be removed changes the score" in Plain((0, 1), False, 2.0, 2.0, (), 2).to_text(None)


@pytest.mark.parametrize(("is_sum", "total"), [(False, 16), (True, 6)])
def test_progress_ends_with_all(is_sum, total):
    seen = []
    scores = GroupScores(len, lambda *report: seen.append(report))
    found = scores.share(4, is_sum=is_sum, budget=16, seed=0)
    assert found.parts == pytest.approx([1.0] * 4)
    assert seen == [(k + 1, total) for k in range(total)]


def test_numbers_in_words():
    assert [count_text(number, "link") for number in (0, 1, 2345)] == ["0 links", "1 link", "2,345 links"]
