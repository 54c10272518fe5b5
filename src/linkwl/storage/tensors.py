"""Named tensors in a safetensors file, written atomically and checked before they are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from linkwl.errors import InputError
from linkwl.files import replaced
from linkwl.graph.readers.text_source import check_file

_DTYPES = {
    torch.float64: "F64",
    torch.float32: "F32",
    torch.float16: "F16",
    torch.bfloat16: "BF16",
    torch.int64: "I64",
    torch.int32: "I32",
    torch.int16: "I16",
    torch.int8: "I8",
    torch.uint8: "U8",
    torch.bool: "BOOL",
}
_NOTE = "linkwl"


def write_tensors(path: Path, tensors: Mapping[str, Tensor], note: str) -> None:
    """Writes tensors and a text; the old file remains until the new one is complete."""
    # Copies, because tensors that share memory or are not contiguous cannot be written.
    whole = {
        name: tensor.detach().cpu().clone(memory_format=torch.contiguous_format) for name, tensor in tensors.items()
    }
    content = save(whole, metadata={_NOTE: note})
    with replaced(path) as temporary:
        temporary.write_bytes(content)


class TensorFile:
    """An open file of tensors: names, shapes and dtypes are known, values are read on demand."""

    def __init__(self, path: Path, handle: Any) -> None:
        self.path = path
        self._handle = handle
        self.names: frozenset[str] = frozenset(handle.keys())
        self.note: str = (handle.metadata() or {}).get(_NOTE, "")

    def check(self, expected: Mapping[str, Tensor]) -> None:
        """Raises InputError unless the file has each tensor of ``expected`` with the same shape and dtype."""
        for name, tensor in expected.items():
            if name not in self.names:
                raise InputError(
                    f"tensor {name!r} is missing; the file is of another model or damaged.", path=self.path
                )
            header = self._handle.get_slice(name)
            shape, dtype = tuple(header.get_shape()), header.get_dtype()
            if (shape, dtype) != (tuple(tensor.shape), _DTYPES[tensor.dtype]):
                raise InputError(
                    f"tensor {name!r} must be {_DTYPES[tensor.dtype]} of shape {tuple(tensor.shape)}, found {dtype} of "
                    f"shape {shape}; the file is of another model or damaged.",
                    path=self.path,
                )

    def read(self, name: str) -> Tensor:
        """A copy of the tensor with this name."""
        # A copy, because the handle returns views of the file itself.
        return self._handle.get_tensor(name).clone()


@contextmanager
def open_tensors(path: Path) -> Iterator[TensorFile]:
    """The file of tensors at ``path``.

    Raises:
        InputError: If there is none, or it is damaged: its header must fit its size.
    """
    check_file(path)
    try:
        with safe_open(path, framework="pt") as handle:
            yield TensorFile(path, handle)
    except SafetensorError as error:
        raise InputError("not a readable safetensors file; it is damaged or something else.", path=path) from error
