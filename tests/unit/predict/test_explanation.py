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
    def to_json(self, graph=None):
        return {}

    def to_text(self, graph=None):
        return "\n".join([*(self.part_text(part, part.group.name) for part in self.parts), *self.summary_text()])

    def group_text(self, graph, group):
        return group.name


MISSING = "only where other evidence is missing"


@pytest.mark.parametrize(
    ("contribution", "error", "drop", "effect", "note"),
    [
        (2.0, 0.0, 1.0, "raises", ""),
        (2.0, 0.0, 0.1, "raises", "other evidence can stand in for it"),
        (2.0, 0.0, 0.0, "raises", "other evidence can stand in for it"),
        (0.1, 0.0, 2.0, "raises", "counts mostly together with other evidence"),
        (-2.0, 0.0, -1.0, "lowers", ""),
        (2.0, 0.0, -1.0, "unclear", f"raises the score {MISSING}"),
        (-2.0, 0.5, 1.0, "unclear", f"lowers the score {MISSING}"),
        (0.4, 0.5, 1.0, "unclear", "smaller than its error"),
        (0.0, 0.0, 1.0, "unclear", "counts mostly together with other evidence"),
        (0.1, 0.0, -0.1, "unclear", ""),  # small beside the largest part
    ],
)
def test_an_effect_never_contradicts_its_removal(contribution, error, drop, effect, note):
    part = Part(Named("a"), contribution, error, 5.0 - drop, drop, scale=8.0)
    assert (part.effect, part.note) == (effect, note)
    assert part.to_json()["note"] == note


@pytest.mark.parametrize(("interaction", "why"), [(-3.0, "stands in for the other"), (3.0, "counts little without")])
def test_united_groups_say_why(interaction, why):
    assert why in Part(Named("a"), 2.0, 0.0, 3.0, 2.0, interaction).note


def test_the_largest_part_comes_first_and_null_ones_are_left_out():
    groups = [Named("a"), Named("own", is_background=True), Named("b"), Named("unused"), Named("also", True)]
    found = Contributions(13.0, 1.0, (1.0, 4.0, 3.0, 0.0, 4.0), (0.0,) * 5, (12.0, 6.0, 11.0, 13.0, 9.0))
    parts = make_parts(groups, found, list)
    assert [part.group.name for part in parts] == ["own", "also", "b", "a"]
    assert [part.drop for part in parts] == [7.0, 4.0, 2.0, 1.0]
    assert make_parts(
        [Named("own", True), Named("b")], Contributions(2.0, 0.0, (1.0, 1.0), (0.0,) * 2, (1.0, 1.0)), list
    )[0].group == Named("b")
    explanation = Plain((0, 1), False, 13.0, 1.0, parts, 16)
    assert explanation.share == pytest.approx(1 / 3)
    lines = explanation.to_text(None).splitlines()
    assert "  +3.000    +2.000  b" in lines[2]
    assert explanation.heading_text() == "   average    on top"
    assert lines[4].endswith("+1.000            baseline: the score without all of this")
    assert lines[5] == "  What joins the two or compares them makes 33% of the parts, what each has by itself 67%."
    joining = Plain((0, 1), False, 9.0, 1.0, parts[2:], 16)
    assert "All of it joins the two or compares them." in joining.to_text(None)


def test_groups_that_replace_each_other_are_one_row():
    groups = [Named("a"), Named("b")]
    table = {frozenset(): 0.0, frozenset([0]): 3.0, frozenset([1]): 3.0, frozenset([0, 1]): 1.0}
    found = Contributions(1.0, 0.0, (0.5, 0.5), (0.0, 0.0), (3.0, 3.0), table)
    (part,) = make_parts(groups, found, lambda some: Named(" and ".join(group.name for group in some)))
    assert (part.group.name, part.contribution, part.drop, part.effect) == ("a and b", 1.0, 1.0, "raises")
    assert part.interaction == -5.0
    assert "one stands in for the other" in part.note


def test_estimates_show_their_errors_and_small_scores_their_digits():
    part = Part(Named("a"), 2e-5, 1e-6, 1e-5, 1e-5)
    text = Plain((0, 1), False, 2e-5, 0.0, (part,), 16).to_text(None)
    assert "+2.00e-05 ± 1.00e-06  +1.00e-05  a" in text


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
