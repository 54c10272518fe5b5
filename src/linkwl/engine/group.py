"""Groups of workers that keep state and are all asked at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any, Protocol, TypeAlias


class Member(Protocol):
    """One of a group; lives in a worker, and answers messages."""

    def answer(self, message: bytes) -> bytes:
        """The answer to a message that all members get."""


MakeMember: TypeAlias = Callable[[Any, int, int], Member]
"""Called in a worker with the shared value, the member's number from 0, and the number of members."""


class GroupLostError(Exception):
    """A member was killed; the group cannot go on, and a new one must be made."""


class Group(ABC):
    """Members that are asked together; made by :meth:`linkwl.engine.Engine.group`."""

    @abstractmethod
    def ask(self, message: bytes) -> list[bytes]:
        """Sends a message to all members; their answers, in the order of their numbers.

        Raises:
            GroupLostError: If a member was killed.
        """

    @abstractmethod
    def close(self) -> None:
        """Ends the members at once."""
