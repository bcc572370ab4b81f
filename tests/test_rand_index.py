"""The adjusted Rand index against scikit-learn's."""

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score

from pcsos.base.rand_index import adjusted_rand_index
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_agrees_with_scikit_learn(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 40))
    first, second = (rng.integers(rng.integers(1, 8), size=n) for _ in range(2))
    assert adjusted_rand_index(first, second) == pytest.approx(adjusted_rand_score(first, second), abs=1e-12)
    assert adjusted_rand_index(first, [f"cluster {label}" for label in first]) == 1.0


@pytest.mark.parametrize("labels", [[0], [0, 0, 0], [0, 1, 2]])
def test_is_1_where_there_is_nothing_to_disagree_about(labels: list[int]) -> None:
    assert adjusted_rand_index(labels, labels) == 1.0


def test_counts_do_not_overflow() -> None:
    halves = np.repeat([0, 1], 150_000)
    assert adjusted_rand_index(halves, 1 - halves) == 1.0
    assert adjusted_rand_index(halves, np.tile([0, 1], 150_000)) == pytest.approx(0.0, abs=1e-5)
