from __future__ import annotations

import socket
from dataclasses import replace

import pytest

from linkwl.datasets import DataFile
from linkwl.datasets.download import download_file
from linkwl.errors import DownloadError, OutputError

CONTENT = bytes(range(256)) * 1000  # several chunks


@pytest.fixture
def target(tmp_path):
    return tmp_path / "seal" / "Tiny.mat"


def assert_nothing_left(target):
    assert list(target.parent.iterdir()) == []


def test_exact_bytes_arrive_with_progress(web, target):
    web.pages["seal/Tiny.mat"] = CONTENT
    seen = []
    download_file(web.file("seal/Tiny.mat", CONTENT), target, on_progress=lambda *step: seen.append(step))
    assert target.read_bytes() == CONTENT
    assert [path.name for path in target.parent.iterdir()] == ["Tiny.mat"]
    received = [so_far for so_far, _ in seen]
    assert len(received) > 1 and received == sorted(set(received)) and received[-1] == len(CONTENT)
    assert {total for _, total in seen} == {len(CONTENT)}


def test_missing_page(web, target):
    file = web.file("seal/Tiny.mat", CONTENT)
    with pytest.raises(
        DownloadError, match=r"cannot be downloaded from .*Not Found.*LINKWL_DATA .* seal/Tiny\.mat"
    ) as info:
        download_file(file, target)
    assert str(info.value).count("\n") == 0
    assert_nothing_left(target)


@pytest.mark.parametrize(
    ("served", "size"),
    [
        (CONTENT[:-1] + b"x", "256000"),
        (CONTENT[:-1], "255999"),
        (CONTENT * 20, "more than 256000"),
        (b"", "0"),
    ],
    ids=["other content", "shorter", "longer", "empty"],
)
def test_other_bytes_are_refused_and_leave_nothing(web, target, served, size):
    web.pages["seal/Tiny.mat"] = served
    seen = []
    with pytest.raises(DownloadError, match=rf"served {size} bytes that are not seal/Tiny\.mat \(256000 bytes, sha256"):
        download_file(web.file("seal/Tiny.mat", CONTENT), target, on_progress=lambda so_far, _: seen.append(so_far))
    assert max(seen, default=0) <= len(CONTENT)
    assert_nothing_left(target)


def test_connection_cut_halfway(web, target):
    web.pages["seal/Tiny.mat"] = CONTENT[:100_000]
    web.lengths["seal/Tiny.mat"] = len(CONTENT)
    with pytest.raises(DownloadError, match=r"Tiny\.mat"):
        download_file(web.file("seal/Tiny.mat", CONTENT), target)
    assert_nothing_left(target)


def test_failure_keeps_the_file_that_was_there(web, target):
    target.parent.mkdir()
    target.write_bytes(b"before")
    with pytest.raises(DownloadError):
        download_file(web.file("seal/Tiny.mat", CONTENT), target)
    assert target.read_bytes() == b"before"


def test_nobody_answers(target, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    with socket.socket() as taken:  # bound but not listening: a connection is refused
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/Tiny.mat"
        with pytest.raises(DownloadError, match=r"refused.*set LINKWL_DATA to a folder that holds seal/Tiny\.mat"):
            download_file(DataFile("seal/Tiny.mat", 1, "0" * 64, url), target)
    assert_nothing_left(target)


def test_silent_server_times_out(target, monkeypatch):
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr("linkwl.datasets.download._TIMEOUT_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/Tiny.mat"
        with pytest.raises(DownloadError, match="timed out"):
            download_file(DataFile("seal/Tiny.mat", 1, "0" * 64, url), target)
    assert_nothing_left(target)


def test_a_full_or_forbidden_disk_is_not_blamed_on_the_network(web, target):
    target.parent.write_text("a file where the folder should be")
    with pytest.raises(OutputError):
        download_file(web.file("seal/Tiny.mat", CONTENT), target)


def test_the_sentence_names_file_address_and_place(web, target):
    file = replace(web.file("seal/Tiny.mat", CONTENT), url=f"{web.address}/nowhere")
    with pytest.raises(DownloadError) as info:
        download_file(file, target)
    for part in (file.path, file.url, str(target), "LINKWL_DATA"):
        assert part in str(info.value)
