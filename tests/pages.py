"""The pages of the project, for the tests that hold them to what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from linkwl.cli.commands import COMMANDS

ROOT = Path(__file__).parents[1]
PAGES = [
    path.relative_to(ROOT).as_posix() for path in (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
]


def read_page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def python_blocks(page: str) -> list[str]:
    return re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)


def run_code(code: str, name: str) -> None:
    exec(compile(code, name, "exec", dont_inherit=True), {"__name__": "__main__"})


def stated_output(code: str) -> list[str]:
    """The lines that the code says it prints: comments that stand alone."""
    return re.findall(r"^# (.+)$", code, flags=re.MULTILINE)


def named_commands(page: str) -> set[str]:
    """The commands of ``linkwl`` in the blocks of a page."""
    blocks = re.findall(r"^```(\w*)\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    shell = "\n".join(text for language, text in blocks if not language)
    return set(re.findall(r"^linkwl (\w+)", shell, flags=re.MULTILINE))


def known_commands() -> set[str]:
    return set(COMMANDS)
