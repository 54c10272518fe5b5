from __future__ import annotations

from linkwl.serving.time_left import StepClock


def test_the_first_steps_are_forgotten():
    now = 0.0
    clock = StepClock(lambda: now)
    for step in range(1, 11):
        now += 100.0
        clock.seconds_left(step, 1000)
    for step in range(11, 60):
        now += 1.0
        left = clock.seconds_left(step, 1000)
    assert left == 1000 - 59


def test_nothing_is_known_after_one_step():
    assert StepClock().seconds_left(7, 10) is None


def test_nothing_is_left_at_the_end():
    clock = StepClock()
    clock.seconds_left(1, 2)
    assert clock.seconds_left(2, 2) == 0.0
