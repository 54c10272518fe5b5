from __future__ import annotations

from importlib import util

import pytest

from linkwl.engine import InlineEngine, ProcessEngine, RayEngine, find_engine
from linkwl.errors import InputError, UnknownNameError


def test_engines_have_names():
    assert isinstance(find_engine("inline"), InlineEngine)
    engine = find_engine("processes:3")
    assert isinstance(engine, ProcessEngine)
    assert engine.num_processes == 3
    for name in ("inline", "processes:3"):
        assert str(find_engine(name)) == name


@pytest.mark.parametrize(
    "name", ["processes", "processes:", "processes:0", "processes:-1", "processes:two", "processes:²"]
)
def test_the_number_of_processes_is_asked_for(name):
    with pytest.raises(InputError, match=r"expected processes:N with an integer N of at least 1, such as processes:2"):
        find_engine(name)


def test_what_is_not_known_is_said():
    with pytest.raises(
        UnknownNameError, match=r"unknown engine 'dask'; known are inline, processes:N, ray, ray:ADDRESS"
    ):
        find_engine("dask")
    with pytest.raises(UnknownNameError, match=r"unknown engine 'inlin'; did you mean 'inline'"):
        find_engine("inlin")


@pytest.mark.skipif(util.find_spec("ray") is None, reason="Ray is not installed; pip install 'linkwl[ray]'")
@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("ray", None),
        ("ray:auto", "auto"),
        ("ray:10.0.0.1:6379", "10.0.0.1:6379"),
        ("ray://head:10001", "ray://head:10001"),
    ],
)
def test_a_cluster_has_an_address(name, address):
    """Nothing is started or connected yet."""
    engine = find_engine(name)
    assert isinstance(engine, RayEngine)
    assert (engine.address, str(engine)) == (address, name)


@pytest.mark.parametrize("name", ["ray:", "ray:head", "ray://", "ray://head", "ray:head:port", "ray:head:²"])
def test_what_is_no_address_is_refused(name):
    with pytest.raises(InputError, match=r"expected the address of a Ray cluster, such as ray:10\.0\.0\.1:6379"):
        find_engine(name)


def test_without_ray_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setattr(util, "find_spec", lambda name: None)
    with pytest.raises(
        InputError, match=r"the engine 'ray' needs Ray; pip install 'linkwl\[ray\]', or use processes:N"
    ):
        find_engine("ray")
