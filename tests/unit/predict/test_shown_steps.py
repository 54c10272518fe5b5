import pytest

from linkwl.models import StepReport
from linkwl.predict import shown_steps as module
from linkwl.predict.shown_steps import shown_steps

REPORT = StepReport("toy", 3, 7, 20, 0.4321, "AUC", None, None, 0)


class Bar:
    def __init__(self):
        self.shown = []

    def __call__(self, progress):
        self.progress = progress
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass

    def update(self, *values):
        self.shown.append(values)


@pytest.mark.parametrize("progress", [None, True, False])
def test_steps_go_to_the_bar_and_to_the_caller(monkeypatch, progress):
    bar, heard = Bar(), []
    monkeypatch.setattr(module, "progress_bar", bar)
    with shown_steps(heard.append, progress) as report:
        report(REPORT)
    assert heard == [REPORT]
    assert bar.shown == [("toy, seed 3: loss 0.432", 7, 20)]
    assert bar.progress is (False if progress is None else progress)


def test_without_a_caller_the_bar_decides(monkeypatch):
    bar = Bar()
    monkeypatch.setattr(module, "progress_bar", bar)
    with shown_steps(None, None) as report:
        report(REPORT)
    assert bar.progress is None
