"""What scikit-learn asks of every estimator, without exclusions."""

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pcsos.estimators import CertifiedKMeans, MemeticKMeans


@pytest.mark.filterwarnings("ignore:there are only")
@parametrize_with_checks([MemeticKMeans()])
def test_scikit_learn_accepts_the_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:there are only")
@parametrize_with_checks([CertifiedKMeans(workers=1)])
def test_scikit_learn_accepts_the_estimator_that_proves(estimator: Any, check: Any) -> None:
    check(estimator)
