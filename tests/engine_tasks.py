"""Functions that the workers of an engine can import."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

from linkwl.engine import ProcessEngine
from linkwl.engine.worker import is_worker
from linkwl.errors import InputError, UnknownNameError


def halve(number: int) -> float:
    return number / 2


def add(shared: int, number: int) -> int:
    return shared + number


def niceness(task: int) -> int:
    return os.nice(0)


def nap(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def sort_names(shared: dict[str, float], names: list[str]) -> list[tuple[str, float]]:
    return sorted((name, shared[name] / 3) for name in names)


def fail(kind: str) -> None:
    if kind == "unknown":
        raise UnknownNameError("model", "kats", ["katz"])
    if kind == "input":
        raise InputError("it is bad.", path="a.csv", line=7)
    if kind == "result":
        return lambda: None  # cannot be pickled
    raise ZeroDivisionError("division by nothing")


def end_when(shared: str, name: str) -> str:
    """One task ends its process; the others are finished before, or wait."""
    folder = Path(shared)
    if name == "killer":
        while not (folder / "waiter").exists():
            time.sleep(0.01)
        add_mark(folder / "kills")
        os._exit(9)
    if name == "waiter":
        (folder / name).touch()
        time.sleep(600)
    return name


def leave_a_mark(shared: str, task: tuple[str, float]) -> str:
    name, seconds = task
    Path(shared, name).touch()
    time.sleep(seconds)
    return name


def halve_in_processes(numbers: list[int]) -> tuple[list[float], int]:
    return list(ProcessEngine(2).map(halve, numbers)), os.getpid()


class Counted:
    """Counts how often it is unpickled in a process."""

    count = 0

    def __reduce__(self):
        return _unpickle, ()


def _unpickle() -> Counted:
    Counted.count += 1
    return Counted()


def count_copies(shared: tuple[Counted, str], task: int) -> tuple[int, int]:
    """Waits until two processes are at work."""
    counted, folder = shared
    Path(folder, str(os.getpid())).touch()
    while len(list(Path(folder).iterdir())) < 2:
        time.sleep(0.01)
    return os.getpid(), counted.count


def wait_for(shared: str, task: tuple[str, str]) -> str:
    """Waits for the mark of another task before it leaves its own."""
    name, other = task
    while other and not Path(shared, other).exists():
        time.sleep(0.01)
    Path(shared, name).touch()
    return name


def count_unpickled(shared: Counted, task: int) -> int:
    return shared.count


def add_mark(file: Path) -> None:
    with file.open("a") as stream:
        stream.write("x")


def refuse(shared: str, task: str) -> None:
    add_mark(Path(shared, "runs"))
    raise InputError("this is wrong.")


def kill_own_worker(shared: str, task: str) -> None:
    add_mark(Path(shared, "kills"))
    os.kill(os.getpid(), signal.SIGKILL)


def wait_to_be_killed(shared: str, name: str) -> str:
    """The first run of the task "victim" writes its process id, and waits; see :func:`killer`."""
    runs, victim = Path(shared, f"runs-{name}"), Path(shared, "victim")
    add_mark(runs)
    if name == "victim" and runs.read_text() == "x":
        victim.with_suffix(".new").write_text(str(os.getpid()))
        victim.with_suffix(".new").rename(victim)
        time.sleep(600)
    return name


@contextmanager
def killer(folder: Path):
    """Kills the process of the task "victim" once, when it runs."""

    def kill() -> None:
        while not (folder / "victim").exists():
            time.sleep(0.01)
        os.kill(int((folder / "victim").read_text()), signal.SIGKILL)

    thread = threading.Thread(target=kill, daemon=True)
    thread.start()
    yield
    thread.join()


def die_once(folder: str) -> None:
    """Kills this process, if it is a worker and none has been killed before."""
    kills = Path(folder, "kills")
    with suppress(FileExistsError):
        if is_worker():
            kills.touch(exist_ok=False)
            add_mark(kills)
            os.kill(os.getpid(), signal.SIGKILL)


class Echo:
    """A member of a group that answers with what it is and what it was sent."""

    def __init__(self, shared: str, number: int, size: int) -> None:
        self._text = f"{shared} {number} of {size}"
        if shared == "die" and number:
            os.kill(os.getpid(), signal.SIGKILL)

    def answer(self, message: bytes) -> bytes:
        return f"{self._text}, {message.decode()}, {os.getpid()}".encode()
