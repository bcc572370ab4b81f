"""Groups that are put together at once, and cores that are kept apart, against all partitions."""

import itertools

import numpy as np
import pytest

from pcsos import Instance, Partition
from pcsos.analysis.certainty.certain_pairs import certain_pairs
from pcsos.analysis.certainty.deciding import Deciding
from pcsos.base.typing import Floats, Indices
from tests import oracle
from tests.slow import first_few


@pytest.mark.parametrize("seed", first_few(6, range(30)))
def test_nothing_is_said_that_a_partition_within_epsilon_contradicts(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng([seed, 29])
    k, spread = int(rng.integers(2, 4)), rng.uniform(1.0, 8.0)
    points = spread * rng.normal(size=(k, 2))[rng.integers(0, k, 10)] + rng.normal(size=(10, 2))
    cannot = [(0, 1)] if seed % 3 == 0 else []
    instance = Instance(points, k, [], cannot, rng.choice([1.0, 2.0, 0.25], 10))
    truth = oracle.enumerate_feasible(instance)
    groups: list[tuple[int, bool]] = []
    single = Deciding.put_group_together

    def watched(deciding: Deciding, core: int, others: Indices) -> Floats | None:
        departed = single(deciding, core, others)
        groups.append((others.size, departed is None))
        return departed

    monkeypatch.setattr(Deciding, "put_group_together", watched)
    for epsilon in (0.0, 0.1, 1.0):
        certain = certain_pairs(instance, Partition.of(instance, truth.best_labels), epsilon)
        near = truth.labels[truth.costs <= truth.optimum * (1.0 + epsilon)]
        for i, j in itertools.combinations(range(10), 2):
            together = near[:, i] == near[:, j]
            same = {bool(together[0])} if together.all() or not together.any() else set()
            assert certain.relation(i, j) in {None, *same}
    assert all(size > 1 for size, _ in groups)


def test_clear_groups_take_a_few_bounds_each(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    points = 8.0 * np.eye(3)[np.arange(48) % 3] + rng.normal(size=(48, 3))
    instance = Instance(points, 3)
    bounds: list[int] = []
    for name in ("decide", "put_group_together"):
        single = getattr(Deciding, name)

        def watched(deciding: Deciding, *own: object, single=single, **how: bool) -> object:  # type: ignore[no-untyped-def]
            bounds.append(deciding.problem.size)
            return single(deciding, *own, **how)

        monkeypatch.setattr(Deciding, name, watched)
    assert certain_pairs(instance, Partition.of(instance, np.arange(48) % 3), 0.05).is_unique
    assert 3 <= len(bounds) <= 3 * 5
