"""The page about protocols names every protocol."""

from __future__ import annotations

import re

from linkwl.metrics import find_metric
from linkwl.protocols import PROTOCOLS
from pages import read_page

PAGE = read_page("docs/protocols.md")


def test_its_table_lists_every_protocol_with_its_metrics():
    rows = re.findall(r"^\| `([\w-]+)` \|.*?\|.*?\| (.+?) \|", PAGE, flags=re.MULTILINE)
    expected = [
        (protocol.id, ", ".join(find_metric(name).title for name in protocol.metrics))
        for protocol in PROTOCOLS.values()
    ]
    assert rows == expected
    for protocol in PROTOCOLS.values():
        is_first = protocol.selection.id == protocol.metrics[0]  # as the table says
        assert is_first or f"The {protocol.selection.title} selects" in PAGE
        assert f"## `{protocol.id}`" in PAGE
