from __future__ import annotations

import asyncio
import threading

import pytest

from linkwl.serving.errors import ApiError
from linkwl.serving.workers import Lane, Workers


def test_more_than_may_wait_are_refused():
    may_end = threading.Event()

    async def ask():
        lane = Lane("test", threads=1, waiting=2)
        tasks = [asyncio.create_task(lane.run(may_end.wait, 10)) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(ApiError) as refused:
            await lane.run(lambda: None)
        assert refused.value.status == 429
        assert refused.value.headers["retry-after"] == "1"
        may_end.set()
        assert await asyncio.gather(*tasks) == [True] * 3
        assert await lane.run(lambda: 7) == 7  # there is room again
        lane.close()

    asyncio.run(ask())


def test_an_explanation_blocks_no_score():
    may_end = threading.Event()

    async def ask():
        workers = Workers()
        long = asyncio.create_task(workers.explain.run(may_end.wait, 10))
        assert await workers.score.run(lambda: 7) == 7
        assert not long.done()
        may_end.set()
        await long
        workers.close()

    asyncio.run(ask())


def test_errors_arrive_and_leave_room():
    async def ask():
        lane = Lane("test", threads=1, waiting=0)
        for _ in range(3):
            with pytest.raises(ZeroDivisionError):
                await lane.run(lambda: 1 // 0)
        lane.close()

    asyncio.run(ask())


def test_a_client_that_leaves_keeps_its_place_until_the_work_ends():
    may_end, has_begun = threading.Event(), threading.Event()

    def work():
        has_begun.set()
        may_end.wait(10)

    async def ask():
        lane = Lane("test", threads=1, waiting=0)
        task = asyncio.create_task(lane.run(work))
        await asyncio.to_thread(has_begun.wait, 10)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(ApiError):
            await lane.run(lambda: None)
        may_end.set()
        while lane._inside:
            await asyncio.sleep(0.001)
        assert await lane.run(lambda: 7) == 7
        lane.close()

    asyncio.run(ask())


def test_an_explanation_pauses_for_scores(monkeypatch):
    monkeypatch.setattr("linkwl.serving.workers._PAUSE_SECONDS", 10.0)
    may_end, order = threading.Event(), []

    def explain(workers):
        workers.give_way()
        order.append("explanation")

    async def ask():
        workers = Workers()
        short = asyncio.create_task(workers.score.run(lambda: (may_end.wait(10), order.append("score"))))
        await asyncio.sleep(0)
        long = asyncio.create_task(workers.explain.run(explain, workers))
        await asyncio.sleep(0.01)
        may_end.set()
        await asyncio.gather(short, long)
        workers.close()

    asyncio.run(ask())
    assert order == ["score", "explanation"]


def test_the_pause_is_bounded():
    async def ask():
        lane, may_end = Lane("test", threads=1, waiting=0), threading.Event()
        task = asyncio.create_task(lane.run(may_end.wait, 10))
        await asyncio.sleep(0)
        assert not await asyncio.to_thread(lane.wait_idle, 0.001)
        may_end.set()
        await task
        assert lane.wait_idle(0)
        lane.close()

    asyncio.run(ask())
