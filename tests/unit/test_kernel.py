from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from linkwl.kernel import kernel

TWO_KERNELS = """
import numpy as np
from linkwl.kernel import kernel

@kernel
def total(values):
    sum = values[0] - values[0]
    for value in values:
        sum += value
    return sum

@kernel(fastmath={"reassoc"})
def mean(values):
    return total(values) / len(values)
"""


@pytest.fixture
def module(tmp_path: Path) -> Path:
    path = tmp_path / "two_kernels.py"
    path.write_text(TWO_KERNELS)
    return path


def run(module: Path, code: str, **variables: str) -> str:
    environment = os.environ | {"PYTHONPATH": str(module.parent)} | variables
    command = [sys.executable, "-c", f"from two_kernels import mean, total, np\n{code}"]
    return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout


def test_a_later_process_loads_what_an_earlier_one_has_compiled(module: Path) -> None:
    code = "print(mean(np.arange(4.0)), sum(mean.stats.cache_hits.values()), sum(mean.stats.cache_misses.values()))"
    assert run(module, code).split() == ["1.5", "0", "1"]
    assert run(module, code).split() == ["1.5", "1", "0"]


def test_a_kernel_releases_the_interpreter() -> None:
    assert kernel(lambda: 1).targetoptions["nogil"]


def test_two_that_save_at_the_same_time_choose_two_files(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(module.parent)
    from two_kernels import total  # type: ignore[import-not-found]

    first, second = kernel(total.py_func), kernel(total.py_func)
    values = np.arange(3)
    first(values.astype(np.int64))
    second(values.astype(np.float64))
    ints, floats = first.overloads[first.signatures[0]], second.overloads[second.signatures[0]]
    first._cache._cache_file.flush()
    file = first._cache._cache_file
    other = threading.Thread(target=second._cache.save_overload, args=(floats.signature, floats))
    write_index = file._save_index

    def write_after_the_other_has_begun(overloads: object) -> None:
        other.start()
        other.join(timeout=0.5)  # it waits for this thread
        write_index(overloads)

    monkeypatch.setattr(file, "_save_index", write_after_the_other_has_begun)
    first._cache.save_overload(ints.signature, ints)
    other.join()

    assert len(set(file._load_index().values())) == 2


def test_without_a_folder_to_write_to_it_compiles_all_the_same(module: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(function: object) -> None:
        raise RuntimeError("cannot cache function: no locator available")

    monkeypatch.setattr("linkwl.kernel._SharedCache", refuse)

    def double(value):  # type: ignore[no-untyped-def]
        return 2 * value

    assert kernel(double)(21) == 42
