from __future__ import annotations

import sys
import webbrowser

import pytest

from linkwl.serving import server
from linkwl.serving.address import listen
from served import airports

TOKEN = "a-token-of-some-length"


@pytest.fixture
def started(monkeypatch, tmp_path):
    """What would be served: the application and the port of each start, and what was opened in a browser."""
    found = []

    def run(app, own, *, on_start):
        found.append((app, own.getsockname()[1]))
        on_start()
        app.state.served.close()

    monkeypatch.setattr(server, "run", run)
    monkeypatch.setattr(webbrowser, "open", found.append)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    place = tmp_path_factory.mktemp("models") / "model"
    airports().save(place)
    return place


def test_it_says_where_the_page_is(linkwl, started, folder, tmp_path):
    code, out, err = linkwl("serve", folder, "--port", "0")
    assert (code, out) == (0, "")
    ((app, port),) = started
    assert f"airports: open http://127.0.0.1:{port}/ in a browser" in err
    assert app.state.policy.hosts == {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
    assert list((tmp_path / "data").rglob("*.sqlite")) and list((tmp_path / "cache").rglob("*.parquet"))


def test_a_browser_is_opened_only_if_asked(linkwl, started, folder):
    linkwl("serve", folder, "--port", "0", "--open")
    assert started[1] == f"http://127.0.0.1:{started[0][1]}/"


def test_decisions_may_lie_elsewhere(linkwl, started, folder, tmp_path):
    linkwl("serve", folder, "--port", "0", "--decisions", tmp_path / "mine")
    assert [path.suffix for path in (tmp_path / "mine").glob("*.sqlite")] == [".sqlite"]
    assert not (tmp_path / "data").exists()


def test_beyond_this_machine_the_address_has_the_token(linkwl, started, folder):
    code, _, err = linkwl(
        "serve", folder, "--port", "0", "--host", "0.0.0.0", "--token", TOKEN, "--allow-host", "desk.example"
    )
    ((app, port),) = started
    assert code == 0 and f"http://127.0.0.1:{port}/?token={TOKEN}" in err
    assert app.state.policy.token == TOKEN
    assert f"desk.example:{port}" in app.state.policy.hosts


@pytest.mark.thorough
def test_without_a_folder_it_shows_the_airports(linkwl, started):
    assert linkwl("serve", "--port", "0", "--quiet")[0] == 0
    opened = started[0][0].state.served.current
    assert (opened.name, opened.predictor.model_.id) == ("airports", "walk-2fwl")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--host", "0.0.0.0"], "give --token"),
        (["--host", "0.0.0.0", "--token", "short"], "the token must have 12"),
        (["--port", "70000"], "65535"),
        (["--host", "no such host"], "there is no address"),
        (["--allow-host", "a/b", "--port", "0"], "not the name of a machine"),
    ],
)
def test_wrong_options_are_one_sentence(linkwl, started, folder, arguments, words):
    if arguments[:2] == ["--host", "no such host"]:
        arguments = [*arguments, "--token", TOKEN]
    code, _, err = linkwl("serve", folder, *arguments)
    assert code == 2 and words in err
    assert err.count("\n") == 1
    assert not started


def test_a_folder_without_a_model_is_one_sentence(linkwl, started, tmp_path):
    code, _, err = linkwl("serve", tmp_path, "--port", "0")
    assert code == 2 and "there is no model in this folder" in err


def test_a_port_that_is_taken_is_one_sentence(linkwl, started, folder):
    with listen("127.0.0.1", 0) as other:
        code, _, err = linkwl("serve", folder, "--port", other.getsockname()[1])
    assert code == 2 and "choose another port" in err
    assert err.count("\n") == 1


def test_the_extra_is_named_if_it_is_missing(linkwl, started, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    code, _, err = linkwl("serve")
    assert code == 2 and "pip install 'linkwl[serve]'" in err
