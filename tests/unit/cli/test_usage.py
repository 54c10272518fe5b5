from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["trian"], "unknown command 'trian'; did you mean 'train'? See `linkwl --help`."),
        (["bench", "tabel1"], "unknown command 'tabel1'; did you mean 'table1' or 'table3' or 'table2'?"),
        (["--versoin"], "unknown option --versoin of `linkwl`; did you mean --version? See `linkwl --help`."),
        (["train", "airports", "--modle", "ra"], "unknown option --modle of `linkwl train`; did you mean --model? See"),
        (["train", "airports", "--xyz"], "unknown option --xyz of `linkwl train`; see `linkwl train --help`."),
        (["train", "airports"], "--out DIR is missing: the folder to save the model in; see `linkwl train --help`."),
        (["inspect"], "GRAPH is missing: a catalogue name (usair, world, ...), a file of edges or triples, - for"),
        (["evaluate", "ns"], "--model M[,M...] is missing: models, separated by commas; see `linkwl evaluate --help`."),
        (["train", "airports", "--out"], "--out needs a value after it; see `linkwl train --help`."),
        (["explain", "m", "--pair", "a"], "--pair needs 2 values after it; see `linkwl explain --help`."),
        (["demo", "--graph", "moon"], "--graph: 'moon' is not one of airports, world; see `linkwl demo --help`."),
        (["train", "airports", "--seed", "x", "--out", "m"], "--seed must be a valid integer; see"),
        (["train", "airports", "--seed", "-1", "--out", "m"], "--seed must be greater than or equal to 0; see"),
        (["doctor", "now"], "unexpected argument 'now'; put quotes around names that contain spaces, and see"),
        (["demo", "--quiet=yes"], "option --quiet does not take a value; see `linkwl demo --help`."),
    ],
)
def test_wrong_usage_is_one_sentence(linkwl, arguments, sentence):
    code, out, err = linkwl(*arguments)
    assert (code, out) == (2, "")
    assert err.startswith(f"error: {sentence}")
    assert err.count("\n") == 1
    assert "--help`." in err


@pytest.mark.parametrize("arguments", [[], ["wl"], ["bench"]])
def test_a_group_alone_shows_its_help(linkwl, arguments):
    code, out, err = linkwl(*arguments)
    assert (code, err) == (2, "")
    assert "Usage: linkwl" in out
