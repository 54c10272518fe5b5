"""The server under load: how fast it answers, beside what, and that nothing makes it fail or grow.

It starts `linkwl serve` with the model of the package. Times are ratios of two things measured in turns; the figures
of an idle machine are kept as a record.

    python benchmarks/run.py serving
    python benchmarks/serving.py --share 0.02        a fiftieth of the requests
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from http_client import Connection
from malformed_requests import described_requests, raw_requests

Figure = dict[str, Any]
REQUESTS, CONNECTIONS, MALFORMED = 50_000, 32, 10_000
TURNS = 2000
BLOCK = 12
UPLOAD_BYTES = 34_000_000
MOST_COLD_BYTES = 150_000


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[int, int]]:
    """A server in a process of its own: its port and the number of the process.

    Args:
        arguments: More of the command line, such as the folder of a model.
    """
    code = "import sys; sys.argv[0] = 'linkwl'; from linkwl.cli.main import run; run()"
    with tempfile.TemporaryDirectory() as folder:
        options = ["serve", *arguments, "--port", "0", "--decisions", folder]
        log = Path(folder) / "log.txt"
        with log.open("w") as file:
            server = subprocess.Popen([sys.executable, "-c", code, *options], stderr=file)
        try:
            while not (found := re.findall(r"http://\S+:(\d+)/", log.read_text())):
                assert server.poll() is None, log.read_text()
                time.sleep(0.05)
            yield int(found[0]), server.pid
        finally:
            server.terminate()
            assert server.wait(20) == 0, "the server did not stop by itself"


def resident(process: int) -> float:
    """The memory of a process, in megabytes."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


async def search_and_health(port: int, turns: int) -> list[Figure]:
    """Search beside health, in turns on one connection."""
    names = (await ask_once(port, "/api/names"))["names"]
    times: dict[str, list[float]] = {"health": [], "search": []}
    generator = random.Random(0)
    async with Connection(port) as connection:
        for number in range(turns + 100):
            name = generator.choice(names)
            text = name[: generator.randrange(1, len(name) + 1)].lower() if number % 4 else "zzz"
            health = await connection.ask("GET", "/api/health")
            search = await connection.ask("GET", f"/api/nodes?q={text}&limit=10")
            assert health.status == search.status == 200
            if number >= 100:
                times["health"].append(health.seconds)
                times["search"].append(search.seconds)
    p99 = {name: float(np.percentile(values, 99)) for name, values in times.items()}
    value = p99["search"] / p99["health"]
    what = f"search by name over health: 99th percentile of {turns} requests each"
    return [{"what": what, "value": value, "at_most": 3.0, "milliseconds": {k: 1e3 * v for k, v in p99.items()}}]


async def during_explanations(port: int, turns: int) -> list[Figure]:
    """The links of a node, alone and while explanations are computed all the time, in turns."""
    links = (await ask_once(port, "/api/links?limit=200"))["links"]
    num_nodes = (await ask_once(port, "/api/model"))["graph"]["nodes"]
    nodes, places = itertools.count(), iter(range(len(links)))  # an explanation that was kept would cost nothing

    async def measure() -> float:
        async with Connection(port) as connection:
            paths = [f"/api/nodes/{7 * next(nodes) % num_nodes}/links?limit=20" for _ in range(BLOCK)]
            answers = [await connection.ask("GET", path) for path in paths]
        assert all(answer.status == 200 for answer in answers)
        return median(answer.seconds for answer in answers)

    async def explain() -> None:
        async with Connection(port) as connection:
            for place in places:
                link = links[place]
                await connection.ask("GET", f"/api/explain?source={link['source']}&target={link['target']}")

    await measure()
    times = []
    for _ in range(turns):
        alone = await measure()
        tasks = [asyncio.create_task(explain()) for _ in range(2)]
        await asyncio.sleep(0.2)
        during = await measure()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(1.0)  # what had begun ends
        times.append([during, alone])
    assert next(places, None) is not None, "there were fewer links than explanations"
    what = f"links of a node during explanations over alone: median of {turns} turns of {BLOCK} requests each"
    return [{"what": what, "value": median(a / b for a, b in times), "at_most": 3.0, "seconds": times}]


def explanation_cost(turns: int) -> list[Figure]:
    """An explanation beside one score that reads the graph anew, in time of the processor."""
    import linkwl
    from linkwl.predict import explain_query
    from linkwl.serving.bundled import AIRPORTS

    predictor = linkwl.LinkPredictor.load(AIRPORTS)
    graph, prepare = predictor.graph_, predictor.prepare_exactly
    pairs = predictor.recommend(turns, progress=False).queries
    explain_query(predictor.model_, graph, pairs[0].tolist(), prepare=prepare)
    ratios = []
    for pair in pairs:
        start = time.process_time()
        for _ in range(4):
            prepare(graph)(pair[None])
        middle = time.process_time()
        explain_query(predictor.model_, graph, pair.tolist(), prepare=prepare)
        ratios.append(4 * (time.process_time() - middle) / (middle - start))
    what = f"an explanation over one score: time of the processor, median of {turns} links"
    return [{"what": what, "value": median(ratios), "at_most": 15.0}]


async def under_load(port: int, process: int, total: int) -> list[Figure]:
    """Mixed reads and writes from many connections."""
    links = (await ask_once(port, "/api/links?limit=200"))["links"]
    num_nodes = (await ask_once(port, "/api/model"))["graph"]["nodes"]
    counts: Counter[int] = Counter()
    left = iter(range(total))
    sizes: list[float] = []

    async def visit(seed: int) -> None:
        generator = random.Random(seed)
        async with Connection(port) as connection:
            for number in left:
                answer = await connection.ask(*mixed(generator, links, num_nodes))
                counts[answer.status] += 1
                if number % max(total // 50, 1) == 0:
                    sizes.append(resident(process))

    start = time.perf_counter()
    await asyncio.gather(*(visit(seed) for seed in range(CONNECTIONS)))
    seconds = time.perf_counter() - start
    warm, end = sizes[len(sizes) // 10], resident(process)
    who = f"{total:,} requests from {CONNECTIONS} connections, reads and writes mixed"
    failures = sum(count for status, count in counts.items() if status >= 500 or status == 0)
    answers = {str(status): count for status, count in sorted(counts.items())}
    return [
        {"what": f"{who}: failures", "value": failures, "at_most": 0, "answers": answers},
        {
            "what": f"{who}: memory at the end over after a tenth",
            "value": end / warm,
            "at_most": 1.2,
            "mb": [warm, end],
        },
        {"what": f"{who}: requests in a second", "value": total / seconds},
    ]


def mixed(generator: random.Random, links: list[Any], num_nodes: int) -> tuple[str, str, Any]:
    """A request as a visitor of the page sends it; some take a while, most do not."""
    link, node = generator.choice(links), generator.randrange(num_nodes)
    pair = [link["source"], link["target"]]
    draw = generator.random()
    if draw < 0.25:
        return "GET", f"/api/nodes?q={link['source_name'][: generator.randrange(4)]}", None
    if draw < 0.50:
        status = generator.choice(["all", "open", "accepted", "rejected"])
        return "GET", f"/api/links?offset={generator.randrange(900)}&limit=50&status={status}", None
    if draw < 0.65:
        verdict = generator.choice(["accepted", "rejected", "later", None])
        return "PUT", "/api/decisions", {"decisions": [{"source": pair[0], "target": pair[1], "verdict": verdict}]}
    if draw < 0.85:
        return "GET", generator.choice(["/api/health", "/api/model", "/api/reliability", "/api/names?ids=1,2,3"]), None
    if draw < 0.95:
        return "GET", generator.choice(["/api/drawing", "/api/names", "/", "/api/decisions.csv"]), None
    if draw < 0.98:
        return "POST", "/api/score", {"pairs": [pair, [node, (node + 1) % num_nodes]]}
    if draw < 0.99:
        return "GET", f"/api/nodes/{node}/links?limit=10", None
    if draw < 0.995:
        return "POST", "/api/what-if", {"queries": [pair], "add": [[node, (node + 7) % num_nodes]]}
    return "GET", f"/api/explain?source={pair[0]}&target={pair[1]}", None


async def malformed(port: int, total: int) -> list[Figure]:
    """Random bytes, and wrong values for the routes of our own document."""
    schema = await ask_once(port, "/api/openapi.json")
    counts: Counter[int] = Counter()
    shown = 0
    requests = list(described_requests(total // 2, schema))
    raw = list(raw_requests(total - total // 2, port))

    async def send(part: int) -> None:
        nonlocal shown
        async with Connection(port) as connection:
            for number in range(part, total // 2, 8):
                method, path, body, headers = requests[number]
                answer = await asyncio.wait_for(connection.ask(method, path, body, headers), 120)
                if method == "HEAD":
                    connection.close()
                counts[answer.status] += 1
                shown += b"Traceback" in answer.body or b'File "' in answer.body
            for number in range(part, len(raw), 8):
                answer = await listen_briefly(connection, raw[number])
                counts[answer] += 1

    await asyncio.gather(*(send(part) for part in range(8)))
    alive = (await ask_once(port, "/api/health"))["status"] == "ok"
    failures = sum(count for status, count in counts.items() if status >= 500)
    answers = {str(status): count for status, count in sorted(counts.items())}
    what = f"{total:,} malformed requests, half of them random bytes"
    return [
        {"what": f"{what}: failures", "value": failures + (not alive), "at_most": 0, "answers": answers},
        {"what": f"{what}: answers with a traceback", "value": shown, "at_most": 0},
    ]


async def listen_briefly(connection: Connection, raw: bytes) -> int:
    """The status of the answer to random bytes; 0 if the server closes, or waits for more."""
    try:
        return (await asyncio.wait_for(connection.send(raw), 0.5)).status
    except TimeoutError:
        return 0
    finally:
        connection.close()


async def large_upload(port: int) -> list[Figure]:
    """A body of 34 MB in chunks, without a declared length."""
    schema = await ask_once(port, "/api/openapi.json")
    figures = []
    for path in ("/api/decisions.csv", "/api/jobs"):
        if path not in schema["paths"]:
            continue
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nX-Linkwl: 1\r\nX-Linkwl-File-Name: a.csv\r\n"
        writer.write(head.encode() + b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b"a,b\n" * (1 << 14) + b"\r\n"
        sent = 0
        try:
            while sent < UPLOAD_BYTES:
                writer.write(chunk)
                await writer.drain()
                sent += 1 << 16
            writer.write(b"0\r\n\r\n")
            await writer.drain()
        except OSError:
            pass  # the server has closed; its answer is read below
        status = int((await reader.readline()).split()[1])
        writer.close()
        what = f"{UPLOAD_BYTES / 1e6:.0f} MB in chunks to {path}: 1 if it is refused with 413"
        figures.append({"what": what, "value": int(status == 413), "at_least": 1})
    return figures


async def cold_load(port: int) -> list[Figure]:
    """The bytes that a first visit transfers: the page, its files, also those loaded later, and what it asks for."""
    sizes: dict[str, int] = {}
    waiting = ["/", "/api/model", "/api/links?limit=50", "/api/drawing", "/api/names"]
    async with Connection(port) as connection:
        while waiting:
            path = waiting.pop()
            answer = await connection.ask("GET", path, None, {"Accept-Encoding": "gzip"})
            if path == "/" and answer.status != 200:
                return []
            sizes[path] = len(answer.body)
            if path == "/" or path.endswith((".js", ".css")):
                is_packed = answer.headers.get("content-encoding") == "gzip"
                text = (gzip.decompress(answer.body) if is_packed else answer.body).decode()
                names = re.findall(r"[\w.-]+-[\w-]{8}\.(?:js|css)", text)
                waiting += {f"/assets/{name}" for name in names} - sizes.keys() - set(waiting)
    what = "bytes of a first visit, with all scripts and what they ask for at the start"
    return [{"what": what, "value": sum(sizes.values()), "at_most": MOST_COLD_BYTES, "files": sizes}]


async def ask_once(port: int, path: str) -> Any:
    """The value at an address."""
    async with Connection(port) as connection:
        answer = await connection.ask("GET", path)
    assert answer.status == 200, answer
    return answer.json()


async def measure_all(port: int, process: int, share: float) -> list[Figure]:
    """All figures of a running server."""
    figures = await search_and_health(port, max(int(TURNS * share), 50))
    figures += await during_explanations(port, max(int(9 * share), 5))
    figures += await cold_load(port)
    figures += await under_load(port, process, max(int(REQUESTS * share), 200))
    figures += await malformed(port, max(int(MALFORMED * share), 200))
    return figures + await large_upload(port)


def main() -> None:
    """Writes the figures to standard output."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--share", type=float, default=1.0, help="share of the requests")
    share = parser.parse_args().share
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    with serving() as (port, process):
        figures = asyncio.run(measure_all(port, process, share))
    figures += explanation_cost(max(int(20 * share), 5))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
