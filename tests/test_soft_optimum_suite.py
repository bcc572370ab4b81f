"""The suite of soft pairs beside PCKM: pairs that it makes hard are kept by every best partition."""

import numpy as np
import pytest

from benchmarks.suites import soft_optimum
from pcsos.instance import Instance
from pcsos.partition import Partition
from tests import oracle


@pytest.mark.parametrize("seed", range(4))
def test_hard_pairs_are_those_of_every_best_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(7, 2))
    rows = [(*rng.choice(7, 2, replace=False).tolist(), float(rng.uniform(0.0, 9.0))) for _ in range(6)]
    instance = Instance(points, 3, soft_must_link=rows[:3], soft_cannot_link=rows[3:])
    partitions = [Partition.of(instance, labels) for labels in oracle.all_partitions(7, 3)]
    best = min(partitions, key=lambda partition: partition.objective)
    is_hard = soft_optimum.certain_pairs(instance, best.objective, {"workers": 1})
    hardened = soft_optimum.hardened(instance, is_hard)
    kept = [own for own in partitions if hardened.constraints.violation(own.labels) is None]
    assert min(Partition.of(hardened, own.labels).objective for own in kept) == pytest.approx(best.objective)
    assert len(hardened.must_link) + len(hardened.cannot_link) == is_hard.sum() > 0


def test_draws_are_the_same_again_and_say_mostly_what_classes_say() -> None:
    classes = np.repeat([0, 1, 2], 50)
    must, cannot = soft_optimum.drawn_pairs(classes, 1)
    assert len(must) + len(cannot) == soft_optimum.N_PAIRS
    right = (classes[must[:, 0]] == classes[must[:, 1]]).sum() + (classes[cannot[:, 0]] != classes[cannot[:, 1]]).sum()
    assert 22 <= right < 30
    np.testing.assert_array_equal(soft_optimum.drawn_pairs(classes, 1)[0], must)


def test_the_report_has_a_line_a_case() -> None:
    row = dict.fromkeys(soft_optimum.COLUMNS, 0.5) | {"name": "iris/0", "outcome": "done"}
    text = soft_optimum.report([row, {"name": "wine/0", "outcome": "failed"}], None)
    assert "iris/0" in text
    assert "failed or killed: 1" in text
