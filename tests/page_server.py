"""``linkwl serve`` in a process of its own, for tests and pictures of its page."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import linkwl

SOURCES = Path(linkwl.__file__).parents[1]
PAGE = SOURCES / "linkwl" / "serving" / "static" / "index.html"
SECONDS = 120


@contextmanager
def serve(folder: Path, *arguments: str) -> Iterator[str]:
    """The address of a running server; its decisions and rankings are kept in a folder.

    Args:
        folder: For what the server keeps.
        arguments: More of the command line, such as the folder of a model.
    """
    command = [sys.executable, "-m", "linkwl", "serve", *arguments, "--port", "0", "--no-open"]
    kept = {"XDG_CACHE_HOME": str(folder / "cache"), "XDG_DATA_HOME": str(folder / "data"), "PYTHONPATH": str(SOURCES)}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | kept)
    slow = threading.Timer(SECONDS, process.kill)
    slow.start()
    rest = None
    try:
        said = ""
        for line in process.stderr:
            said += line
            if found := re.search(r"http://[\w.:]+/", said.replace("\n", "")):
                break
        else:
            raise RuntimeError(f"linkwl serve did not start: {said}")
        slow.cancel()
        # What it says later must not fill the pipe.
        rest = threading.Thread(target=process.stderr.read, daemon=True)
        rest.start()
        yield found[0]
    finally:
        slow.cancel()
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if rest is not None:
            rest.join()
        process.stderr.close()
