"""What scikit-learn asks of every estimator; MCSSDBS, which says that it needs seeds, cannot do without."""

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from pcsos.clusterers import (
    MCSSDBS,
    MCSSGC,
    SSGC,
    ConnectedKMeans,
    KMeans,
    MPCKMeans,
    PCKMeans,
    PCSKMeans,
    SparseKMeans,
)


def expected_failures(estimator: Any) -> dict[str, str]:
    return {"check_clustering": "it gives no seeds"} if isinstance(estimator, MCSSDBS) else {}


QUICK = [SSGC(), MPCKMeans()]
OTHERS = [MCSSGC(), MCSSDBS(), ConnectedKMeans(n_clusters=3), KMeans(), PCKMeans(), PCSKMeans(), SparseKMeans()]


@parametrize_with_checks(QUICK)
def test_scikit_learn_accepts_the_estimator(estimator: Any, check: Any) -> None:
    check(estimator)


@pytest.mark.slow
@parametrize_with_checks(OTHERS, expected_failed_checks=expected_failures)
def test_scikit_learn_accepts_the_other_estimators(estimator: Any, check: Any) -> None:
    check(estimator)
