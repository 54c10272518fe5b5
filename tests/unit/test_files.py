from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from linkwl.errors import InputError, OutputError
from linkwl.files import (
    _exchange,
    check_model_exists,
    check_writable,
    make_folder,
    replaced,
    replaced_folder,
    write_text,
)

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


@pytest.mark.parametrize("can_exchange", [True, False])
def test_a_folder_is_replaced_as_a_whole(tmp_path, monkeypatch, can_exchange):
    if not can_exchange:
        monkeypatch.setattr("linkwl.files._exchange", lambda *_: False)
    for text in ("old", "new"):
        with replaced_folder(tmp_path / "deep" / "place") as temporary:
            (temporary / f"{text}.txt").write_text(text)
    assert [path.name for path in (tmp_path / "deep" / "place").iterdir()] == ["new.txt"]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["place"]


def test_a_failure_leaves_the_old_folder_and_no_litter(tmp_path):
    (tmp_path / "place").mkdir()
    (tmp_path / "place" / "old.txt").write_text("old")
    with pytest.raises(MemoryError), replaced_folder(tmp_path / "place") as temporary:
        (temporary / "new.txt").write_text("new")
        raise MemoryError
    assert [path.name for path in tmp_path.iterdir()] == ["place"]
    assert [path.name for path in (tmp_path / "place").iterdir()] == ["old.txt"]


@pytest.mark.skipif(sys.platform != "linux", reason="two folders change places in one step on Linux")
def test_two_folders_change_places(tmp_path):
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / name).touch()
    assert _exchange(tmp_path / "a", tmp_path / "b")
    assert (tmp_path / "a" / "b").exists()
    assert (tmp_path / "b" / "a").exists()


def test_a_folder_where_a_file_is(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError), replaced_folder(tmp_path / "file" / "place"):
        pass


KILLED = """
import os, signal, sys
from linkwl.files import replaced, replaced_folder
with replaced(f"{sys.argv[1]}/a.csv") as temporary, replaced_folder(f"{sys.argv[1]}/b") as folder:
    temporary.write_text("half")
    (folder / "half.txt").write_text("half")
    os.kill(os.getpid(), signal.SIGKILL)
"""


def test_the_next_run_removes_what_a_killed_one_left(tmp_path):
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], check=False)
    assert done.returncode == -9
    assert len(list(tmp_path.iterdir())) == 2
    write_text(tmp_path / "c.txt", "")
    assert [path.name for path in tmp_path.iterdir()] == ["c.txt"]


def test_temporary_files_of_running_processes_stay(tmp_path):
    others = tmp_path / ".linkwl-tmp-0123abcd-1-1-f00d", tmp_path / ".linkwl-old-f00d", tmp_path / ".linkwl-tmp-x"
    for path in others:
        path.touch()
    with replaced(tmp_path / "a.csv") as temporary:
        write_text(tmp_path / "b.csv", "")
        assert temporary.exists()
    assert all(path.exists() for path in others)


def test_a_folder_of_a_model(tmp_path):
    with pytest.raises(InputError, match="there is no such folder; train a model with `linkwl train GRAPH --out .*no`"):
        check_model_exists(tmp_path / "no")
    with pytest.raises(InputError, match="there is no model in this folder"):
        check_model_exists(tmp_path)
    (tmp_path / "config.json").touch()
    check_model_exists(tmp_path)
