from __future__ import annotations

import os
import subprocess
import sys

import pytest

from linkwl.cli.completion import (
    PROTOCOL_NAMES,
    complete_datasets,
    complete_graph,
    complete_model,
    complete_models,
    complete_protocol,
    in_list,
)
from linkwl.datasets import CATALOGUE
from linkwl.models import MODELS
from linkwl.protocols import PROTOCOLS


def test_the_names_written_out_are_those_of_the_registry():
    assert list(PROTOCOL_NAMES) == list(PROTOCOLS)


def test_names_by_their_beginning():
    assert complete_graph("us") == [("usair", "332 nodes, 2,126 edges")]
    assert [name for name, _ in complete_graph("")] == list(CATALOGUE)
    assert [name for name, _ in complete_model("local")] == ["local-2wl", "local-2fwl"]
    assert [name for name, _ in complete_model("")] == list(MODELS)
    assert complete_protocol("entities-") == ["entities-50", "entities-roles", "entities-unseen"]
    assert complete_protocol("x") == []


def test_lists_of_names():
    assert complete_models("cn,kat") == ["cn,katz"]
    assert complete_datasets("usair,y") == ["usair,yeast"]
    assert in_list(["cn", "aa"], "cn,") == ["cn,aa"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("linkwl tr", ["train"]),
        ("linkwl train us", ["usair"]),
        ("linkwl train usair --model walk-", ["walk-2fwl"]),
        ("linkwl evaluate usair -m ra,kat", ["ra,katz"]),
        ("linkwl evaluate usair --protocol hea", ["heart"]),
        ("linkwl datasets info pub", ["pubmed"]),
        ("linkwl predict my-model --graph cite", ["citeseer"]),
        ("linkwl wl compare p6 --link 0 2 --test", ["--tests"]),
        ("linkwl wl refine rook --test local-2-w", ["local-2-wl"]),
        ("linkwl wl refine shr", ["shrikhande"]),
        ("linkwl demo --graph w", ["world"]),
    ],
)
@pytest.mark.thorough
def test_what_a_shell_is_offered(words, expected):
    environment = os.environ | {
        "_LINKWL_COMPLETE": "complete_bash",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    code = "import sys; sys.argv = ['linkwl']; from linkwl.cli.main import run; run()"
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, expected), done.stderr


def test_the_script_for_a_shell_can_be_shown(linkwl, monkeypatch):
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash")
    code, out, _ = linkwl("--show-completion")
    assert code == 0
    assert "complete -o default -F _linkwl_completion linkwl" in out
