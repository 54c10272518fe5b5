"""New axes for pictures that a notebook shows."""

from __future__ import annotations

from matplotlib.axes import Axes


def new_axes(size: tuple[float, float]) -> Axes:
    """The axes of a new figure of pyplot, which a notebook shows by itself."""
    from matplotlib import pyplot as plt  # chooses a backend

    _, axes = plt.subplots(figsize=size, layout="constrained")
    return axes
