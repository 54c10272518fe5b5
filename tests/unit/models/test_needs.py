from __future__ import annotations

from linkwl.models import base
from linkwl.models.needs import Needs
from linkwl.models.registry import ROWS


def test_by_default_a_model_needs_nothing():
    assert not any(vars(Needs()).values())


def test_the_needs_of_a_row_are_those_of_its_class():
    assert base.Needs is Needs
    assert ROWS["mf"].needs == ROWS["mf"].load_class().needs == Needs(same_nodes=True)
