from __future__ import annotations

import pytest

from linkwl.engine import InlineEngine, ProcessEngine, find_engine
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
    with pytest.raises(UnknownNameError, match=r"unknown engine 'ray'; known are inline, processes:N\."):
        find_engine("ray")
    with pytest.raises(UnknownNameError, match=r"unknown engine 'inlin'; did you mean 'inline'"):
        find_engine("inlin")
