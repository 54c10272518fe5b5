"""Names as they are shown to people: nothing in them can control a terminal or reverse the order of a line."""

from __future__ import annotations

import re

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 without tab and newline, DEL, C1
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # marks, embeddings, overrides and isolates of direction
    "\u2028\u2029\ufff9-\ufffb\ufeff\ud800-\udfff]"  # other line ends, annotations, byte-order mark, half characters
)


def printable(text: str, *, lines: bool = True) -> str:
    r"""The text with its control characters spelled out, as in ``\x1b``.

    Args:
        text: Any text, for example a name from a file.
        lines: Whether ends of lines and tabs stay as they are.

    Example:
        >>> print(printable("a\x1b[2Jb"))
        a\x1b[2Jb
    """
    cleaned = _CONTROLS.sub(_spelled, text)
    return cleaned if lines else cleaned.replace("\n", r"\n").replace("\t", r"\t")


def _spelled(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"
