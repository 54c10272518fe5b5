from __future__ import annotations

import subprocess
import sys

import pytest

from linkwl.errors import InputError, UnknownNameError
from linkwl.models import MODELS, create_model
from linkwl.models.gradient import TrainingConfig
from linkwl.models.registry import find_row, find_rows, model_ids, recreate_model
from toy_model import register


def test_models_by_name():
    heuristics = ["cn", "aa", "ra", "pa", "jaccard", "katz", "ppr", "simrank"]
    networks = ["2wl", "local-2wl", "2fwl", "local-2fwl"]
    baselines = [
        *("mf", "node2vec", "vgae", "svgae", "wlnm", "seal", "seal-node2vec", "tlc-gnn", "walkpool", "nbfnet"),
        *("gcn", "logistic", "boosting", "ncn", "ncnc", "buddy"),
    ]
    assert model_ids("heuristic", task="pairs") == heuristics
    assert model_ids(task="pairs") == [*heuristics, *networks, *baselines, "walk-2fwl"]
    assert model_ids(task="triples") == ["floor", "local-2wl", "local-2fwl", "rgcn", "grail", "indigo", "walk-2fwl"]
    assert list(MODELS) == [*heuristics, "floor", *networks, *baselines, "rgcn", "grail", "indigo", "walk-2fwl"]
    assert len(MODELS) == 33
    assert model_ids("own", "heuristic") == [*heuristics, "floor", "walk-2fwl"]  # in the order of the registry
    assert [row.published for row in find_rows("baseline", task="triples")] == ["R-GCN", "GraIL", "INDIGO"]


def test_a_model_may_have_another_printed_name_in_each_table():
    seal, with_vectors, gcn = (find_row(name) for name in ("seal", "seal-node2vec", "gcn"))
    first, second = ["MF", "SEAL (with node2vec)", "SEAL (structure only)"], ["VGAE", "SEAL"]
    assert [seal.published_in(systems) for systems in (first, second, [])] == ["SEAL (structure only)", "SEAL", ""]
    assert [with_vectors.published_in(systems) for systems in (first, second)] == ["SEAL (with node2vec)", ""]
    assert gcn.published_in(first) == ""


def test_one_name_stands_for_a_model_of_pairs_and_one_of_triples():
    for name in ("local-2wl", "local-2fwl"):
        on_pairs, on_triples = (create_model(name, task=task) for task in ("pairs", "triples"))
        assert (on_pairs.id, on_pairs.task) == (name, "pairs")
        assert (on_triples.id, on_triples.task) == (name, "triples")
        assert type(create_model(name)) is type(on_pairs)


def test_names_that_are_not_known():
    assert "katz" in MODELS
    assert "kats" not in MODELS
    with pytest.raises(KeyError):
        MODELS["kats"]


WITHOUT_TORCH = [
    "import linkwl, linkwl.models, linkwl.training",
    "import linkwl.cli.main, linkwl.cli.train, linkwl.cli.evaluate, linkwl.cli.settings",
    "list(linkwl.models.MODELS), '2wl' in linkwl.models.MODELS",
    "sys.argv = ['linkwl', '--help']; linkwl.cli.main.app(standalone_mode=False)",
    "sys.argv = ['linkwl', 'train', '--help']; linkwl.cli.main.app(standalone_mode=False)",
    "linkwl.cli.settings.create_models('katz,cn', None, ['beta=0.01'])",
    "graph = linkwl.load_graph([(i, (i + 1) % 30) for i in range(30)])",
    "linkwl.evaluate_models(graph, [linkwl.create_model('cn')], linkwl.PROTOCOLS['paper'], [0])",
]


@pytest.mark.thorough
def test_torch_is_not_imported_before_it_is_needed():
    check = "assert 'torch' not in sys.modules, "
    code = "import sys\n" + "\n".join(f"{line}\n{check}{line!r}" for line in WITHOUT_TORCH)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.thorough
def test_idle_threads_sleep_even_in_a_library():
    code = "import os, sys; os.environ.pop('OMP_WAIT_POLICY', 0); import linkwl; print(os.environ['OMP_WAIT_POLICY'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "PASSIVE"


def test_a_row_is_all_that_a_new_model_needs(monkeypatch):
    assert "toy" not in MODELS
    register(monkeypatch)
    assert MODELS["toy"].id == "toy"
    assert "toy" in model_ids("network")


def test_groups_keep_what_is_not_set(monkeypatch):
    register(monkeypatch)
    config = create_model("toy", encoder={"channels": "5"}, training={"max_steps": 7}).config
    # 0.3, 4 and 0.01 are this model's defaults, not those of the groups.
    assert config.encoder.model_dump() == {"channels": 5, "dropout": 0.3}
    assert (config.training.max_steps, config.training.evaluate_every, config.training.learning_rate) == (7, 4, 0.01)
    assert create_model("toy", training=TrainingConfig(patience=9)).config.training == TrainingConfig(patience=9)


def test_settings_that_came_later_have_the_values_of_their_time():
    assert create_model("walk-2fwl").config.trees == "auto"
    old = recreate_model("walk-2fwl", None, {"steps": 3, "training": {"max_steps": 7}}).config
    assert (old.trees, old.position, old.training.schedule, old.training.links_per_step) == (
        "off",
        "off",
        "constant",
        0,
    )
    assert (old.steps, old.training.max_steps) == (3, 7)
    assert recreate_model("walk-2fwl", None, {"trees": "on"}).config.trees == "on"
    with pytest.raises(InputError, match="'training' is a group of settings and takes no value, got 3"):
        recreate_model("walk-2fwl", None, {"training": 3})


def test_published_settings():
    assert create_model("katz").config.model_dump() == {"beta": 0.001}
    assert create_model("ppr").config.model_dump() == {"alpha": 0.85}
    assert create_model("simrank").config.model_dump() == {"gamma": 0.8, "iterations": 5}


def test_settings_may_come_as_text():
    assert create_model("katz", beta="0.01").config.beta == 0.01
    assert repr(create_model("simrank", iterations="3")) == "SimRank(gamma=0.8, iterations=3)"


def test_unknown_model_gets_near_names():
    with pytest.raises(UnknownNameError, match=r"unknown model 'kats'; did you mean 'katz'\?"):
        create_model("kats")


@pytest.mark.parametrize(
    ("name", "settings", "sentence"),
    [
        ("toy", {"encoder": {"chanels": 1}}, "unknown toy setting 'encoder.chanels'; did you mean 'encoder.channels'"),
        ("toy", {"encodr": {}}, "unknown toy setting 'encodr'; known are training.learning_rate, "),
        ("toy", {"encoder": 3}, "toy setting 'encoder' is a group of settings and takes no value, got 3; set one of"),
        ("toy", {"encoder": {"channels": 0}}, "'encoder.channels' must be greater than or equal to 1, got 0."),
        ("toy", {"training": {"learning_rate": "nan"}}, "'training.learning_rate' must be a finite number, got 'nan'."),
        ("2wl", {"encoder": {"conv": "foo"}}, "'encoder.conv' must be 'gcn', 'sage' or 'appnp', got 'foo'."),
        ("2wl", {"encoder": {"norm": "foo"}}, "'encoder.norm' must be 'graph', 'layer' or 'none', got 'foo'."),
        ("2wl", {"encoder": {"dropout": 2}}, "'encoder.dropout' must be less than 1, got 2."),
        ("katz", {"beta": {"x": 1}}, "unknown katz setting 'beta.x'; did you mean 'beta'?"),
        ("katz", {"bta": 1}, "unknown katz setting 'bta'; did you mean 'beta'?"),
        ("cn", {"beta": 1}, "cn has no settings, got 'beta'."),
        ("katz", {"beta": "abc"}, "katz setting 'beta' must be a valid number, got 'abc'."),
        ("katz", {"beta": 0}, "katz setting 'beta' must be greater than 0, got 0."),
        ("katz", {"beta": "nan"}, "katz setting 'beta' must be a finite number, got 'nan'."),
        ("katz", {"beta": "inf"}, "katz setting 'beta' must be a finite number, got 'inf'."),
        ("ppr", {"alpha": "1"}, "ppr setting 'alpha' must be less than 1, got '1'."),
        ("simrank", {"iterations": 2.5}, "simrank setting 'iterations' must be a valid integer, got 2.5."),
    ],
)
def test_bad_settings_get_one_sentence(name, settings, sentence, monkeypatch):
    register(monkeypatch)
    with pytest.raises(InputError) as error:
        create_model(name, **settings)
    assert sentence in str(error.value)
