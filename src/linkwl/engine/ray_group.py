"""Groups of actors of Ray."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np

from linkwl.engine.group import Group, GroupLostError, MakeMember
from linkwl.engine.ray import lost_errors
from linkwl.engine.ray_session import connect
from linkwl.engine.worker import become_worker, use_threads
from linkwl.errors import InputError


class RayGroup(Group):
    """Every member is an actor with a core of its own; messages go through the object store.

    Raises:
        InputError: If the cluster has fewer cores than there are members.
    """

    def __init__(self, address: str | None, make: MakeMember, shared: object, size: int) -> None:
        self._ray = ray = connect(address)
        cores = int(ray.cluster_resources().get("CPU", 0))
        if size > cores:
            raise InputError(f"{size} workers need as many cores, and the Ray cluster has {cores}; use fewer workers.")
        work = ray.put(_array(ray.cloudpickle.dumps((make, shared))))
        actor = ray.remote(_Actor).options(num_cpus=1, max_restarts=0, scheduling_strategy="SPREAD")
        self._actors = [actor.remote(work, rank, size) for rank in range(size)]

    def ask(self, message: bytes) -> list[bytes]:
        """The answers, when all have come."""
        content = self._ray.put(_array(message))
        try:
            return list(self._ray.get([actor.answer.remote(content) for actor in self._actors]))
        except lost_errors(self._ray) as error:
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
