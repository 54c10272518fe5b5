"""Groups of actors of Ray."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from linkwl.engine.group import Group, GroupLostError, MakeMember
from linkwl.engine.ray import FETCH_SECONDS, cores_of, lost_errors
from linkwl.engine.ray_session import connect
from linkwl.engine.worker import become_worker, use_threads
from linkwl.errors import InputError

_LOOK_SECONDS = 5.0
"""Time after which the nodes are looked up again while members compute."""


class RayGroup(Group):
    """Every member is an actor with a core of its own; messages go through the object store.

    Raises:
        InputError: If the cluster has fewer cores than there are members.
    """

    def __init__(self, address: str | None, make: MakeMember, shared: object, size: int) -> None:
        self._ray = ray = connect(address)
        cores = sum(cores_of(ray))
        if size > cores:
            raise InputError(f"{size} workers need as many cores, and the Ray cluster has {cores}; use fewer workers.")
        work = ray.put(_array(ray.cloudpickle.dumps((make, shared))))
        actor = ray.remote(_Actor).options(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")
        self._actors = [actor.remote(work, rank, size) for rank in range(size)]

    def ask(self, message: bytes) -> list[bytes]:
        """The answers, when all have come."""
        ray = self._ray
        content = ray.put(_array(message))
        answers = waiting = [actor.answer.remote(content) for actor in self._actors]
        try:
            while waiting:
                ready, waiting = ray.wait(waiting, timeout=_LOOK_SECONDS)
                ray.get(ready, timeout=FETCH_SECONDS)  # raises at once what has become of an actor
                if not ready and sum(cores_of(ray)) < len(
                    self._actors
                ):  # an actor that waits for a core would wait forever
                    raise GroupLostError
            return list(ray.get(answers, timeout=FETCH_SECONDS))
        except lost_errors(ray) as error:
            raise GroupLostError from error

    def close(self) -> None:
        """Kills the actors."""
        for actor in self._actors:
            self._ray.kill(actor)


def _array(message: bytes) -> np.ndarray[Any, Any]:
    return np.frombuffer(message, dtype=np.uint8)  # read from the store without a copy


class _Actor:
    """A member in a worker of Ray."""

    def __init__(self, work: np.ndarray[Any, Any], rank: int, size: int) -> None:
        become_worker()
        use_threads(1)
        make, shared = pickle.loads(work.data)
        self._member = make(shared, rank, size)

    def answer(self, message: np.ndarray[Any, Any]) -> bytes:
        return bytes(self._member.answer(message.tobytes()))
