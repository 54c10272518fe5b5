"""Jobs: an uploaded file is read, then a model is trained on it; one job works at a time, and jobs expire."""

from __future__ import annotations

import secrets
import shutil
import tempfile
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath, PureWindowsPath
from time import monotonic
from typing import Any, Literal, TypeAlias

from linkwl.graph.readers import FORMATS
from linkwl.memory import available_memory
from linkwl.owner import Owner
from linkwl.printable import printable
from linkwl.serving.errors import ApiError
from linkwl.serving.job_child import MODEL
from linkwl.serving.job_process import JobProcess

State: TypeAlias = Literal["reading", "read", "training", "finished", "failed", "cancelled"]
BUSY: frozenset[State] = frozenset({"reading", "training"})
ENDED: frozenset[State] = frozenset({"finished", "failed", "cancelled"})
_PREFIX = "linkwl-jobs-"
"""Begins the names of folders; the process that they belong to follows."""
_PACKED = ("gz", "bz2", "xz", "zst")
_LONGEST_NAME = 100
_MEMORY_SHARE = 0.8


@dataclass(frozen=True)
class JobLimits:
    """How much a job may take."""

    rows: int = 5_000_000
    edges: int = 2_000_000
    nodes: int = 1_000_000
    read_seconds: float = 120.0
    train_seconds: float = 3600.0
    upload_seconds: float = 600.0
    """Time for a file to arrive."""
    keep_seconds: float = 3600.0
    """Time after which a job that nobody asks about is removed."""
    jobs: int = 8
    """Number of jobs that are kept; the oldest idle one makes room for a new one."""
    memory: int | None = None
    """Bytes for the process; by default most of what is free."""


@dataclass(eq=False)
class Job:
    """A file, or the open graph, and what is being done with it."""

    id: str
    folder: Path
    file: str
    """The name that the user's file has, for messages; never a path."""
    path: str | None
    """The name of the file in the folder; None if the job is about the graph of the open model."""
    state: State = "reading"
    inspection: dict[str, Any] | None = None
    progress: dict[str, Any] | None = None
    message: str | None = None
    version: int = 0
    """Increased by every change."""
    touched: float = 0.0
    process: JobProcess | None = field(default=None, repr=False)
    turn: int = 0
    """Number of processes so far; what an earlier one reports late does not count."""
    origin: Any = None
    """The open model that the job trains again."""

    @property
    def name(self) -> str:
        """What the graph is called: the name of the file without its endings."""
        return self.file.lstrip(".").split(".")[0] or "graph"

    @property
    def model(self) -> Path:
        """The folder of the trained model."""
        return self.folder / MODEL

    def to_json(self) -> dict[str, Any]:
        """The job as the API shows it."""
        names = ("id", "state", "file", "inspection", "progress", "message")
        return {name: getattr(self, name) for name in names}


class Jobs:
    """The jobs of a server; safe to use from several threads.

    Args:
        limits: How much a job may take.
        clock: The time in seconds.
    """

    def __init__(self, limits: JobLimits | None = None, clock: Callable[[], float] = monotonic) -> None:
        self.limits = limits or JobLimits()
        self._clock = clock
        self._lock = threading.RLock()
        self._jobs: dict[str, Job] = {}
        self._root: Path | None = None
        self._is_closed = threading.Event()

    def create(self, file: str, *, origin: Any = None) -> Job:
        """A new job, with a private folder; it is the one that works, until it was read or has failed.

        Args:
            file: The name of the user's file.
            origin: The open model, if its graph is trained on again.

        Raises:
            ApiError: With status 429, if another job works.
        """
        with self._lock:
            self._check_open()
            self._check_idle()
            self.sweep()
            while len(self._jobs) >= self.limits.jobs:
                self.remove(min(self._jobs.values(), key=lambda job: job.touched).id)
            shown = shown_name(file)
            name = secrets.token_urlsafe(12)
            folder = self._folder() / name
            folder.mkdir(mode=0o700)
            job = Job(name, folder, shown, None if origin is not None else f"graph{ending_of(shown)}", origin=origin)
            job.touched = self._clock()
            self._jobs[name] = job
            return job

    def get(self, name: str) -> Job:
        """The job with this id.

        Raises:
            ApiError: With status 404, if there is none.
        """
        with self._lock:
            self.sweep()
            job = self._jobs.get(name)
            if job is None:
                raise ApiError(404, "there is no such job; it may have expired.")
            job.touched = self._clock()
            return job

    def touch(self, job: Job) -> None:
        """Notes that somebody is interested in a job."""
        job.touched = self._clock()

    def read(self, job: Job, options: Mapping[str, Any] | None = None) -> None:
        """Reads the file of a job in a process, and says what is in it.

        Raises:
            ApiError: With status 429 if another job works, or 409 if this one is past reading.
        """
        with self._lock:
            self._check_idle(but=job)
            if job.process is not None and job.state not in ("read", "failed"):
                raise ApiError(409, "this job is past reading; upload the file again.")
            self._set(job, state="reading", inspection=None, message=None)
            self._start(job, {"kind": "read", "options": dict(options or {})}, self.limits.read_seconds)

    def show(self, job: Job, inspection: dict[str, Any]) -> None:
        """Sets what is known of a job that needs no reading."""
        self._set(job, state="read", inspection=inspection)

    def train(self, job: Job, **values: Any) -> None:
        """Trains a model in a process.

        Args:
            job: A job that was read; or one that failed or finished, to try something else.
            values: ``options`` of reading, ``model``, ``settings`` and ``decisions``, as
                :mod:`linkwl.serving.job_child` takes them.

        Raises:
            ApiError: With status 429 if a job works, or 409 if the file was not read.
        """
        with self._lock:
            self._check_idle()
            if job.inspection is None or job.state == "cancelled":
                raise ApiError(409, "the file of this job was not read; upload it again.")
            shutil.rmtree(job.model, ignore_errors=True)
            self._set(job, state="training", message=None, progress=None)
            task = {"options": {}, "settings": None, "decisions": None} | values
            self._start(job, {"kind": "train"} | task, self.limits.train_seconds)

    def remove(self, name: str) -> None:
        """Removes a job: its process is killed, and its files are deleted.

        Raises:
            ApiError: With status 404, if there is none.
        """
        with self._lock:
            job = self._jobs.pop(name, None)
            if job is None:
                raise ApiError(404, "there is no such job; it may have expired.")
            if job.state not in ENDED:
                self._set(job, state="cancelled")
        if job.process is not None:
            job.process.kill()
        shutil.rmtree(job.folder, ignore_errors=True)

    def sweep(self) -> None:
        """Removes jobs that nobody has asked about for long; a working one is left alone."""
        with self._lock:
            now = self._clock()
            old = [job for job in self._jobs.values() if now - job.touched > self.limits.keep_seconds]
            for job in old:
                if job.state not in BUSY:
                    self.remove(job.id)

    def close(self) -> None:
        """Kills all processes, and deletes all files; no job can be created any more."""
        with self._lock:
            self._is_closed.set()
            for name in list(self._jobs):
                self.remove(name)
            if self._root is not None:
                shutil.rmtree(self._root, ignore_errors=True)

    def _start(self, job: Job, task: dict[str, Any], seconds: float) -> None:
        free = available_memory()
        memory = self.limits.memory or (None if free is None else int(_MEMORY_SHARE * free))
        most = {"rows": self.limits.rows, "edges": self.limits.edges, "nodes": self.limits.nodes}
        job.turn += 1
        turn = job.turn
        known = {"path": job.path, "file": job.file, "name": job.name, "memory": memory, "most": most}
        job.process = JobProcess(
            job.folder,
            task | known,
            on_event=lambda event: self._hear(job, turn, event),
            on_end=lambda problem: self._end(job, turn, problem),
            seconds=seconds,
        )

    def _hear(self, job: Job, turn: int, event: dict[str, Any]) -> None:
        kind = event.pop("event", None)
        with self._lock:
            if job.state not in BUSY or job.turn != turn:
                return  # it was cancelled
            if kind == "progress":
                self._set(job, progress=event)
            elif kind == "read":
                self._set(job, state="read", inspection=event["inspection"], message=event.get("message"))
            elif kind == "finished":
                self._set(job, state="finished")
            elif kind == "failed":
                self._set(job, state="failed", message=event["message"])

    def _end(self, job: Job, turn: int, problem: str | None) -> None:
        with self._lock:
            if job.state in BUSY and job.turn == turn:
                self._set(job, state="failed", message=problem or "the process ended without a result; try again.")

    def _set(self, job: Job, **values: Any) -> None:
        with self._lock:
            for name, value in values.items():
                setattr(job, name, value)
            job.touched = self._clock()
            job.version += 1

    def _check_idle(self, but: Job | None = None) -> None:
        if any(job.state in BUSY for job in self._jobs.values() if job is not but):
            raise ApiError(
                429, "another job is being worked on; wait until it ends, or cancel it.", headers={"retry-after": "5"}
            )

    def _check_open(self) -> None:
        if self._is_closed.is_set():
            raise ApiError(503, "the server is stopping.")

    def _folder(self) -> Path:
        """The folder of all jobs, which only this user can read."""
        if self._root is None:
            _remove_left_over()
            self._root = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{Owner.current().token}."))
            threading.Thread(target=self._sweep_now_and_then, daemon=True).start()
        return self._root

    def _sweep_now_and_then(self) -> None:
        while not self._is_closed.wait(min(60.0, self.limits.keep_seconds)):
            self.sweep()


def _remove_left_over() -> None:
    """Removes the folders of servers that were killed."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        if Owner.is_gone(folder.name.removeprefix(_PREFIX).partition(".")[0]):
            shutil.rmtree(folder, ignore_errors=True)


def shown_name(file: str) -> str:
    """The name of a user's file, for messages: without folders, on one line and not too long."""
    name = PureWindowsPath(PurePosixPath(file.replace("\0", "")).name).name
    return printable(name, lines=False).strip()[:_LONGEST_NAME] or "file"


def ending_of(name: str) -> str:
    """The ending that says how a file is read, with that of a compressed one; empty for an unknown one, that is text.

    Example:
        >>> ending_of("links.CSV.gz"), ending_of("links.exe"), ending_of("../links.parquet")
        ('.csv.gz', '', '.parquet')
    """
    *_, kind, last = ["", "", *name.lower().split(".")[1:]]
    if last in _PACKED:
        return f".{kind}.{last}" if kind in FORMATS else f".{last}"
    return f".{last}" if last in FORMATS else ""
