"""Certify with limits of clusters and soft pairs: what is asked of labels, what they cost, and that bounds hold."""

import math
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.control.stop import NEVER
from pcsos.base.events import NodeClosed
from pcsos.base.exceptions import InputError
from pcsos.problem.params import Params, PriceParams
from pcsos.problem.partition import Partition, violation
from pcsos.search.role import Context
from pcsos.search.task import Found
from pcsos.verify import verify
from tests import oracle
from tests.slow import first_few

BLOBS = 6.0 * np.random.default_rng(0).normal(size=(3, 4))[np.arange(60) % 3]
POINTS = BLOBS + np.random.default_rng(1).normal(size=(60, 4))
LABELS = np.arange(60) % 3


def random_case(seed: int) -> tuple[pcsos.Instance, np.ndarray, float]:
    """An instance with limits and soft pairs, labels that satisfy its limits, and the least cost of all partitions."""
    rng = np.random.default_rng(seed)
    n, k = 8, int(rng.integers(2, 4))
    rows = [(*rng.choice(n, 2, replace=False).tolist(), float(rng.uniform(0.0, 3.0))) for _ in range(4)]
    sizes = [2, 6] if k == 2 else [2, 3, 3]
    limit = [
        pcsos.Sizes(2),
        pcsos.Sizes(at_most=4),
        pcsos.Sizes(exactly=sizes),
        pcsos.Weights(at_most=6.0),
        pcsos.Sizes(),
    ]
    points, weights = rng.normal(size=(n, 2)), rng.uniform(0.5, 1.5, n)
    instance = pcsos.Instance(
        points, k, weights=weights, conditions=[limit[seed % 5], pcsos.SoftPairs(rows[:2], rows[2:])]
    )
    truth = oracle.enumerate_feasible(instance)
    allowed = [row for row in truth.labels if violation(instance, row) is None]
    best = min(Partition.of(instance, row).objective for row in allowed)
    return instance, allowed[int(rng.integers(len(allowed)))], best


@pytest.mark.parametrize("seed", first_few(5, range(15)))
def test_bounds_hold_and_better_partitions_keep_to_limits_and_pay_penalties(seed: int) -> None:
    instance, labels, best = random_case(seed)
    result = pcsos.certify(instance, labels, workers=1)
    assert result.lower_bound <= best * (1.0 + 1e-12)
    assert result.objective == Partition.of(instance, labels).objective >= best * (1.0 - 1e-12)
    if result.better is not None:
        assert violation(instance, result.better.labels) is None
        assert best * (1.0 - 1e-12) <= result.better.objective < result.objective


def test_labels_that_miss_a_limit_are_refused() -> None:
    wrong = LABELS.copy()
    wrong[0] = 1
    with pytest.raises(InputError, match="cluster 1 has 21 points, more than size_max = 20"):
        pcsos.certify(POINTS, wrong, size_max=20)


def test_sizes_that_the_best_labels_have_cost_nothing(tmp_path: Path) -> None:
    result = pcsos.certify(
        POINTS, LABELS, workers=1, run_file=tmp_path / "a.run", conditions=[pcsos.Sizes(exactly=[20, 20, 20])]
    )
    assert result.status is pcsos.Status.OPTIMAL
    conditions = pcsos.Instance(POINTS, 3, conditions=[pcsos.Sizes(exactly=[20, 20, 20])]).asked.to_dict()
    assert verify(tmp_path / "a.run", POINTS, conditions=conditions).gap <= 1e-3


def test_penalties_are_counted_on_the_whole(tmp_path: Path) -> None:
    soft = pcsos.SoftPairs([(0, 1, 5.0)], [(0, 3, 10.0)])
    result = pcsos.certify(POINTS, LABELS, workers=1, run_file=tmp_path / "a.run", conditions=[soft])
    assert (result.status, result.n_blocks) == (pcsos.Status.OPTIMAL, 1)
    assert verify(tmp_path / "a.run").gap <= 1e-3


def test_nothing_is_branched_on_under_limits() -> None:
    wrong = LABELS.copy()
    wrong[:5] = (LABELS[:5] + 1) % 3
    sizes = pcsos.Sizes(exactly=np.bincount(wrong).tolist())
    branchings: list[str] = []

    def note(event: object) -> None:
        if isinstance(event, NodeClosed):
            branchings.append(event.how)

    options = pcsos.Options(on_event=note, params=Params(prices=PriceParams(features_up_to=0)))
    result = pcsos.certify(POINTS, wrong, workers=1, conditions=[sizes], options=options)
    assert branchings == ["branching"], "the root is the only node"
    assert result.reason is pcsos.Reason.STALLED


def test_blocks_alone_leave_penalties_out_and_the_message_says_so(tmp_path: Path) -> None:
    soft, options = pcsos.SoftPairs([(0, 1, 5.0)], [(0, 3, 10.0)]), pcsos.Options(block_size=30)
    result = pcsos.certify(
        POINTS, LABELS, workers=1, run_file=tmp_path / "a.run", conditions=[soft], gap=5e-2, options=options
    )
    plain = pcsos.certify(POINTS, LABELS, workers=1, gap=5e-2, options=options)
    assert result.objective == pytest.approx(plain.objective + 15.0, rel=1e-12)
    assert [pair.kind for pair in result.violated] == ["cannot_link", "must_link"]
    assert result.lower_bound == pytest.approx(plain.lower_bound, rel=1e-3)
    assert "pcsos.solve branches" in result.message
    assert verify(tmp_path / "a.run").objective == pytest.approx(result.objective)
    assert pcsos.resume(tmp_path / "a.run", workers=1).gap == pytest.approx(result.gap, rel=1e-6)


def test_a_better_partition_without_the_limits_is_none_with_them() -> None:
    wrong = LABELS.copy()
    wrong[[0, 3]] = 1
    free = pcsos.certify(POINTS, wrong, workers=1)
    kept = pcsos.certify(POINTS, wrong, workers=1, conditions=[pcsos.Sizes(exactly=[18, 20, 22])])
    assert free.better is not None
    assert sorted(np.bincount(free.better.labels)) == [20, 20, 20]
    assert kept.better is None or sorted(np.bincount(kept.better.labels)) == [18, 20, 22]


def test_what_is_offered_is_judged_with_penalties() -> None:
    instance = pcsos.Instance(POINTS, 3, size_min=19, conditions=[pcsos.SoftPairs(must_link=[(0, 1, 1e4)])])
    given = LABELS.copy()
    given[0] = 1
    own = Context.of(instance, pcsos.Options(), NEVER).primal
    own.offer(Found(given, math.inf, "G"))
    own.offer(Found(LABELS, math.inf, "L"))  # less squares, but it breaks the pair
    assert own.partition.labels.tolist() == Partition.of(instance, given).labels.tolist()
    assert math.isfinite(own.objective)
    together = LABELS.copy()
    together[[0, 3, 6]] = 1  # 17 points are left
    own._incumbent.objective = math.inf
    own.offer(Found(together, math.inf, "L"))
    assert math.isinf(own.objective)


def test_an_instance_has_its_conditions() -> None:
    instance = pcsos.Instance(POINTS, 3, size_min=20)
    assert pcsos.certify(instance, LABELS, workers=1).status is pcsos.Status.OPTIMAL
    with pytest.raises(InputError, match="size_min is given beside an Instance"):
        pcsos.certify(instance, LABELS, size_min=2)
