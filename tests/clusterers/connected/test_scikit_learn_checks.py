"""What scikit-learn asks of every estimator, without exclusions."""

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pcsos.clusterers import ConnectedKMeans


@parametrize_with_checks([ConnectedKMeans(time_limit=0)])
def test_scikit_learn_accepts_the_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks([ConnectedKMeans(n_clusters=3)])
def test_scikit_learn_accepts_the_estimator_with_a_bound(estimator: Any, check: Any) -> None:
    check(estimator)
