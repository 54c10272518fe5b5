"""Requests that schemathesis makes from our OpenAPI document, valid and malformed ones: none makes the server fail.

    pip install -c constraints.txt -r benchmarks/schemathesis.txt

The command `schemathesis` may also be in an environment of its own; it is looked for beside Python and in the `PATH`.
It first tries the boundaries of every schema, then random values until the time is over. It uploads files, and asks for
the jobs that it has created. An answer that the document does not describe, by its content type, headers or body, is
counted as well. Its status cannot be wrong: the document has one shape for errors of any status.

    python benchmarks/run.py schemathesis_requests
    python benchmarks/schemathesis_requests.py --seconds 30
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from serving import ask_once, serving

Figure = dict[str, Any]
SECONDS = 290
REQUESTS = 5000
"""Number of requests that a run of full length must have sent."""
EXAMPLES = 60
"""Random requests to an operation before the next one has its turn."""
ANSWER_SECONDS = 5
"""Time for an answer. The events of a job that waits to be trained do not end; they are silent for 15 seconds."""
CHECKS = ("status_code", "content_type", "response_headers", "response_schema")


class Exchange(NamedTuple):
    """A request of schemathesis with its answer; status 0 if there was none in time."""

    mode: str
    status: int
    body: bytes


def command() -> str:
    """The path of schemathesis.

    Raises:
        SystemExit: If it is not installed.
    """
    places = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    found = shutil.which("schemathesis", path=places)
    if found is None:
        sys.exit("schemathesis is not installed; run `pip install -c constraints.txt -r benchmarks/schemathesis.txt`.")
    return found


def options(port: int, seconds: int, folder: Path) -> list[str]:
    """The arguments of schemathesis: every operation, valid and malformed values, one seed, and reports as JSON."""
    checks = ["not_a_server_error", *(f"{name}_conformance" for name in CHECKS)]
    return [
        *["run", f"http://127.0.0.1:{port}/api/openapi.json", "--header", "X-Linkwl: 1"],
        *["--mode", "all", "--phases", "coverage,fuzzing", "--seed", "0", "--generation-database", "none"],
        *["--max-time", str(seconds), "--max-examples", str(EXAMPLES), "--request-timeout", str(ANSWER_SECONDS)],
        *["--workers", "2", "--no-shrink", "--continue-on-failure", "--checks", ",".join(checks)],
        *["--report-ndjson-path", str(folder / "events.ndjson"), "--report-json-path", str(folder / "report.json")],
    ]


def send_requests(port: int, seconds: int) -> tuple[list[Exchange], dict[str, Any]]:
    """Lets schemathesis work for some time: the requests with their answers, and its report."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # It ends with 1 if it has found something, which is in the report.
        done = subprocess.run(
            [command(), *options(port, seconds, folder)],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=seconds + 120,
            text=True,
        )
        assert done.returncode in (0, 1), done.stdout
        with (folder / "events.ndjson").open() as lines:
            return list(exchanges(lines)), json.loads((folder / "report.json").read_text())


def exchanges(lines: Iterable[str]) -> Iterator[Exchange]:
    """The requests in the events of schemathesis, one event a line."""
    for line in lines:
        found = json.loads(line).get("ScenarioFinished", {}).get("recorder", {})
        for number, interaction in found.get("interactions", {}).items():
            mode = found["cases"][number]["value"]["meta"]["generation"]["mode"]
            answer = interaction.get("response") or {}
            body = base64.b64decode((answer.get("content") or {}).get("$base64", ""))
            yield Exchange(mode, answer.get("status_code", 0), body)


def figures_of(sent: list[Exchange], report: dict[str, Any], *, is_alive: bool) -> list[Figure]:
    """What came back, counted."""
    answers = Counter(one.status for one in sent)
    failures = sum(count for status, count in answers.items() if status >= 500)
    shown = sum(b"Traceback" in one.body or b'File "' in one.body for one in sent)
    found = {item["title"]: item["count"] for item in report["failures"]}
    operations = report["operations"]
    who = "requests of schemathesis, valid and malformed"
    return [
        {
            "what": who,
            "value": len(sent),
            "at_least": REQUESTS,
            "modes": dict(sorted(Counter(one.mode for one in sent).items())),
            "version": report["schemathesis_version"],
        },
        {
            "what": f"{who}: failures",
            "value": failures + (not is_alive),
            "at_most": 0,
            "answers": {str(status): count for status, count in sorted(answers.items())},
        },
        {"what": f"{who}: answers with a traceback", "value": shown, "at_most": 0},
        {
            "what": f"{who}: operations of the document without a request",
            "value": operations["total"] - operations["tested"],
            "at_most": 0,
        },
        {
            "what": f"{who}: kinds of answers that the document does not describe",
            "value": sum(found.values()),
            "found": found,
            "errors": report["errors"],
        },
    ]


def main() -> None:
    """Writes the figures to standard output."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=SECONDS, help="time of the whole run")
    seconds = parser.parse_args().seconds
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    command()
    with serving() as (port, _):
        sent, report = send_requests(port, seconds)
        is_alive = asyncio.run(ask_once(port, "/api/health"))["status"] == "ok"
    json.dump(figures_of(sent, report, is_alive=is_alive), sys.stdout)


if __name__ == "__main__":
    main()
