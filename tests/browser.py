"""A real browser for tests of pages: Chromium without a window, driven through its DevTools protocol over pipes.

Nothing but Chromium is needed. :func:`find_axe` adds axe-core, which checks what people with a screen reader or weak
eyes need; it comes from npm when a test first asks for it, and is kept in ``build``.
"""

from __future__ import annotations

import base64
import json
import select
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
AXE = "4.10.3"
SECONDS = 120
"""How long to wait for an answer; a machine that is busy with other work is slow."""
_NAMES = ("chromium", "chromium-browser", "google-chrome")
_OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--no-first-run",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
)


_KEY_CODES = {"Tab": 9, "Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}


class BrowserError(Exception):
    """The browser did not answer, or answered with an error."""


def find_browser() -> str | None:
    """The program of Chromium; None if it is not installed."""
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


def find_axe() -> Path | None:
    """The script of axe-core, installed by npm if it is not here yet; None if that fails."""
    folder = ROOT / "build" / f"axe-core-{AXE}"
    script = folder / "node_modules" / "axe-core" / "axe.min.js"
    npm = shutil.which("npm")
    if not script.exists() and npm is not None:
        folder.parent.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as scratch:
            command = [npm, "install", "--no-save", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"]
            try:
                subprocess.run(
                    [*command, "--prefix", scratch, f"axe-core@{AXE}"], capture_output=True, timeout=SECONDS, check=True
                )
                # Another process may have been faster.
                shutil.copytree(Path(scratch) / "node_modules", folder / "node_modules", dirs_exist_ok=True)
            except (OSError, subprocess.SubprocessError):
                return None
    return script if script.exists() else None


@dataclass
class Page:
    """An open page."""

    browser: Browser
    session: str
    requests: list[str] = field(default_factory=list)
    """The addresses that it has asked for, without those of data inside it."""
    problems: list[str] = field(default_factory=list)
    """Exceptions of its scripts, and what its console says is wrong."""
    received: float = 0
    """Bytes of the finished answers as they came over the network, headers included."""
    is_loaded: bool = False

    def evaluate(self, expression: str) -> Any:
        """The value of an expression; of a promise, what it resolves to."""
        answer = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in answer:
            raise BrowserError(json.dumps(answer["exceptionDetails"])[:2000])
        return answer["result"].get("value")

    def wait_until(self, expression: str) -> Any:
        """Waits until an expression is true, and returns its value."""
        deadline = time.monotonic() + SECONDS
        while not (value := self.evaluate(expression)):
            if time.monotonic() > deadline:
                raise BrowserError(f"not true within {SECONDS} seconds: {expression}")
            self.pause(0.05)
        return value

    def pause(self, seconds: float) -> None:
        """Lets the page work."""
        self.evaluate(f"new Promise((done) => setTimeout(done, {1000 * seconds}))")

    def click(self, selector: str) -> None:
        """Clicks into the middle of an element, which must be there, seen and not covered by another."""
        element = f"document.querySelector({json.dumps(selector)})"
        self.wait_until(f"{element} !== null")
        x, y, hit = self.evaluate(
            f"(() => {{ const e = {element}; e.scrollIntoView({{block: 'nearest'}});"
            "const b = e.getBoundingClientRect(); const x = b.x + b.width / 2, y = b.y + b.height / 2;"
            "const at = document.elementFromPoint(x, y);"
            "return [x, y, at !== null && (e.contains(at) || at.contains(e))]; })()"
        )
        if not hit:
            raise BrowserError(f"{selector} cannot be clicked: it is hidden, or covered")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key: str) -> None:
        """Presses a key: a letter, or a name such as ``Escape``."""
        code = _KEY_CODES.get(key, 0)
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)

    def write(self, text: str) -> None:
        """Types into the field that has the focus."""
        self.call("Input.insertText", text=text)

    def choose_file(self, selector: str, path: Path) -> None:
        """Gives a file to a field for files."""
        expression = f"document.querySelector({json.dumps(selector)})"
        found = self.call("Runtime.evaluate", expression=expression)["result"]
        self.call("DOM.setFileInputFiles", files=[str(path)], objectId=found["objectId"])

    @property
    def overflow(self) -> int:
        """By how many pixels the page is wider than its window."""
        return self.evaluate("document.scrollingElement.scrollWidth - innerWidth")

    def violations(self, axe: Path) -> list[str]:
        """What axe-core finds wrong: the rule, and the elements that break it."""
        self.evaluate(axe.read_text(encoding="utf-8") + "; true")
        found = self.evaluate("axe.run(document).then((result) => result.violations)")
        return [f"{row['id']}: {', '.join(str(node['target']) for node in row['nodes'][:5])}" for row in found]

    def save_screenshot(self, path: Path, *, height: int | None = None) -> None:
        """Writes the page, or its upper part, as PNG."""
        width = self.evaluate("innerWidth")
        whole = self.evaluate("document.scrollingElement.scrollHeight")
        clip = {"x": 0, "y": 0, "width": width, "height": height or whole, "scale": 1}
        answer = self.call("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(answer["data"]))

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol for this page."""
        return self.browser.call(method, self.session, **parameters)

    def note(self, event: dict[str, Any]) -> None:
        """Keeps what an event says."""
        name, found = event["method"], event["params"]
        if name == "Page.loadEventFired":
            self.is_loaded = True
        elif name == "Network.requestWillBeSent" and not found["request"]["url"].startswith("data:"):
            self.requests.append(found["request"]["url"])
        elif name == "Runtime.exceptionThrown":
            self.problems.append(json.dumps(found["exceptionDetails"])[:500])
        elif name == "Runtime.consoleAPICalled" and found["type"] in ("error", "warning", "assert"):
            self.problems.append(json.dumps(found["args"])[:500])
        elif name == "Log.entryAdded" and found["entry"]["level"] in ("error", "warning"):
            # The driver that draws in software says that it is slow.
            if "GL Driver Message" not in found["entry"]["text"]:
                self.problems.append(found["entry"]["text"])
        elif name == "Network.loadingFinished":
            self.received += found["encodedDataLength"]


class Browser:
    """A running browser; to be closed."""

    def __init__(self, program: str) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        # Chromium reads commands from descriptor 3 and writes answers to 4.
        shell = ["sh", "-c", 'exec "$@" 3<&0 4>&1 0</dev/null 1>/dev/null', "sh"]
        self._process = subprocess.Popen(
            [*shell, program, *_OPTIONS, f"--user-data-dir={self._profile.name}"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            bufsize=0,
        )
        self._buffer, self._number = b"", 0
        self._pages: dict[str, Page] = {}
        self._target: str | None = None

    def __enter__(self) -> Browser:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.call("Browser.close")
            self._process.wait(SECONDS)
        except (BrowserError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            pipe.close()
        self._profile.cleanup()

    def open(
        self,
        path: Path | str,
        *,
        width: int = 1200,
        height: int = 800,
        dark: bool = False,
        scripts: bool = True,
        media: str = "",
        still: bool = False,
        first: str = "",
    ) -> Page:
        """Opens a file or an address instead of the page before, and waits until it is loaded.

        Args:
            path: The file, or an address that starts with ``http``.
            width: Of the window, in pixels.
            height: Of the window, in pixels.
            dark: Whether the reader prefers dark pages.
            scripts: Whether scripts run.
            media: ``print`` for the page as it is printed.
            still: Whether the reader prefers less motion.
            first: A script that runs before those of the page.
        """
        if self._target is not None:
            self.call("Target.closeTarget", targetId=self._target)
        self._target = self.call("Target.createTarget", url="about:blank")["targetId"]
        session = self.call("Target.attachToTarget", targetId=self._target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session)
        for domain in ("Page", "Network", "Runtime", "Log"):
            page.call(f"{domain}.enable")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        theme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"}
        page.call("Emulation.setEmulatedMedia", media=media, features=[theme, motion])
        if not scripts:
            page.call("Emulation.setScriptExecutionDisabled", value=True)
        if first:
            page.call("Page.addScriptToEvaluateOnNewDocument", source=first)
        page.call("Page.navigate", url=str(path) if str(path).startswith("http") else Path(path).resolve().as_uri())
        deadline = time.monotonic() + SECONDS
        while not page.is_loaded:
            self._receive(deadline)
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol, and waits for its answer."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        message |= {} if session is None else {"sessionId": session}
        content = json.dumps(message).encode() + b"\0"
        while content:
            content = content[self._process.stdin.write(content) :]
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self._receive(deadline)
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]

    def _receive(self, deadline: float) -> dict[str, Any]:
        """The next message; if it is an event, its page has noted it."""
        while b"\0" not in self._buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self._process.stdout], [], [], left)[0]:
                raise BrowserError(f"the browser gave no answer within {SECONDS} seconds")
            some = self._process.stdout.read(1 << 20)
            if not some:
                raise BrowserError("the browser has ended")
            self._buffer += some
        text, _, self._buffer = self._buffer.partition(b"\0")
        message = json.loads(text)
        if "method" in message and message.get("sessionId") in self._pages:
            self._pages[message["sessionId"]].note(message)
        return message
