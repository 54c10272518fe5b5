"""Engines by their names on the command line."""

from __future__ import annotations

from linkwl.engine.base import Engine
from linkwl.engine.inline import InlineEngine
from linkwl.engine.processes import ProcessEngine
from linkwl.errors import InputError, UnknownNameError


def find_engine(name: str) -> Engine:
    """The engine with this name: ``inline``, ``processes:N``, ``ray``, ``ray:host:port`` or ``ray://host:port``.

    Raises:
        UnknownNameError: If there is none.
        InputError: If N is missing, or is not an integer of at least 1; if the address is none; or Ray is missing.

    Example:
        >>> str(find_engine("processes:2"))
        'processes:2'
    """
    if name == "inline":
        return InlineEngine()
    kind, colon, rest = name.partition(":")
    if kind == "ray":
        return _ray(name, rest if colon else None)
    if kind != "processes":
        raise UnknownNameError("engine", name, ["inline", "processes:N", "ray", "ray:ADDRESS"])
    if not (rest.isascii() and rest.isdecimal() and int(rest) > 0):
        raise InputError(f"engine {name!r}: expected processes:N with an integer N of at least 1, such as processes:2.")
    return ProcessEngine(int(rest))


def _ray(name: str, address: str | None) -> Engine:
    from linkwl.engine.ray import RayEngine
    from linkwl.engine.ray_session import check_installed

    if address is not None and address != "auto":
        host, _, port = address.removeprefix("//").rpartition(":")
        if not (host and port.isascii() and port.isdecimal()):
            raise InputError(
                f"engine {name!r}: expected the address of a Ray cluster, such as ray:10.0.0.1:6379 from one of its "
                "nodes, ray:auto, or ray://10.0.0.1:10001 from outside; 'ray' alone starts one on this machine."
            )
    check_installed()
    return RayEngine(name if address is not None and address.startswith("//") else address)
