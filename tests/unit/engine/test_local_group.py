from __future__ import annotations

import os
import signal

import pytest

from engine_tasks import Echo
from linkwl.engine import InlineEngine
from linkwl.engine.group import GroupLostError


def test_a_group_of_one_is_this_process():
    group = InlineEngine().group(Echo, "hello", 1)
    assert group.ask(b"you") == [f"hello 0 of 1, you, {os.getpid()}".encode()]
    group.close()


@pytest.mark.thorough
def test_all_members_answer_in_order_until_one_is_killed():
    group = InlineEngine().group(Echo, "hello", 3)
    try:
        long = b"x" * 100_000
        for message in (b"you", b"", long):
            answers = [answer.decode().split(", ") for answer in group.ask(message)]
            assert [answer[0] for answer in answers] == ["hello 0 of 3", "hello 1 of 3", "hello 2 of 3"]
            assert {answer[1] for answer in answers} == {message.decode()}
        pids = [int(answer[2]) for answer in answers]
        assert pids[0] == os.getpid()
        assert len(set(pids)) == 3
        os.kill(pids[2], signal.SIGKILL)
        with pytest.raises(GroupLostError):
            for _ in range(3):  # the first message may still be sent
                group.ask(b"you")
    finally:
        group.close()


@pytest.mark.thorough
def test_a_member_that_dies_at_the_start_is_noticed():
    with pytest.raises(GroupLostError):
        InlineEngine().group(Echo, "die", 2)
