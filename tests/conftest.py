from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from browser import Browser, find_axe, find_browser

ROOT = Path(__file__).resolve().parents[1]
SHARED_DATA = ROOT.parent / "shared" / "data"

# Before torch and numpy are imported: beside another process, threads that wait by spinning make small tests ten times
# slower, and those of numpy's products of matrices a hundred times.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

if "LINKWL_DATA" not in os.environ and SHARED_DATA.is_dir():
    os.environ["LINKWL_DATA"] = str(SHARED_DATA)


# How long an example takes depends on the machine and on what else it does.
settings.register_profile("linkwl", deadline=None)
settings.load_profile("linkwl")


@pytest.fixture(scope="session")
def benchmark_data() -> Path:
    """The folder of benchmark files; tests that need them skip where there is none."""
    folder = Path(os.environ.get("LINKWL_DATA", SHARED_DATA))
    if not (folder / "seal" / "USAir.mat").is_file():
        pytest.skip("the benchmark files are not here; set LINKWL_DATA to a folder that holds seal/USAir.mat")
    return folder


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A running browser; tests that need it skip where there is none."""
    program = find_browser()
    if program is None:
        pytest.skip("there is no browser here; install Debian's chromium, or another build of it")
    with Browser(program) as running:
        yield running


@pytest.fixture(scope="session")
def axe() -> Path:
    """The script of axe-core; tests that need it skip where npm is missing or fails."""
    script = find_axe()
    if script is None:
        pytest.skip("axe-core is not here and npm could not install it")
    return script


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first, so that no worker is left alone with one at the end."""
    items.sort(key=lambda item: item.get_closest_marker("thorough") is None)


# A shell starts what runs in the background with Ctrl-C ignored; the tests send it to themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)
