from __future__ import annotations

import pytest

from linkwl.engine import InlineEngine
from linkwl.errors import TaskError


def test_tasks_are_run_here_one_by_one():
    seen = []
    results = InlineEngine().map(lambda shared, task: seen.append(task) or shared * task, [1, 2, 3], shared=2)
    assert next(results) == 2
    assert seen == [1]
    assert list(results) == [4, 6]


def test_the_error_itself_is_the_cause():
    def fail(task):
        raise KeyError(task)

    with pytest.raises(TaskError, match="seed 3: KeyError: 'seed 3'") as caught:
        list(InlineEngine().map(fail, ["seed 3"]))
    assert isinstance(caught.value.__cause__, KeyError)


def test_ctrl_c_is_no_failed_task():
    def interrupt(task):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        list(InlineEngine().map(interrupt, [1]))
