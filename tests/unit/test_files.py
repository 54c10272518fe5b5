from __future__ import annotations

import os
from pathlib import Path

import pytest

from linkwl.errors import OutputError
from linkwl.files import check_writable, make_folder, replaced, write_text

full_disk = pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
not_root = pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")


def test_text_is_written_whole_and_as_utf8(tmp_path):
    write_text(tmp_path / "a.txt", "é\n")
    assert (tmp_path / "a.txt").read_bytes() == "é\n".encode()
    write_text(str(tmp_path / "a.txt"), "b")
    assert (tmp_path / "a.txt").read_text() == "b"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_the_target_appears_only_when_the_block_ends_well(tmp_path):
    target = tmp_path / "a.csv"
    with replaced(target) as temporary:
        assert temporary.parent == tmp_path
        assert temporary.suffix == ".csv"
        temporary.write_text("half")
        assert not target.exists()
    assert target.read_text() == "half"


def test_a_failure_leaves_the_old_content_and_no_litter(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")
    with pytest.raises(ZeroDivisionError), replaced(target) as temporary:
        temporary.write_text("new")
        raise ZeroDivisionError
    assert target.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_permissions_are_those_of_an_ordinary_new_file(tmp_path):
    mask = os.umask(0o027)
    try:
        write_text(tmp_path / "a.txt", "")
    finally:
        os.umask(mask)
    assert (tmp_path / "a.txt").stat().st_mode & 0o777 == 0o640


@full_disk
def test_a_device_is_written_in_place():
    with replaced("/dev/null") as temporary:
        assert temporary == Path("/dev/null")
    with pytest.raises(OutputError, match=r"/dev/full: cannot be written \(no space left on device\)"):
        write_text("/dev/full", "x" * 100_000)


@pytest.mark.parametrize(
    ("name", "reason"),
    [(".", "it is a folder"), ("no/where.txt", "no such file or directory"), ("file/x.txt", "not a directory")],
)
def test_places_that_cannot_be_written(tmp_path, name, reason):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match=reason):
        write_text(tmp_path / name, "x")
    with pytest.raises(OutputError, match="it is a folder|there is no folder"):
        check_writable(tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_can_be_written_passes_the_check_untouched(tmp_path):
    check_writable(tmp_path / "new.txt")
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "old.txt").write_text("old")
    check_writable(tmp_path / "old.txt")
    assert (tmp_path / "old.txt").read_text() == "old"


@not_root
def test_forbidden_places(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    for attempt in (check_writable, lambda path: write_text(path, "x")):
        with pytest.raises(OutputError, match="permission"):
            attempt(locked / "x.txt")


def test_make_folder(tmp_path):
    assert make_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert make_folder(str(tmp_path / "a" / "b")).is_dir()
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="file exists"):
        make_folder(tmp_path / "file")
    with pytest.raises(OutputError, match="not a directory"):
        make_folder(tmp_path / "file" / "a")
