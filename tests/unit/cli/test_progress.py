from __future__ import annotations

from linkwl.cli.console import console, set_quiet
from linkwl.cli.progress import AT_MOST, ProgressLines, left_text, progress_bar, task_text


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


def lines_of(seconds_per_step, steps):
    clock, lines = Clock(), []
    progress = ProgressLines(write=lines.append, clock=clock)
    task = progress.add_task("training", total=steps)
    for step in range(1, steps + 1):
        clock.now += seconds_per_step
        progress.update(task, completed=step, description=f"loss {1 / step:.2f}", left=AT_MOST)
    return lines


def test_short_work_leaves_no_line():
    assert lines_of(0.9, 10) == []


def test_a_line_in_ten_seconds_with_the_time_left_as_measured():
    lines = lines_of(4.0, 25)
    assert lines[0] == "loss 0.33 (3 of 25, 12 s, at most about 1 min 28 s left)"
    assert len(lines) == 8  # after 12, 24, ..., 96 seconds


def test_long_work_has_fewer_lines():
    assert 30 < len(lines_of(1.0, 3600)) < 60


def test_the_first_steps_tell_nothing_of_the_time_left():
    clock = Clock()
    progress = ProgressLines(write=lambda line: None, clock=clock)
    task = progress.add_task("ranking", total=10)
    assert left_text(progress.tasks[0]) == ""
    assert task_text(progress.tasks[0]) == "ranking (0 of 10, 0 s)"
    for _ in range(3):
        clock.now += 2
        progress.advance(task)
    assert left_text(progress.tasks[0]) == "about 14 s left"
    clock.now += 5000
    assert "1 h 23 min" in task_text(progress.tasks[0])


def test_finished_and_hidden_tasks_are_left_out():
    clock, lines = Clock(), []
    progress = ProgressLines(write=lines.append, clock=clock)
    runs = progress.add_task("evaluating", total=2)
    progress.add_task("training", visible=False, total=None)
    done = progress.add_task("reading", total=1, completed=1)
    progress.update(done, completed=1)
    clock.now = 20
    progress.advance(runs)
    assert lines == ["evaluating (1 of 2, 20 s)"]
    clock.now = 40
    progress.advance(runs)  # nothing is left to do
    assert len(lines) == 1


def test_quiet_means_neither_bar_nor_lines():
    assert isinstance(progress_bar(), ProgressLines)  # tests have no terminal
    set_quiet(True)
    try:
        bar = progress_bar()
        assert not isinstance(bar, ProgressLines)
        assert bar.disable
    finally:
        set_quiet(False)
    assert not console.quiet
