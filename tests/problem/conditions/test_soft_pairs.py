"""Penalties: numbers, distances and confidences, against their formulas; the spread that they are weighed against."""

import math

import numpy as np
import pandas as pd
import pytest

from pcsos import SoftPairs, Status, solve
from pcsos.base.exceptions import InputError
from pcsos.problem.conditions.spread import largest_square, variance_within
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from tests import oracle
from tests.slow import first_few

POINTS = np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0], [6.0, 0.0], [7.0, 1.0], [6.0, 3.0]])


def test_rows_of_two_have_the_penalty_for_all() -> None:
    soft = Instance(
        POINTS, 2, conditions=[SoftPairs(must_link=[(3, 0), (1, 2, 5.0)], cannot_link=[(0, 3)], penalty=2.0)]
    ).soft
    assert soft.pairs.tolist() == [[0, 3], [1, 2]]
    assert (soft.apart.tolist(), soft.together.tolist()) == ([2.0, 5.0], [2.0, 0.0])
    assert soft.num_links == 3


def test_by_distance_a_must_link_costs_its_square_and_a_cannot_link_the_rest_of_the_largest() -> None:
    instance = Instance(
        POINTS,
        2,
        conditions=[SoftPairs(must_link=[(0, 3), (0, 1, 0.5)], cannot_link=[(1, 2), (0, 5, 3.0)], penalty="distance")],
    )
    assert instance.soft.pairs.tolist() == [[0, 1], [0, 3], [0, 5], [1, 2]]
    assert instance.soft.apart.tolist() == [0.5, 36.0, 0.0, 0.0]
    assert instance.soft.together.tolist() == [0.0, 0.0, 3.0 * (50.0 - 45.0), 50.0 - 5.0]


def test_the_farthest_points_may_be_together_for_nothing() -> None:
    instance = Instance([0.0, 1.0, 5.0], 2, conditions=[SoftPairs(cannot_link=[(0, 2), (0, 1)], penalty="distance")])
    assert instance.asked.to_dict() == {"soft": [[0, 1, 0.0, 24.0]]}


def test_confidences_are_log_odds_in_units_of_the_variance() -> None:
    instance = Instance(
        POINTS, 2, conditions=[SoftPairs(must_link=[(0, 1, 0.9)], cannot_link=[(0, 3, 0.75)], penalty="confidence")]
    )
    unit = 2.0 * variance_within(POINTS, np.ones(6), 2)
    assert instance.soft.apart[0] == pytest.approx(unit * math.log(9.0), rel=1e-14)
    assert instance.soft.together[1] == pytest.approx(unit * math.log(3.0), rel=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_costs_with_confidences_are_likelihoods(seed: int) -> None:
    """Twice the variance times the negative log likelihood of points and statements, but for a constant."""
    rng = np.random.default_rng(seed)
    points, k = rng.normal(size=(7, 2)), 2
    rows = [(i, j, float(rng.uniform(0.5, 1.0))) for i, j in ((0, 1), (2, 5), (1, 6), (3, 4))]
    instance = Instance(
        points, k, conditions=[SoftPairs(must_link=rows[:2], cannot_link=rows[2:], penalty="confidence")]
    )
    variance = variance_within(points, np.ones(7), k)
    differences = []
    for labels in oracle.all_partitions(7, k):
        centres = np.array([points[labels == c].mean(axis=0) for c in range(k)])
        squares = ((points - centres[labels]) ** 2).sum(axis=1)
        likelihood = -(squares / (2.0 * variance) + math.log(2.0 * math.pi * variance)).sum()
        for number, (i, j, p) in enumerate(rows):
            says_together = number < 2
            likelihood += math.log(p if (labels[i] == labels[j]) == says_together else 1.0 - p)
        differences.append(Partition.of(instance, labels).objective + 2.0 * variance * likelihood)
    np.testing.assert_allclose(differences, differences[0], rtol=1e-10)


def test_even_odds_say_nothing_and_certainty_is_hard() -> None:
    rows = [(0, 1, 0.5), (2, 3, 1.0)]
    instance = Instance(
        POINTS, 2, conditions=[SoftPairs(must_link=rows, cannot_link=[(4, 5, 1)], penalty="confidence")]
    )
    assert len(instance.soft) == 0
    assert (instance.must_link.tolist(), instance.cannot_link.tolist()) == ([[2, 3]], [[4, 5]])
    assert Instance(
        POINTS, 2, conditions=[SoftPairs(must_link=[(0, 1, math.inf)], penalty="distance")]
    ).must_link.tolist() == [[0, 1]]


def test_rows_may_be_arrays_and_tables_and_name_rows_by_labels() -> None:
    table = pd.DataFrame(POINTS, index=list("abcdef"))
    pairs = pd.DataFrame({"i": ["a", "b"], "j": ["d", "e"], "w": [1.0, 2.0]})
    assert Instance(table, 2, conditions=[SoftPairs(must_link=pairs)]).asked.to_dict() == {
        "soft": [[0, 3, 1.0, 0.0], [1, 4, 2.0, 0.0]]
    }
    assert Instance(POINTS, 2, conditions=[SoftPairs(must_link=np.array([[0, 3, 1.5]]))]).asked.to_dict() == {
        "soft": [[0, 3, 1.5, 0.0]]
    }
    assert Instance(POINTS, 2, conditions=[SoftPairs(must_link=None, cannot_link=np.empty((0, 2)))]).is_plain


@pytest.mark.parametrize(
    ("rows", "penalty", "sentence"),
    [
        (
            [(0, 1)],
            None,
            r"link\[0\] has no penalty; give it behind the two points, or one for all as penalty",
        ),
        ([(0, 1, 1.0), (0, 2, -1.0)], None, r"soft_must_link\[1\] has the penalty -1.0; give a number of at least 0"),
        ([(0, 1, math.nan)], None, r"soft_must_link\[0\] has the penalty nan"),
        ([(0, 1, "much")], None, r"soft_must_link\[0\] has the penalty 'much'"),
        ([(0, 1, True)], None, r"soft_must_link\[0\] has the penalty True"),
        ([(0, 6, 1.0)], None, r"soft_must_link\[0\] is \(0, 6\), but point indices go from 0 to 5"),
        ([(2, 2, 1.0)], None, r"soft_must_link\[0\] links point 2 to itself"),
        ([(0, 1, 2, 3)], None, r"soft_must_link\[0\] is \(0, 1, 2, 3\); give"),
        ("pairs", None, "soft_must_link is of type str"),
        ([], -1.0, "penalty is -1.0; give a number of at least 0, 'distance' or 'confidence'"),
        ([], math.nan, "penalty is nan"),
        ([], "far", "penalty is 'far'"),
        ([], True, "penalty is True"),
        ([(0, 1, -2.0)], "distance", r"soft_must_link\[0\] has the penalty -2.0"),
        ([(0, 1)], "confidence", r"soft_must_link\[0\] has no confidence; give it behind the two points$"),
        (
            [(0, 1, 0.3)],
            "confidence",
            "likely right than wrong; give a pair of the other kind with confidence 0.7",
        ),
        ([(0, 1, 1.5)], "confidence", r"has the confidence 1.5; give a number from 0.5 to 1"),
        ([(0, 1, math.nan)], "confidence", "has the confidence nan"),
        ([(0, 1, 1e300)], "distance", "add up to .*; give smaller ones"),
        ([(0, 3, 1.7e308)], "distance", "the penalty of points 0 and 3 is too large"),
        ([(0, 1, 1e308), (0, 2, 1e308)], None, "add up to inf, too much to be exact"),
    ],
)
def test_what_is_no_penalty_is_refused_in_one_sentence(rows: object, penalty: object, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Instance(POINTS, 2, conditions=[SoftPairs(must_link=rows, penalty=penalty)])


def test_confidences_need_a_variance() -> None:
    with pytest.raises(InputError, match="no variance within the clusters to weigh pairs against"):
        Instance(POINTS, 6, conditions=[SoftPairs(must_link=[(0, 1, 0.9)], penalty="confidence")])


def test_what_labels_break_is_listed_by_cost() -> None:
    soft = Instance(
        POINTS,
        2,
        conditions=[
            SoftPairs(must_link=[(0, 3, 2.0), (1, 2, 9.0), (2, 5, 4.0)], cannot_link=[(0, 1, 4.0), (0, 3, 7.0)])
        ],
    ).soft
    labels = np.array([0, 0, 0, 1, 1, 1])
    broken = [(0, 1, "cannot_link", 4.0), (2, 5, "must_link", 4.0), (0, 3, "must_link", 2.0)]
    assert [tuple(pair) for pair in soft.broken(labels)] == broken
    assert math.fsum(pair.penalty for pair in soft.broken(labels)) == soft.cost(labels) == 10.0


def test_the_cost_by_distance_is_that_of_pckm() -> None:
    pytest.importorskip("sklearn")
    from pcsos.clusterers import PCKMeans

    rng = np.random.default_rng(3)
    points = rng.normal(size=(20, 3))
    rows = [rng.choice(20, 2, replace=False).tolist() for _ in range(12)]
    must, cannot, trust = rows[:6], rows[6:], rng.uniform(0.1, 2.0, 6)
    found = PCKMeans(3, violation_cost="distance", separation="diameter", random_state=0)
    found.fit(points, must_link=must, cannot_link=cannot, must_link_weight=trust)
    soft = [(*pair, weight) for pair, weight in zip(must, trust.tolist(), strict=True)]
    instance = Instance(points, 3, conditions=[SoftPairs(must_link=soft, cannot_link=cannot, penalty="distance")])
    partition = Partition.of(instance, found.labels_)
    assert partition.objective == pytest.approx(found.objective_, rel=1e-10)
    assert len(instance.soft.broken(partition.labels)) == found.violations_


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("penalty", ["distance", "confidence"])
def test_solve_finds_the_least_cost_with_penalties_of_every_kind(penalty: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(7, 2))
    rows = [(*rng.choice(7, 2, replace=False).tolist(), float(rng.uniform(0.5, 0.99))) for _ in range(5)]
    instance = Instance(points, 3, conditions=[SoftPairs(must_link=rows[:3], cannot_link=rows[3:], penalty=penalty)])
    best = min(Partition.of(instance, labels).objective for labels in oracle.all_partitions(7, 3))
    result = solve(instance, workers=1)
    assert result.status is Status.OPTIMAL
    assert result.objective == pytest.approx(best, rel=1e-9)
    assert result.lower_bound <= best * (1.0 + 1e-12)


def test_a_penalty_without_soft_pairs_is_refused_and_an_empty_list_of_them_is_not() -> None:
    for penalty in (2.0, "distance", "confidence"):
        with pytest.raises(InputError, match=r"^penalty is .*, but there are no soft pairs; give must_link or"):
            SoftPairs(penalty=penalty)
        assert len(Instance(POINTS, 2, conditions=[SoftPairs(must_link=[], penalty=penalty)]).soft) == 0
        assert len(Instance(POINTS, 2, conditions=[SoftPairs(cannot_link=np.empty((0, 3)), penalty=penalty)]).soft) == 0


@pytest.mark.parametrize("title", ["confidence", " Probability ", "PROB"])
def test_a_column_of_confidences_is_not_taken_for_penalties(title: str) -> None:
    table = pd.DataFrame({"i": [0], "j": [3], title: [0.9]})
    for penalty in (None, 1.0, "distance"):
        with pytest.raises(
            InputError, match=r"^soft_cannot_link has the column .*; say penalty='confidence', or call it"
        ):
            Instance(POINTS, 2, conditions=[SoftPairs(cannot_link=table, penalty=penalty)])
    assert len(Instance(POINTS, 2, conditions=[SoftPairs(cannot_link=table, penalty="confidence")]).soft) == 1
    assert (
        Instance(POINTS, 2, conditions=[SoftPairs(cannot_link=table.set_axis(["i", "j", "w"], axis=1))]).soft.total
        == 0.9
    )


@pytest.mark.parametrize("seed", first_few(10, range(30)))
def test_the_largest_distance_is_that_of_all_pairs(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(rng.integers(1, 40), rng.integers(1, 5))) * rng.choice([1.0, 1e-6, 1e6])
    points = points[rng.integers(0, len(points), 40)] if seed % 3 == 0 else points
    squares = ((points[:, None] - points) ** 2).sum(axis=2)
    assert largest_square(points) == pytest.approx(squares.max(), rel=1e-14)


def test_points_on_a_circle_are_all_looked_at() -> None:
    angles = 2.0 * np.pi * np.arange(31) / 31
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    assert largest_square(points) == pytest.approx(4.0 * np.cos(np.pi / 62) ** 2, rel=1e-14)


def test_the_variance_of_blobs_is_theirs() -> None:
    rng = np.random.default_rng(0)
    points = 3.0 * rng.normal(size=(3000, 4)) + 200.0 * np.repeat(np.eye(4)[:3], 1000, axis=0)
    assert variance_within(points, np.ones(3000), 3) == pytest.approx(9.0, rel=0.03)


@pytest.mark.parametrize("seed", range(10))
def test_the_variance_is_at_least_that_of_the_best_partition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, weights = rng.normal(size=(8, 2)), rng.uniform(0.5, 2.0, 8)
    best = oracle.enumerate_feasible(Instance(points, 3, weights=weights)).optimum / weights.sum() / 2.0
    found = variance_within(points, weights, 3)
    assert best * (1.0 - 1e-12) <= found <= 2.0 * best


def test_weights_are_copies_and_constant_features_do_not_count() -> None:
    points = np.random.default_rng(1).normal(size=(12, 2))
    weights = np.repeat([1.0, 2.0], 6)
    copies = np.vstack([points, points[6:]])
    wide = np.column_stack([points, np.full(12, 7.0)])
    assert variance_within(wide, weights, 1) == pytest.approx(variance_within(copies, np.ones(18), 1))


def test_there_is_no_variance_where_every_point_has_a_centre() -> None:
    assert variance_within(np.array([[0.0], [1.0], [1.0], [5.0]]), np.ones(4), 3) == 0.0
    assert variance_within(np.zeros((4, 2)), np.ones(4), 2) == 0.0
