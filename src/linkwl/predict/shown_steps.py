"""The steps of training as a progress bar."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from linkwl.models import StepReport
from linkwl.progress import progress_bar

OnStep = Callable[[StepReport], None]


@contextmanager
def shown_steps(on_step: OnStep | None, progress: bool | None) -> Iterator[OnStep]:
    """A function that reports the steps of training, within a block; see :func:`linkwl.progress.shown_progress`."""
    with progress_bar(False if progress is None and on_step is not None else progress) as bar:

        def report(step: StepReport) -> None:
            bar.update(step.text, step.step, step.max_steps)
            if on_step is not None:
                on_step(step)

        yield report
