"""Fronts: the truth of small instances, known fronts, what is kept when a front is ended, and bad input."""

import math
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

import pcsos
from pcsos.analysis.choice.corners import Corner, Front
from pcsos.analysis.choice.solve_front import _add, diameter, split
from pcsos.base.events import Event, RunStarted
from pcsos.base.exceptions import InputError
from pcsos.evidence.result import Reason, Result, Status
from pcsos.io import read_points
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition, violation
from tests import oracle
from tests.asked import asked
from tests.conditioned import random_conditioned
from tests.heuristics.problems import tolerance
from tests.pages import ROOT
from tests.slow import first_few, shares

#: Share by which values may differ and be the same.
SAME = 2e-9
SIGN = {"diameter": 1.0, "split": -1.0}


def values_of(points: NDArray[np.float64], labels: NDArray[np.intp], criterion: str) -> NDArray[np.float64]:
    """The diameter of each row of labels, or minus its split, so that less is better; from the definition."""
    distances = np.sqrt(((points[:, None] - points) ** 2).sum(axis=2))
    together = labels[:, :, None] == labels[:, None, :]
    if criterion == "diameter":
        return np.where(together, distances, 0.0).max(axis=(1, 2))
    return -np.where(together, math.inf, distances).min(axis=(1, 2))


@pytest.mark.parametrize("criterion", ["diameter", "split"])
@pytest.mark.parametrize("seeds", shares(24, 120))
def test_no_partition_beats_what_is_claimed(criterion: str, seeds: range) -> None:
    """Ties, duplicates, weights of all sizes, contradictions: whatever the instance, the claims are true."""
    looked_at = empty = 0
    for seed in seeds:
        instance = oracle.random_instance(np.random.default_rng(seed), max_points=7)
        truth = oracle.enumerate_feasible(instance)
        front = pcsos.front(instance, criterion=criterion, workers=1)
        if not truth.feasible:
            empty += 1
            assert (front.corners, front.is_complete) == ((), True)
            assert front.message
            continue
        assert front.is_complete
        values = values_of(instance.points, truth.labels, criterion)
        before = math.inf
        for corner in front.corners:
            own = SIGN[criterion] * corner.value
            assert corner.lower_bound is not None
            range_of = values < before - SAME * abs(before) if math.isfinite(before) else np.ones(len(values), bool)
            assert (truth.costs[range_of] >= corner.lower_bound - tolerance(instance)).all()
            assert Partition.of(instance, corner.result.labels).objective == corner.objective
            assert own == pytest.approx(float(values_of(instance.points, corner.result.labels[None], criterion)[0]))
            looked_at += int(range_of.sum())
            before = own
        assert not (values < before - SAME * abs(before)).any() or math.isinf(before)
        for one, other in pairwise(front.corners):
            assert one.objective < other.objective
    assert looked_at > 20 * len(seeds)
    assert empty > 0.083 * len(seeds)


@pytest.mark.parametrize("criterion", first_few(1, ["split", "diameter"]))
@pytest.mark.parametrize("seeds", shares(8, 40))
def test_fronts_under_limits_and_soft_pairs_are_the_truth(criterion: str, seeds: range) -> None:
    corners = paying = 0
    for seed in seeds:
        known = random_conditioned(seed)
        instance = known.instance
        front = pcsos.front(instance, criterion=criterion, gap=1e-7, workers=1)
        assert front.is_certified or not known.feasible
        if not known.feasible:
            assert (front.corners, front.is_complete) == ((), True)
            continue
        labels = np.array([own for own, _ in known.feasible])
        costs = np.array([float(cost) for _, cost in known.feasible])
        values = values_of(instance.points, labels, criterion)
        before = math.inf
        for corner in front.corners:
            own = SIGN[criterion] * corner.value
            in_range = values < before - SAME * abs(before) if math.isfinite(before) else np.ones(len(values), bool)
            assert violation(instance, corner.result.labels) is None
            assert costs[in_range].min() >= corner.lower_bound - tolerance(instance)
            assert corner.objective == pytest.approx(float(costs[in_range].min()), rel=1e-6, abs=1e-9)
            paying += corner.result.penalty > 0.0
            before = own
        assert not (values < before - SAME * abs(before)).any() or math.isinf(before)
        corners += len(front)
    assert corners > 0.75 * len(seeds)
    assert paying > 0.25 * len(seeds)


@pytest.mark.slow
def test_the_front_of_iris() -> None:
    """Ten corners, as Guns, Dao, Vrain and Duong (2016) found."""
    points = read_points(ROOT / "instances" / "points" / "iris.csv")
    front = pcsos.front(points, 3, "split", workers=1)
    assert front.is_certified
    assert len(front) == 10
    assert front.corners[0].objective == pytest.approx(78.85144, abs=1e-4)
    assert front.corners[-1].objective == pytest.approx(142.47937, abs=1e-4)
    assert front.corners[-1].value == pytest.approx(0.818535, abs=1e-6)


def test_a_corner_that_is_no_more_expensive_takes_the_place_of_the_one_before() -> None:
    def corner(value: float, objective: float, lower_bound: float | None) -> Corner:
        instance = Instance([0.0, 1.0, 5.0], 2)
        partition = Partition(np.array([0, 0, 1]), objective)
        result = Result(instance, Status.OPTIMAL, Reason.GAP_REACHED, partition, seconds=0.0, seed=0)
        return Corner(value, result, lower_bound)

    corners = [corner(5.0, 10.0, 9.0)]
    _add(corners, corner(4.0, 12.0, 8.0))
    assert [(one.value, one.lower_bound) for one in corners] == [(5.0, 9.0), (4.0, 9.0)]
    _add(corners, corner(3.0, 11.0, 10.5))
    assert [(one.value, one.objective, one.lower_bound) for one in corners] == [(5.0, 10.0, 9.0), (3.0, 11.0, 9.0)]
    _add(corners, corner(2.0, 10.0, 10.0))
    assert [(one.value, one.objective, one.lower_bound) for one in corners] == [(2.0, 10.0, 9.0)]


def test_diameter_and_split_are_those_of_all_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    points, labels = rng.normal(size=(40, 3)), rng.integers(0, 3, 40)
    whole = diameter(points, labels), split(points, labels)
    for block in (1, 100):
        monkeypatch.setattr("pcsos.problem.geometry.BLOCK_ENTRIES", block)
        assert (diameter(points, labels), split(points, labels)) == whole
    assert whole[0] == pytest.approx(values_of(points, labels[None], "diameter")[0])
    assert whole[1] == pytest.approx(-values_of(points, labels[None], "split")[0])


def test_fronts_of_one_corner() -> None:
    points = [0.0, 1.0, 5.0]
    assert [corner.value for corner in pcsos.front(points, 1, "split").corners] == [math.inf]
    assert [corner.value for corner in pcsos.front(points, 3, "diameter").corners] == [0.0]
    twice = pcsos.front([[0.0, 1.0], [0.0, 1.0], [4.0, 2.0]], 3, "split")
    assert [corner.value for corner in twice.corners] == [0.0]
    assert twice.is_certified


@pytest.mark.slow
def test_what_is_done_is_kept_when_a_front_is_ended() -> None:
    started = 0

    def count(event: Event) -> None:
        nonlocal started
        started += isinstance(event, RunStarted)

    points = np.random.default_rng(0).normal(size=(40, 2))
    front = pcsos.front(
        points, 3, "split", workers=1, options=pcsos.Options(on_event=count, should_stop=lambda: started == 3)
    )
    whole = pcsos.front(points, 3, "split", workers=1)
    assert (front.reason, front.is_complete, len(front)) == (Reason.INTERRUPTED, False, 3)
    assert [corner.value for corner in front.corners[:2]] == [corner.value for corner in whole.corners[:2]]
    assert whole.is_certified
    assert len(whole) > 3
    late = pcsos.front(points, 3, "split", workers=1, time_limit=0.0)
    assert late.reason is Reason.TIME_LIMIT
    assert str(late).endswith("the search ended with TIME_LIMIT")


def test_bad_input_is_refused() -> None:
    with pytest.raises(InputError, match="criterion is 'silhouette'; give 'diameter' or 'split'"):
        pcsos.front([0.0, 1.0], 2, "silhouette")
    with pytest.raises(InputError, match="n_clusters is 3 for 2 points"):
        pcsos.front([0.0, 1.0], 3)
    with pytest.raises(InputError, match="paths and fronts are about points, not about a Gram matrix"):
        pcsos.front(pcsos.Kernel([0.0, 1.0], "linear"), 2)
    contradicted = pcsos.front([0.0, 1.0, 5.0], 2, must_link=[(0, 1)], cannot_link=[(0, 1)])
    assert contradicted.corners == ()
    assert "points 0 and 1 cannot be linked" in str(contradicted)


def test_a_front_as_table_json_and_picture() -> None:
    pytest.importorskip("pandas")
    pytest.importorskip("matplotlib").use("Agg")
    front = pcsos.front(np.random.default_rng(5).normal(size=(20, 2)), 3, "split", workers=1)
    frame = front.to_frame()
    assert frame.columns.tolist() == ["split", "objective", "lower_bound", "gap", "status", "seconds"]
    assert frame["split"].is_monotonic_increasing
    values = front.to_dict()
    assert (values["criterion"], len(values["corners"])) == ("split", len(front))
    assert values["corners"][0]["labels"] == front.corners[0].result.labels.tolist()
    axes = front.plot()
    assert sorted(axes.containers[0].lines[0].get_xdata().tolist()) == frame["split"].tolist()
    assert isinstance(front, Front)
    assert len(str(front).splitlines()) == len(front) + 2


def test_all_conditions_of_an_instance_are_taken_by_name() -> None:
    points = [0.0, 3.0, 4.0, 8.0, 9.0, 11.0]
    given = asked(max_diameter=6.0, min_split=1.5, size_max=4, weights=[1.0, 2.0, 1.0, 1.0, 1.0, 3.0])
    front = pcsos.front(points, 2, "split", **given, workers=1)
    whole = pcsos.front(pcsos.Instance(points, 2, **given), None, "split", workers=1)
    assert len(front) > 0
    assert [one.result.labels.tolist() for one in front.corners] == [
        one.result.labels.tolist() for one in whole.corners
    ]
    assert all(
        len(set(labels)) == 2 and max(labels.count(0), labels.count(1)) <= 4
        for labels in (one.result.labels.tolist() for one in front.corners)
    )
