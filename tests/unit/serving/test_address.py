from __future__ import annotations

import socket

import pytest

from linkwl.errors import InputError
from linkwl.serving.address import check_reach, is_loopback, listen, policy_for

TOKEN = "a-token-of-some-length"


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.1.2.3"])
def test_this_machine_needs_no_token(host):
    assert is_loopback(host)
    check_reach(host, None)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "my-machine.local", ""])
def test_others_need_one(host):
    assert not is_loopback(host)
    with pytest.raises(InputError, match="--token"):
        check_reach(host, None)
    check_reach(host, TOKEN)


@pytest.mark.parametrize("token", ["", "short", "with a space in it", "with-ümlaut-in-it", "with\ttab-in-it-1"])
def test_weak_tokens_are_refused(token):
    with pytest.raises(InputError, match="token"):
        check_reach("127.0.0.1", token)


def test_a_port_that_is_taken_is_refused():
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        assert port > 0
        with pytest.raises(InputError, match=f"port {port}.*--port"):
            listen("127.0.0.1", port)


def test_an_address_of_another_machine_is_refused():
    with pytest.raises(InputError, match="cannot listen|no address"):
        listen("203.0.113.7", 0)
    with pytest.raises(InputError, match="no address"):
        listen("no such host", 0)


def test_loopback_answers_to_its_names_alone():
    policy = policy_for("127.0.0.1", 8000, None)
    assert policy.hosts == {"127.0.0.1:8000", "localhost:8000", "[::1]:8000"}


def test_port_80_needs_no_number():
    assert {"localhost", "localhost:80"} <= policy_for("127.0.0.1", 80, None).hosts


def test_beyond_loopback_the_names_of_the_machine_count():
    hosts = policy_for("0.0.0.0", 8000, TOKEN, ["Desk.Example", "[fe80::1]"]).hosts
    assert {f"{socket.gethostname().lower()}:8000", "desk.example:8000", "desk.example", "[fe80::1]:8000"} <= hosts


def test_a_server_with_tls_may_pass_requests_on():
    policy = policy_for("127.0.0.1", 8000, None, ["desk.example"])
    assert {"https://desk.example", "http://desk.example:8000", "http://127.0.0.1:8000"} <= policy.origins
    assert "https://127.0.0.1:8000" not in policy.origins


def test_names_that_are_none_are_refused():
    with pytest.raises(InputError, match="not the name of a machine"):
        policy_for("127.0.0.1", 8000, None, ["evil.example/path"])
