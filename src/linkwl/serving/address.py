"""Where the server listens: this machine alone unless a token is given, and by which names it is called."""

from __future__ import annotations

import contextlib
import ipaddress
import socket
from collections.abc import Iterable

from linkwl.errors import InputError
from linkwl.serving.guard import Policy

SHORTEST_TOKEN = 12
_HOST_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_:[]")


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at this address."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def check_reach(host: str, token: str | None) -> None:
    """Raises InputError if others could reach the server and no token keeps them out, or it is easy to guess."""
    if token is None and not is_loopback(host):
        raise InputError(
            f"other machines can reach a server at {host}; give --token with a secret of at least {SHORTEST_TOKEN} "
            "letters and digits, or leave --host out."
        )
    if token is not None and (len(token) < SHORTEST_TOKEN or not token.isascii() or not token.isprintable()):
        raise InputError(f"the token must have {SHORTEST_TOKEN} or more letters and digits; choose a longer one.")
    if token is not None and any(letter.isspace() for letter in token):
        raise InputError("the token must not contain spaces; choose another one.")


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any free one.

    Raises:
        InputError: If the port is taken, or this machine has no such address.
    """
    plain = host.strip("[]")
    try:
        found = socket.getaddrinfo(plain, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError) as error:
        raise InputError(f"there is no address {host!r}; use 127.0.0.1.") from error
    family, kind, protocol, _, place = min(found, key=lambda entry: entry[0] != socket.AF_INET)
    own = socket.socket(family, kind, protocol)
    try:
        own.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        own.bind(place)
        own.listen(2048)
    except OSError as error:
        own.close()
        raise InputError(
            f"cannot listen at {host}, port {port} ({(error.strerror or 'no permission').lower()}); choose another "
            "port with --port, or 0 for any free one."
        ) from error
    own.setblocking(False)
    return own


def policy_for(host: str, port: int, token: str | None, others: Iterable[str] = ()) -> Policy:
    """The policy of a server: the names that it answers to are those of the address and given ones.

    Args:
        host: The address that it listens at.
        port: Its port.
        token: The token, if there is one.
        others: Further names, such as those of a server with TLS that passes requests on; IPv6 in brackets.

    Raises:
        InputError: If a further name is none.
    """
    names = {_bracketed(host)}
    if not is_loopback(host):
        names |= {_bracketed(name) for name in _own_names()}
    outside = list(others)
    for name in outside:
        if not name or not set(name.lower()) <= _HOST_LETTERS:
            raise InputError(f"{name!r} is not the name of a machine; write it like my-machine.local.")
    return Policy.of(port, names=names, outside=outside, token=token)


def _own_names() -> set[str]:
    """The names and addresses of this machine that others may call it by."""
    name = socket.gethostname()
    names = {name, f"{name}.local"}
    with contextlib.suppress(OSError, UnicodeError):
        names |= {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    return {found for found in names if "%" not in found}


def _bracketed(host: str) -> str:
    """A host as browsers write it: an address of IPv6 stands in brackets."""
    plain = host.strip("[]")
    return f"[{plain}]" if ":" in plain else plain
