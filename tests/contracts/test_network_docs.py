"""The page about the networks names every layer."""

from __future__ import annotations

import re

from linkwl import nn
from pages import read_page

PAGE = read_page("docs/networks.md")


def test_the_layers_it_names_exist():
    named = set(re.findall(r"`(\w+Conv)`", PAGE))
    assert named == {"LocalTwoWLConv", "TwoWLConv", "LocalTwoFWLConv", "TwoFWLConv"}
    assert named <= set(nn.__all__)
