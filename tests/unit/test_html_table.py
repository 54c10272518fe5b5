from html.parser import HTMLParser

import pytest

from linkwl.html_table import escaped, facts_html, table_html, text_html


class Tags(HTMLParser):
    """The tags of a text, which must be closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.words = [], [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


EVIL = '<script>alert("1")</script>\x1b[2J'


@pytest.mark.parametrize(
    "made",
    [
        table_html([EVIL, "n"], [[EVIL, 3]], title=EVIL, notes=[EVIL], numbers=["n"]),
        facts_html(EVIL, {EVIL: EVIL}, [EVIL]),
        text_html(EVIL),
    ],
)
def test_names_are_text_and_nothing_else(made):
    tags = Tags(made)
    assert tags.open == []
    assert {tag for tag, _ in tags.seen} <= {"div", "b", "table", "thead", "tbody", "tr", "th", "td", "pre"}
    assert "\x1b" not in made
    assert '<script>alert("1")</script>\\x1b[2J' in tags.words


def test_colours_are_those_of_the_page():
    for made in (table_html(["a"], [["b"]], title="t"), facts_html("t", {"a": 1})):
        assert "#" not in made
        assert "rgb" not in made


def test_numbers_are_on_the_right():
    cells = [
        attrs["style"] for tag, attrs in Tags(table_html(["a", "n"], [["b", 2]], numbers=["n"])).seen if tag == "td"
    ]
    assert [style.rsplit(":", 1)[1] for style in cells] == ["left", "right"]


def test_a_row_that_does_not_fit():
    with pytest.raises(ValueError, match="argument 2 is longer|argument 2 is shorter"):
        table_html(["a"], [["b", "c"]])


def test_quotes_are_escaped():
    assert escaped("a\"b'c&") == "a&quot;b&#x27;c&amp;"
