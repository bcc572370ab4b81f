"""What scikit-learn asks of every estimator; MCSSDBS, which says that it needs seeds, cannot do without."""

from typing import Any

from sklearn.utils.estimator_checks import parametrize_with_checks

from pcsos.clusterers import MCSSDBS, MCSSGC, SSGC


def expected_failures(estimator: Any) -> dict[str, str]:
    return {"check_clustering": "it gives no seeds"} if isinstance(estimator, MCSSDBS) else {}


@parametrize_with_checks([SSGC(), MCSSGC(), MCSSDBS()], expected_failed_checks=expected_failures)
def test_scikit_learn_accepts_the_estimator(estimator: Any, check: Any) -> None:
    check(estimator)
