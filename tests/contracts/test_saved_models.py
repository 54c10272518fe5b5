"""Saved models: a kill costs nothing, and no damage becomes a traceback or a wrong answer."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from linkwl import LinkPredictor, LinkwlError, load_dataset
from linkwl.graph.readers.pairs import read_pairs
from toy_model import MODEL_FILES

QUICK = {"gates": "off", "steps": 3, "readout": {"members": 2}, "training": {"max_steps": 5}}
PAIRS = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB")]
SAVING = """
import sys
from linkwl import LinkPredictor
first, second = map(LinkPredictor.load, sys.argv[1:3])
first.save(sys.argv[3])
print("ready", flush=True)
while True:
    second.save(sys.argv[3])
    first.save(sys.argv[3])
"""


@pytest.fixture(scope="module")
def predictor():
    return LinkPredictor(settings=QUICK).fit(load_dataset("airports"))


@pytest.fixture(scope="module")
def formula():
    return LinkPredictor("ra").fit(load_dataset("airports"))


@pytest.fixture(scope="module")
def saved(predictor, formula, tmp_path_factory):
    folder = tmp_path_factory.mktemp("saved")
    predictor.save(folder / "m")
    formula.save(folder / "ra")
    return folder


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform != "linux", reason="folders are exchanged in one step on Linux")
def test_killed_while_saving_again_and_again(saved, predictor, tmp_path):
    generator = random.Random(0)
    for _ in range(3):
        command = [sys.executable, "-c", SAVING, saved / "m", saved / "ra", tmp_path / "place"]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(generator.uniform(0.0, 0.4))
            process.kill()
        loaded = LinkPredictor.load(tmp_path / "place")
        if loaded.model_.id == "ra":
            continue
        np.testing.assert_array_equal(loaded.decision_function(PAIRS), predictor.decision_function(PAIRS))


def ask(folder):
    """Loads and asks; what is not one of our own errors is a failure."""
    try:
        loaded = LinkPredictor.load(folder)
        return loaded.decision_function(PAIRS), loaded.predict_proba(PAIRS)
    except LinkwlError as error:
        assert "\n" not in str(error)
        return None


def damage(folder, name, draw):
    """Another byte somewhere, a part gone, something put in, or another text altogether."""
    path = folder / name
    content = bytearray(path.read_bytes())
    kind = draw(st.integers(0, 3))
    place = draw(st.integers(0, len(content) - 1))
    if kind == 0:
        content[place] ^= draw(st.integers(1, 255))
    elif kind == 1:
        del content[place : place + draw(st.integers(1, 4000))]
    elif kind == 2:
        content[place:place] = draw(st.binary(min_size=1, max_size=40))
    else:
        content = bytearray(draw(st.binary(max_size=60)))
    path.write_bytes(content)


def check_damaged_folder(saved, predictor, tmp_path, data):
    place = tmp_path / "damaged"
    shutil.rmtree(place, ignore_errors=True)
    shutil.copytree(saved / "m", place)
    damage(place, data.draw(st.sampled_from(MODEL_FILES)), data.draw)
    answer = ask(place)
    if answer is None:
        return
    scores, told = answer
    np.testing.assert_array_equal(scores, predictor.decision_function(PAIRS))
    np.testing.assert_array_equal(told, predictor.predict_proba(PAIRS))


def check_pairs_file(formula, tmp_path, text):
    path = tmp_path / "pairs.csv"
    path.write_bytes(text)
    try:
        pairs = read_pairs(path, formula.graph_.ids)
    except LinkwlError as error:
        assert "pairs.csv" in str(error)
        return
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    table = formula.rank_indices(pairs, graph=formula.graph_).to_arrow()
    names = set(text.decode("utf-8", "replace").replace('"', " ").replace(",", " ").replace(";", " ").split())
    assert set(table["source"].to_pylist()) <= names
    assert set(table["target"].to_pylist()) <= names


pair_lines = st.lists(
    st.tuples(
        st.sampled_from(["JNU", "WRG", "ORD", "", " ", "nobody", '"JNU"', "#", "\t", "é", "\x00"]),
        st.sampled_from([",", ";", " ", "\t", "", ",,"]),
        st.sampled_from(["JNU", "WRG", "ATL", "", "1", '"', "SFB\r"]),
    ).map("".join),
    max_size=6,
).map(lambda lines: "\n".join(lines).encode())
some = settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
many = settings(some, max_examples=5000)


@given(st.data())
@some
def test_damaged_folders(saved, predictor, tmp_path, data):
    check_damaged_folder(saved, predictor, tmp_path, data)


@given(pair_lines | st.binary(max_size=80))
@some
def test_files_of_pairs(formula, tmp_path, text):
    check_pairs_file(formula, tmp_path, text)


@pytest.mark.slow
@given(st.data())
@many
def test_many_damaged_folders(saved, predictor, tmp_path, data):
    check_damaged_folder(saved, predictor, tmp_path, data)


@pytest.mark.slow
@given(pair_lines | st.binary(max_size=80))
@many
def test_many_files_of_pairs(formula, tmp_path, text):
    check_pairs_file(formula, tmp_path, text)
