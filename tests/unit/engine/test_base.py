"""What holds for every engine."""

from __future__ import annotations

import pytest

import engine_tasks as work
from linkwl.engine import InlineEngine, ProcessEngine
from linkwl.errors import InputError, TaskError, UnknownNameError

PROCESSES = pytest.param(ProcessEngine(2), marks=pytest.mark.thorough)
ENGINES = pytest.mark.parametrize("engine", [InlineEngine(), PROCESSES], ids=str)


@ENGINES
def test_results_come_in_the_order_of_the_tasks(engine):
    done = []
    tasks = [0.3, 0.0, 0.1, 0.0]
    assert list(engine.map(work.nap, tasks, on_done=lambda task, result: done.append((task, result)))) == tasks
    assert sorted(done) == sorted((task, task) for task in tasks)


@ENGINES
def test_what_is_shared_comes_first(engine):
    assert list(engine.map(work.add, iter([1, 2, 3]), shared=10)) == [11, 12, 13]
    assert list(engine.map(work.add, [1], shared=0)) == [1]


@ENGINES
def test_no_tasks_no_results(engine):
    assert list(engine.map(work.halve, [])) == []


def test_every_engine_gives_the_same_bits():
    names = {f"n{k}": 1.1**k for k in range(50)}
    tasks = [[f"n{k}", f"n{(7 * k) % 50}"] for k in range(50)]
    one, two = (list(engine.map(work.sort_names, tasks, shared=names)) for engine in (InlineEngine(), ProcessEngine(2)))
    assert one == two


@ENGINES
@pytest.mark.parametrize(
    ("task", "kind", "sentence"),
    [
        ("input", InputError, "input: a.csv, line 7: it is bad."),
        ("unknown", UnknownNameError, "unknown: unknown model 'kats'; did you mean 'katz'?"),
        ("other", TaskError, "other: ZeroDivisionError: division by nothing"),
    ],
)
def test_an_error_names_its_task(engine, task, kind, sentence):
    with pytest.raises(kind) as caught:
        list(engine.map(work.fail, [task]))
    assert type(caught.value) is kind
    assert str(caught.value) == sentence
    if kind is InputError:
        assert (caught.value.problem, caught.value.line) == ("it is bad.", 7)


@ENGINES
def test_an_error_in_the_callback_ends_the_work(engine):
    def refuse(task, result):
        raise OSError("the disk is full")

    with pytest.raises(OSError, match="the disk is full"):
        list(engine.map(work.halve, [1, 2, 3], on_done=refuse))


@ENGINES
def test_closing_early_drops_what_was_not_begun(engine, tmp_path):
    """The second task would take longer than any test."""
    tasks = [("a", 0.0), ("b", 0.0 if engine.is_inline else 600.0), *((f"c{k}", 600.0) for k in range(20))]
    results = engine.map(work.leave_a_mark, tasks, shared=str(tmp_path))
    assert next(results) == "a"
    results.close()
    assert 1 <= len(list(tmp_path.iterdir())) <= 6
    assert list(results) == []


@ENGINES
def test_nothing_is_run_before_it_is_asked_for(engine, tmp_path):
    engine.map(work.leave_a_mark, [("a", 0.0)], shared=str(tmp_path)).close()
    assert list(tmp_path.iterdir()) == []
