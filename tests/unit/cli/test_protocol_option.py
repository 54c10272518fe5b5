from __future__ import annotations

import pytest

from linkwl import PROTOCOLS, InputError
from linkwl.cli.protocol_option import choose_protocol, say_division
from linkwl.datasets import load_airports, load_world
from linkwl.graph.readers.benchmark_folder import read_benchmark_folder
from triple_graphs import random_triples, relatives


def test_the_default_depends_on_the_graph():
    assert choose_protocol(None, load_airports()).id == "paper"
    assert choose_protocol(None, load_world()).id == "indigo"
    assert choose_protocol(None, random_triples(20, 2, 60)).id == "facts"
    assert choose_protocol("entities", relatives()) is PROTOCOLS["entities"]


@pytest.fixture
def benchmark(tmp_path):
    for name, facts in (("train", "a r b\nb r c\nc s a\nd s a"), ("valid", "a s c"), ("test", "d r b")):
        (tmp_path / f"{name}.txt").write_text("".join("\t".join(line.split()) + "\n" for line in facts.splitlines()))
    return read_benchmark_folder(tmp_path)


@pytest.mark.parametrize(("protocol", "is_used"), [("paper", False), ("entities-unseen", False), ("facts", True)])
def test_it_says_that_a_division_is_not_used(benchmark, protocol, is_used, capsys):
    say_division(benchmark, PROTOCOLS[protocol])
    assert ("does not use their division" in capsys.readouterr().err) is not is_used
    say_division(relatives(), PROTOCOLS[protocol])
    assert capsys.readouterr().err == ""


def test_moments_of_a_split_in_time():
    chosen = choose_protocol("temporal", load_airports(), until="1970-01-03", horizon="1d")
    assert (chosen.splitter.until, chosen.splitter.horizon) == (2 * 86_400, 86_400)
    assert chosen.to_json()["until"] == 2 * 86_400
    assert PROTOCOLS["temporal"].splitter.until is None


def test_other_protocols_have_no_moments():
    with pytest.raises(InputError, match="protocol `paper` does not; add --protocol temporal"):
        choose_protocol(None, load_airports(), horizon="1d")
