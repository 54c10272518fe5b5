from __future__ import annotations

import base64
import io
import re
from xml.etree import ElementTree

import matplotlib
from matplotlib.figure import Figure

from linkwl.reports.themes import DARK, picture_address, read_picture


def drawing():
    with matplotlib.rc_context({"svg.hashsalt": "linkwl"}):
        figure = Figure(figsize=(3, 2))
        axes = figure.add_subplot()
        axes.plot([0, 1 / 3], [0, 2 / 3], color="#0b6e99")
        axes.scatter([0.1], [0.2], color="#334155")
        axes.set_title("plain text")
        stream = io.StringIO()
        figure.savefig(stream, format="svg", metadata={"Date": None})
    return stream.getvalue()


def decoded(address):
    return base64.b64decode(address.removeprefix("data:image/svg+xml;base64,")).decode()


def test_every_colour_of_ours_has_two_values():
    themed = decoded(picture_address(drawing()))
    ElementTree.fromstring(themed)
    light, dark = re.search(r"<style>:root{(.*?)}@media \(prefers-color-scheme:dark\){:root{(.*?)}}", themed).groups()
    for colour in ("#0b6e99", "#334155", "#ffffff", "#000000"):
        name = f"--c{colour[1:]}"
        assert f"{name}:{colour};" in light
        assert f"{name}:{DARK[colour]};" in dark
        assert f"var({name})" in themed
    shapes = themed.split("</style>", 1)[1]
    assert not any(colour in shapes for colour in DARK)


def test_text_without_a_colour_follows_the_page():
    assert "fill:var(--c000000)" in decoded(picture_address("<svg></svg>"))


def test_coordinates_are_rounded_and_glyphs_keep_their_scale():
    plain, themed = drawing(), decoded(picture_address(drawing()))
    assert any(re.search(r"\.\d{3}", path) for path in re.findall(r' d="([^"]*)"', plain))
    assert not any(re.search(r"\.\d{3}", path) for path in re.findall(r' d="([^"]*)"', themed))
    assert re.findall(r"scale\([^)]*\)", themed) == re.findall(r"scale\([^)]*\)", plain)


def test_dark_colours_stand_out_from_dark_paper():
    def brightness(colour):
        parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    paper = brightness(DARK["#ffffff"])
    for colour, dark in DARK.items():
        if colour != "#ffffff":
            assert (brightness(dark) + 0.05) / (paper + 0.05) >= 4.5, colour


def test_a_file_is_read(tmp_path):
    (tmp_path / "a.svg").write_text(drawing(), encoding="utf-8")
    assert read_picture(tmp_path / "a.svg") == picture_address(drawing())
