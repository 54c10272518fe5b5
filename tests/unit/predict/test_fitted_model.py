import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest
import torch

import linkwl
from linkwl import InputError, LinkPredictor, LinkwlError


def test_a_prior_that_was_given_is_kept_and_another_is_that_of_the_graph(airports, tmp_path):
    ring = linkwl.load_graph([(k, (k + 1) % 9) for k in range(9)])
    for prior, expected in ((None, 1 / 4), (0.3, 0.3)):
        LinkPredictor("ra", prior=prior).fit(airports).save(tmp_path / "m")
        loaded = LinkPredictor.load(tmp_path / "m")
        assert loaded.get_params()["prior"] == prior
        assert loaded.prior_for(ring) == expected


@pytest.mark.thorough
def test_it_comes_back_in_another_process_with_the_same_bits(fitted, tmp_path):
    fitted.save(tmp_path / "m")
    script = (
        "import linkwl, sys; p = linkwl.LinkPredictor.load(sys.argv[1]); p.recommend(25).save(sys.argv[2]); "
        "print(p.record_.test)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, tmp_path / "m", tmp_path / "links.csv"],
        capture_output=True,
        text=True,
        check=True,
    )
    fitted.recommend(25).save(tmp_path / "expected.csv")
    assert (tmp_path / "links.csv").read_bytes() == (tmp_path / "expected.csv").read_bytes()
    assert done.stdout.strip() == str(fitted.record_.test)


def test_a_formula_is_saved_as_well(airports, tmp_path):
    LinkPredictor("ra").fit(airports).save(tmp_path / "m")
    loaded = LinkPredictor.load(tmp_path / "m")
    assert loaded.model_.id == "ra"
    assert loaded.recommend(1).to_arrow()["source"][0].as_py() == "PIE"


def test_saving_again_replaces_all(fitted, airports, tmp_path):
    LinkPredictor("ra").fit(airports).save(tmp_path / "m")
    (tmp_path / "m" / "report.html").write_text("of before")
    fitted.save(tmp_path / "m")
    assert LinkPredictor.load(tmp_path / "m").model_.id == "walk-2fwl"
    assert not (tmp_path / "m" / "report.html").exists()
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_save_that_fails_leaves_what_was_there(fitted, airports, tmp_path, monkeypatch):
    LinkPredictor("ra").fit(airports).save(tmp_path / "m")
    monkeypatch.setattr("linkwl.storage.model_folder.write_tensors", lambda *_: (_ for _ in ()).throw(MemoryError))
    with pytest.raises(MemoryError):
        fitted.save(tmp_path / "m")
    monkeypatch.undo()
    assert LinkPredictor.load(tmp_path / "m").model_.id == "ra"
    assert [path.name for path in tmp_path.iterdir()] == ["m"]


def test_a_folder_with_something_else_is_not_touched(fitted, tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(InputError, match=r"holds 'thesis.tex', not part of a model"):
        fitted.save(tmp_path)
    with pytest.raises(InputError, match="a model is a folder, and this is a file"):
        fitted.save(tmp_path / "thesis.tex")
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "config.json").write_text('{"port": 80}')
    with pytest.raises(InputError, match="holds something other than a model"):
        fitted.save(tmp_path / "web")
    fitted.save(tmp_path / "m")
    (tmp_path / "m" / "notes.txt").write_text("mine")
    with pytest.raises(InputError, match=r"holds 'notes.txt'"):
        fitted.save(tmp_path / "m")
    assert (tmp_path / "thesis.tex").read_text() == "years of work"
    assert (tmp_path / "web" / "config.json").read_text() == '{"port": 80}'
    assert (tmp_path / "m" / "notes.txt").read_text() == "mine"


def test_before_fit_it_says_so():
    for ask in (lambda p: p.recommend(3), lambda p: p.predict_proba([(0, 1)]), lambda p: p.save("x")):
        with pytest.raises(LinkwlError, match="call `fit` first"):
            ask(LinkPredictor())


def test_several_threads_may_ask(fitted):
    pairs = [("JNU", "WRG"), ("ORD", "SFB"), ("JNU", "SFB")]
    expected, before = fitted.decision_function(pairs), torch.get_num_threads()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda k: fitted.decision_function([pairs[k % 3]])[0], range(60)))
    assert answers == [expected[k % 3] for k in range(60)]
    assert torch.get_num_threads() == before


def test_the_device_can_be_chosen(airports, tmp_path):
    quick = {"training": {"max_steps": 1}}
    fitted = LinkPredictor("local-2wl", settings=quick, device="cpu").fit(airports)
    assert fitted.device_ == "cpu"
    assert str(fitted.model_.device) == "cpu"
    assert LinkPredictor("ra").fit(airports).device_ == "cpu"
    fitted.save(tmp_path / "m")
    assert LinkPredictor.load(tmp_path / "m", device="cpu").device == "cpu"
    with pytest.raises(InputError, match="`device` 'gpu 7' is not available here; use 'cpu'"):
        LinkPredictor.load(tmp_path / "m", device="gpu 7")
    with pytest.raises(InputError, match="`device` 'meta' computes nothing"):
        LinkPredictor("ra", device="meta").fit(airports)
