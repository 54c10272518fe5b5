from matplotlib import pyplot as plt

from linkwl.reports.new_axes import new_axes


def test_they_are_of_a_figure_that_a_notebook_shows():
    axes = new_axes((3.0, 2.0))
    assert plt.get_fignums()
    assert axes.get_figure().get_size_inches().tolist() == [3, 2]
    plt.close(axes.get_figure())
