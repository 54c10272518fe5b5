from __future__ import annotations

import struct

import pytest
import torch

from linkwl import InputError, OutputError
from linkwl.storage.tensors import open_tensors, write_tensors


def test_tensors_and_their_note_come_back(tmp_path):
    shared = torch.arange(6, dtype=torch.float32)
    tensors = {"a": shared, "b": shared, "c": shared.reshape(2, 3).T, "d": torch.tensor([True]), "e": torch.ones(())}
    write_tensors(tmp_path / "t.safetensors", tensors, "a note")
    with open_tensors(tmp_path / "t.safetensors") as file:
        file.check(tensors)
        assert file.names == set(tensors)
        assert file.note == "a note"
        read = {name: file.read(name) for name in tensors}
    assert all(torch.equal(read[name], tensors[name]) for name in tensors)
    read["a"].zero_()  # what was read is no view of the file
    with open_tensors(tmp_path / "t.safetensors") as file:
        assert file.read("a").sum() == 15


def test_what_does_not_fit_is_refused(tmp_path):
    path = tmp_path / "t.safetensors"
    write_tensors(path, {"a": torch.zeros(2, 3)}, "")
    with open_tensors(path) as file:
        for expected, sentence in [
            ({"b": torch.zeros(1)}, "tensor 'b' is missing"),
            ({"a": torch.zeros(3, 2)}, r"must be F32 of shape \(3, 2\), found F32 of shape \(2, 3\)"),
            ({"a": torch.zeros(2, 3, dtype=torch.float64)}, r"must be F64 of shape \(2, 3\), found F32"),
        ]:
            with pytest.raises(InputError, match=sentence):
                file.check(expected)


def lying_header(size: int) -> bytes:
    header = b'{"a":{"dtype":"F32","shape":[%d],"data_offsets":[0,%d]}}' % (size, 4 * size)
    return struct.pack("<Q", len(header)) + header + bytes(4)


@pytest.mark.parametrize("content", [b"x" * 40, b"\xff" * 8, lying_header(1)[:-1], lying_header(10**12)])
def test_a_file_that_promises_what_it_does_not_hold(tmp_path, content):
    path = tmp_path / "t.safetensors"
    path.write_bytes(content)
    with pytest.raises(InputError, match="not a readable safetensors file"), open_tensors(path):
        pytest.fail("it was opened")


def test_missing_and_unwritable_files(tmp_path):
    with pytest.raises(InputError, match="no such file"), open_tensors(tmp_path / "no.safetensors"):
        pytest.fail("it was opened")
    with pytest.raises(OutputError):
        write_tensors(tmp_path / "no" / "t.safetensors", {}, "")


def test_the_old_file_stays_until_the_new_one_is_whole(tmp_path, monkeypatch):
    path = tmp_path / "t.safetensors"
    write_tensors(path, {"a": torch.zeros(1)}, "old")
    before = path.read_bytes()
    monkeypatch.setattr("os.fsync", lambda _: (_ for _ in ()).throw(OSError(28, "No space left on device")))
    with pytest.raises(OutputError, match="no space left on device"):
        write_tensors(path, {"a": torch.ones(1)}, "new")
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
