from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

SHARED_DATA = Path(__file__).resolve().parents[2] / "shared" / "data"

# Before torch is imported: beside another process, threads that wait by spinning make small tests ten times slower.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

if "LINKWL_DATA" not in os.environ and SHARED_DATA.is_dir():
    os.environ["LINKWL_DATA"] = str(SHARED_DATA)


@pytest.fixture(scope="session")
def benchmark_data() -> Path:
    """The folder of benchmark files; tests that need them skip where there is none."""
    folder = Path(os.environ.get("LINKWL_DATA", SHARED_DATA))
    if not (folder / "seal" / "USAir.mat").is_file():
        pytest.skip("the benchmark files are not here; set LINKWL_DATA to a folder that holds seal/USAir.mat")
    return folder


# A shell starts what runs in the background with Ctrl-C ignored; the tests send it to themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)
