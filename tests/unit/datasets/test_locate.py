from __future__ import annotations

import pytest

from linkwl.datasets import Dataset, cache_folder, data_folders, fetch_dataset, find_file
from linkwl.errors import DownloadError, InputError


def write(folder, file, content):
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def dataset_of(*files):
    return Dataset("tiny", "Tiny", "seal", 0, 0, 0, source="", licence="", files=files)


def test_the_chosen_folder_comes_before_the_cache(web, cache, tmp_path, monkeypatch):
    file = web.file("seal/Tiny.mat", b"right")
    kept = write(cache, file, b"right")
    assert data_folders() == [cache] and find_file(file) == kept
    monkeypatch.setenv("LINKWL_DATA", str(tmp_path / "mine"))
    assert data_folders() == [tmp_path / "mine", cache] and find_file(file) == kept
    mine = write(tmp_path / "mine", file, b"right")
    assert find_file(file) == mine


@pytest.mark.parametrize("content", [b"wrong", b"longer than right", b""])
def test_a_wrong_file_is_neither_used_nor_passed_over(web, cache, tmp_path, monkeypatch, content):
    file = web.file("seal/Tiny.mat", b"right")
    write(cache, file, b"right")
    monkeypatch.setenv("LINKWL_DATA", str(tmp_path / "mine"))
    path = write(tmp_path / "mine", file, content)
    with pytest.raises(DownloadError, match=f"Tiny.mat: found {len(content)} bytes .* expected 5 with .*; delete it"):
        find_file(file)
    assert path.read_bytes() == content


def test_an_unreadable_file_is_an_input_error(web, cache):
    file = web.file("seal/Tiny.mat", b"right")
    (cache / file.path).mkdir(parents=True)
    with pytest.raises(InputError, match="cannot be read"):
        find_file(file)


def test_what_is_missing_is_downloaded_once(web, cache):
    files = [web.file(f"seal/{name}", name.encode() * 3) for name in ("a", "bb", "ccc")]
    web.pages.update({file.path: file.path.removeprefix("seal/").encode() * 3 for file in files})
    write(cache, files[1], b"bbbbbb")
    assert find_file(files[0]) is None
    seen = []
    paths = fetch_dataset(dataset_of(*files), on_progress=lambda *step: seen.append(step))
    assert paths == [cache_folder() / file.path for file in files]
    assert [path.read_bytes() for path in paths] == [b"aaa", b"bbbbbb", b"c" * 9]
    assert seen == [(3, 12), (12, 12)]
    web.pages.clear()
    assert fetch_dataset(dataset_of(*files)) == paths


def test_without_files_there_is_nothing_to_fetch(cache):
    assert fetch_dataset(dataset_of()) == []
    assert not cache.exists()
