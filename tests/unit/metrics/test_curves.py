import numpy as np
import pytest
from sklearn import metrics

from linkwl.metrics import auc, precision_recall_curve, roc_curve


@pytest.mark.parametrize("digits", [0, 1, 6])
def test_curves_are_those_of_scikit_learn(digits):
    generator = np.random.default_rng(0)
    positive, negative = (generator.normal(mean, 1, count).round(digits) for mean, count in ((1, 70), (0, 90)))
    truth, scores = np.repeat([1, 0], [70, 90]), np.concatenate([positive, negative])
    x, y, _ = metrics.roc_curve(truth, scores, drop_intermediate=False)
    found = roc_curve(positive, negative)
    np.testing.assert_allclose(found.x, x)
    np.testing.assert_allclose(found.y, y)
    assert np.trapezoid(found.y, found.x) == pytest.approx(auc(positive, negative))
    precision, recall, _ = metrics.precision_recall_curve(truth, scores)
    curve = precision_recall_curve(positive, negative)
    np.testing.assert_allclose(curve.y, precision[:-1][::-1])
    np.testing.assert_allclose(curve.x, recall[:-1][::-1])


def test_no_scores_have_no_curve():
    with pytest.raises(ValueError):
        roc_curve(np.array([]), np.array([1.0]))
