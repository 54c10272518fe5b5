from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from linkwl import LinkPredictor
from linkwl.owner import Owner
from linkwl.serving.errors import ApiError
from linkwl.serving.jobs import JobLimits, Jobs, ending_of, shown_name

LADDER = "source,target\n" + "".join(f"{k},{k + 1}\n{k},{k + 2}\n" for k in range(40))
ENDLESS = {"model": "local-2wl", "settings": {"training": {"max_steps": 10**6, "patience": 10**6}}}


@pytest.fixture
def jobs():
    made = Jobs()
    yield made
    made.close()


def uploaded(jobs, text=LADDER, name="ladder.csv", **options):
    job = jobs.create(name)
    (job.folder / job.path).write_text(text)
    jobs.read(job, options)
    job.process.join()
    return job


def known(jobs):
    """A job whose file was read; without a process, which takes seconds."""
    job = jobs.create("ladder.csv")
    (job.folder / job.path).write_text(LADDER)
    jobs.show(job, {"nodes": 42, "links": 80})
    return job


def training(jobs):
    """A job that is training, and would not end by itself."""
    job = known(jobs)
    jobs.train(job, **ENDLESS)
    wait_for(lambda: job.progress is not None or job.state != "training")
    assert job.state == "training", job.message
    return job


def wait_for(condition, seconds=120):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def status(call):
    with pytest.raises(ApiError) as caught:
        call()
    return caught.value.status


def test_a_file_is_read_and_a_formula_is_trained(jobs):
    job = uploaded(jobs)
    assert job.state == "read"
    assert (job.inspection["nodes"], job.inspection["links"]) == (42, 80)
    assert job.inspection["columns"] == ["source", "target"]
    jobs.train(job, model="ra")
    assert job.to_json()["state"] == "training"
    job.process.join()
    assert (job.state, job.message) == ("finished", None)
    predictor = LinkPredictor.load(job.model)
    assert predictor.graph_.name == "ladder"
    assert predictor.graph_.num_edges == 80


def test_a_network_reports_its_steps_and_learns_from_decisions(jobs):
    job = known(jobs)
    rows = [{"source": 0, "target": 9, "verdict": "rejected"}, {"source": 0, "target": 3, "verdict": "accepted"}]
    jobs.train(job, model="local-2wl", settings={"training": {"max_steps": 3}}, decisions=rows)
    job.process.join()
    assert (job.state, job.message) == ("finished", None)
    assert (job.progress["step"], job.progress["steps"], job.progress["seconds_left"]) == (3, 3, 0.0)
    assert LinkPredictor.load(job.model).record_.decisions["accepted"] == 1


def test_a_bad_file_is_one_sentence_with_its_line_and_no_path(jobs):
    job = uploaded(jobs, "a,b\nb,c\nc\n", "../../etc/my links.csv")
    assert job.state == "failed"
    assert job.message.startswith("my links.csv, line 3: expected 2 columns")
    assert str(job.folder) not in job.message
    assert status(lambda: jobs.train(job, model="ra")) == 409


def test_unclear_columns_can_be_chosen(jobs):
    rows = "".join(f"{k},red,round,{(k * k) % 43}\n" for k in range(43))
    job = uploaded(jobs, f"city,colour,shape,town\n{rows}")
    assert (job.state, job.message) == ("read", "ladder.csv: 4 columns; choose the two that hold the nodes.")
    assert job.inspection["columns"] == ["city", "colour", "shape", "town"]
    jobs.read(job, {"source": "city", "target": "town"})
    job.process.join()
    assert (job.state, job.message) == ("read", None)
    assert job.inspection["chosen"] == {"source": "city", "target": "town"}


def test_limits_of_size():
    jobs = Jobs(JobLimits(edges=10))
    try:
        job = uploaded(jobs)
        assert job.state == "failed"
        assert job.message == "ladder.csv: it has 80 edges, and this page takes 10 at most; use `linkwl train`."
    finally:
        jobs.close()


def test_the_memory_of_the_process_is_limited():
    jobs = Jobs(JobLimits(memory=300_000_000))
    try:
        job = uploaded(jobs, "".join(f"{k},{k + 1}\n" for k in range(1_000_000)))
        assert job.state == "failed"
        assert "memory" in job.message or "is free" in job.message
    finally:
        jobs.close()


def test_a_slow_job_is_ended():
    jobs = Jobs(JobLimits(train_seconds=0.2))
    try:
        job = known(jobs)
        jobs.train(job, **ENDLESS)
        job.process.join()
        assert (job.state, job.message[:28]) == ("failed", "it took more than 0 seconds;")
    finally:
        jobs.close()


def test_cancel_kills_the_process_and_removes_its_files(jobs):
    job = training(jobs)
    pid = job.process.pid
    jobs.remove(job.id)
    assert (job.state, is_alive(pid), job.folder.exists()) == ("cancelled", False, False)
    assert status(lambda: jobs.get(job.id)) == 404
    assert jobs.create("next.csv").state == "reading"  # the next one may work


def test_a_killed_process_is_a_failed_job(jobs):
    job = training(jobs)
    os.kill(job.process.pid, signal.SIGKILL)
    job.process.join()
    assert job.state == "failed"
    assert job.message.startswith("the process was killed, perhaps because the memory ran out;")


def test_one_job_works_at_a_time(jobs):
    other, job = known(jobs), jobs.create("busy.csv")
    assert status(lambda: jobs.create("next.csv")) == 429
    assert status(lambda: jobs.train(other, model="ra")) == 429
    assert status(lambda: jobs.read(other)) == 429
    jobs.remove(job.id)
    assert jobs.create("next.csv").state == "reading"


def test_stopping_ends_everything():
    jobs = Jobs()
    job = training(jobs)
    root, pid = job.folder.parent, job.process.pid
    assert root.stat().st_mode & 0o077 == 0  # nobody else can read it
    jobs.close()
    assert (is_alive(pid), root.exists(), job.state) == (False, False, "cancelled")
    assert status(lambda: jobs.create("next.csv")) == 503


def test_folders_of_killed_servers_are_removed(jobs, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = Owner.current()._replace(pid=2**30)
    for name in (f"linkwl-jobs-{gone.token}.x", f"linkwl-jobs-{Owner.current().token}.y", "linkwl-jobs-z"):
        (tmp_path / name).mkdir()
    job = jobs.create("a.csv")
    names = {path.name.rpartition(".")[2] for path in tmp_path.iterdir() if path != job.folder.parent}
    assert names == {"y", "linkwl-jobs-z"}
    assert job.folder.parent.parent == tmp_path


def test_jobs_expire_unless_somebody_asks():
    now = 0.0
    jobs = Jobs(JobLimits(keep_seconds=100), clock=lambda: now)
    try:
        old, used, busy = (job_with(jobs, state) for state in ("read", "finished", "reading"))
        now = 90.0
        jobs.get(used.id)
        now = 150.0
        jobs.sweep()
        assert status(lambda: jobs.get(old.id)) == 404
        assert not old.folder.exists()
        assert old.state == "cancelled"
        assert jobs.get(used.id).state == "finished"
        assert jobs.get(busy.id) is busy  # a working job is left alone
    finally:
        jobs.close()


def job_with(jobs, state):
    job = jobs.create("some.csv")
    job.state = state
    return job


def test_old_jobs_make_room():
    jobs = Jobs(JobLimits(jobs=2))
    try:
        first, second, third = (job_with(jobs, "read") for _ in range(3))
        assert status(lambda: jobs.get(first.id)) == 404
        assert not first.folder.exists()
        assert (jobs.get(second.id), jobs.get(third.id)) == (second, third)
    finally:
        jobs.close()


@pytest.mark.parametrize(
    ("given", "name", "ending"),
    [
        ("my.csv", "my.csv", ".csv"),
        ("../../etc/passwd", "passwd", ""),
        ("..\\..\\x.PARQUET", "x.PARQUET", ".parquet"),
        ("/tmp/a\nb.csv.gz", "a\\nb.csv.gz", ".csv.gz"),
        ("x.csv/../../y", "y", ""),
        ("x.csv\0.exe", "x.csv.exe", ""),
        ("..", "..", ""),
        ("", "file", ""),
        ("a" * 300 + ".csv", "a" * 100, ""),
    ],
)
def test_a_name_is_never_a_path(jobs, given, name, ending):
    assert (shown_name(given), ending_of(shown_name(given))) == (name, ending)
    job = jobs.create(given)
    assert job.path == f"graph{ending}"
    assert (job.folder / job.path).resolve().parent == job.folder.resolve()
    assert Path(job.name).name == job.name
