"""The process of a job: reads an uploaded file, or trains on it, and reports on standard output, a line of JSON each.

``python -P -m linkwl.serving.job_child FOLDER`` does what ``FOLDER/task.json`` says. A file that somebody uploaded may
be damaged, huge or meant to harm, and training takes long; here both have limits and can be killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from linkwl.errors import InputError, LinkwlError, MemoryLimitError
from linkwl.memory import is_out_of_memory, limit_memory

if TYPE_CHECKING:
    from linkwl.graph import Graph, KnowledgeGraph, Reading
    from linkwl.models import StepReport

TASK, MODEL, OPEN = "task.json", "model", "open"
"""The file with the task, and the folders of the trained model and of the model whose graph is trained on again."""
_EVERY_SECONDS = 0.1
_NICE = 5
Tell = Callable[[str, dict[str, Any]], None]


def main(folder: str) -> int:
    """Does the task of a folder; returns the exit code."""
    tell = _reports()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with contextlib.suppress(AttributeError, OSError):
        os.nice(_NICE)  # the server answers meanwhile
    os.chdir(folder)  # names of files in messages are then without folders
    task = json.loads(Path(TASK).read_text(encoding="utf-8"))
    try:
        _train(task, tell) if task["kind"] == "train" else _read(task, tell)
    except LinkwlError as error:
        tell("failed", {"message": _sentence(error, task)})
    except Exception as error:
        if not is_out_of_memory(error):
            traceback.print_exc()
            raise
        tell("failed", {"message": "it takes more memory than is free; use a smaller graph, or a quicker model."})
    return 0


def _limit(memory: int | None) -> None:
    """Refuses work that is estimated to take more memory than allowed, and lets the system refuse it as well.

    Called when the libraries are loaded, since these reserve much that they never use.
    """
    limit_memory(memory)
    if memory is not None:
        with contextlib.suppress(ImportError, OSError, ValueError):
            import resource

            most = memory + _data_bytes()
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_bytes() -> int:
    """The data of this process, as its limit counts it."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmData:"))


def _read(task: dict[str, Any], tell: Tell) -> None:
    """Reads a file, and says what is in it."""
    from linkwl.graph.reading import Reading
    from linkwl.serving.upload_columns import inspection_of, unclear_columns

    _limit(task["memory"])
    reading, path = Reading(**task["options"]), Path(task["path"])
    try:
        found = inspection_of(_load(task, reading), path, reading)
    except InputError as error:
        columns = unclear_columns(error, path, reading)
        if columns is None:
            raise
        sentence = f"{task['file']}: {len(columns)} columns; choose the two that hold the nodes."
        found = {"lines": [sentence], "columns": columns, "chosen": {}, "nodes": 0, "links": 0}
        tell("read", {"inspection": found, "message": sentence})
        return
    tell("read", {"inspection": found})


def _train(task: dict[str, Any], tell: Tell) -> None:
    """Trains a model, and saves it."""
    from linkwl.graph.reading import Reading
    from linkwl.predict import LinkPredictor
    from linkwl.serving.time_left import StepClock
    from linkwl.storage.model_folder import load_folder

    _limit(task["memory"])
    graph = load_folder(OPEN).graph if task["path"] is None else _load(task, Reading(**task["options"]))
    predictor = LinkPredictor(task["model"], settings=task["settings"])
    clock, last = StepClock(), -1.0

    def report(step: StepReport) -> None:
        nonlocal last
        left, now = clock.seconds_left(step.step, step.max_steps), monotonic()
        if now - last < _EVERY_SECONDS and step.step < step.max_steps:
            return
        last = now
        tell("progress", {"step": step.step, "steps": step.max_steps, "metric": step.valid, "seconds_left": left})

    predictor.fit(graph, decisions=task["decisions"] or None, on_step=report, origin={"graph": task["file"]})
    predictor.save(MODEL)
    tell("finished", {})


def _load(task: dict[str, Any], reading: Reading) -> Graph | KnowledgeGraph:
    """The graph of the file, if it is not larger than allowed."""
    from linkwl.graph import load_graph

    graph = load_graph(Path(task["path"]), name=task["name"], **reading.options)
    rows = graph.num_facts if graph.intake is None else graph.intake.rows
    for count, what in ((rows, "rows"), (graph.num_facts, "edges"), (graph.num_nodes, "nodes")):
        if count > (most := task["most"][what]):
            raise InputError(
                f"it has {count:,} {what}, and this page takes {most:,} at most; use `linkwl train`.", path=task["path"]
            )
    return graph


def _sentence(error: LinkwlError, task: dict[str, Any]) -> str:
    """The sentence of an error, which calls the file by the name that the user knows."""
    if isinstance(error, InputError) and error.path is not None and str(error.path) == task["path"]:
        return str(InputError(error.problem, path=task["file"], line=error.line))
    if isinstance(error, MemoryLimitError) and task["path"] is not None:
        return str(error).replace(task["path"], task["file"])
    return str(error)


def _reports() -> Tell:
    """A function that writes a line of JSON to standard output; whatever else is printed goes to the log."""
    stream = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def tell(event: str, values: dict[str, Any]) -> None:
        stream.write(json.dumps({"event": event} | values) + "\n")
        stream.flush()

    return tell


def _end_with_parent() -> None:
    """Ends this process, and those that it has started, when the server has ended: then nobody holds standard input."""
    os.read(0, 1)  # not through `sys.stdin`, whose lock a thread must not hold when Python ends
    if hasattr(os, "killpg"):
        os.killpg(os.getpgrp(), signal.SIGKILL)
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
