"""Loads: what users may hand over, what is refused, and what limits of them come to."""

import json
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pcsos import InputError, Instance, Loads, solve
from pcsos.problem.conditions.conditions import stated
from pcsos.problem.conditions.loads import LoadLimits
from pcsos.problem.limit_pairs import pairs_beyond_limits
from pcsos.problem.reduction import reduce_instance
from tests.conditioned import random_loaded
from tests.slow import first_few

POINTS = [0.0, 1.0, 2.0, 5.0, 6.0, 9.0]
AMOUNTS = [3, 1, 2, 0, 1, 1]


def conditions(*loads: Loads) -> dict[str, Any]:
    return Instance(POINTS, 2, conditions=loads).asked.to_dict()


@pytest.mark.parametrize(
    "amounts", [AMOUNTS, np.array(AMOUNTS, np.uint8), pd.Series(AMOUNTS), np.array(AMOUNTS)[:, None], tuple(AMOUNTS)]
)
def test_amounts_may_come_as_what_holds_numbers(amounts: Any) -> None:
    own = conditions(Loads(amounts, at_least=np.float32(2), at_most=np.int64(5)))
    assert own == {"limits": {"loads": [[a] for a in AMOUNTS], "load_min": [2.0], "load_max": [5.0]}}
    assert Instance(POINTS, 2, conditions=stated(json.loads(json.dumps(own)))).asked.to_dict() == own


def test_several_loads_are_columns_or_conditions() -> None:
    table = np.column_stack([AMOUNTS, [1, 2, 1, 2, 1, 2]])
    one = conditions(Loads(table, at_least=[None, 3], at_most=[5, None]))
    assert one["limits"]["load_min"] == [None, 3.0]
    assert one == conditions(Loads(table[:, 0], at_most=5), Loads(table[:, 1], at_least=3))
    assert conditions(Loads(table, at_most=6))["limits"]["load_max"] == [6.0, 6.0]


@pytest.mark.parametrize("given", [{}, {"at_least": 0}, {"at_most": 8}, {"at_least": [0.0], "at_most": [None]}])
def test_what_says_nothing_is_left_out(given: dict[str, Any]) -> None:
    assert conditions(Loads(AMOUNTS, **given)) == {}


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"at_most": 5}, "load_max is given without loads; give what each point brings"),
        ({"amounts": AMOUNTS[:5], "at_most": 5}, r"loads have the shape \(5,\) for 6 points"),
        ({"amounts": [*AMOUNTS[:5], -1], "at_most": 5}, r"loads\[5, 0\] is -1; give one number of at least 0"),
        ({"amounts": [*AMOUNTS[:5], np.nan], "at_most": 5}, r"loads\[5, 0\] is nan"),
        ({"amounts": [1e308] * 6, "at_most": 5}, r"loads\[0, 0\] is 1e\+308"),
        ({"amounts": [*"abcdef"], "at_most": 5}, "loads must be numbers"),
        ({"amounts": AMOUNTS, "at_most": -5}, "load_max is -5; give a finite load of at least 0"),
        ({"amounts": AMOUNTS, "at_most": "5"}, "load_max is '5'; give a finite load"),
        ({"amounts": AMOUNTS, "at_most": [5, 6]}, "load_max are 2 limits for 1 loads; give one for each"),
        ({"amounts": AMOUNTS, "at_least": 4, "at_most": 3}, "load_min is 4, more than load_max = 3"),
        ({"amounts": AMOUNTS, "at_most": 3}, "2 clusters of load_max = 3 hold 6 of load in all, but there are 8"),
        ({"amounts": AMOUNTS, "at_least": 5}, "2 clusters of load_min = 5 need 10 of load in all, but there are 8"),
    ],
)
def test_what_cannot_be_used_is_refused_in_one_sentence(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        conditions(Loads(**given))


def test_labels_break_a_load_beyond_its_slack() -> None:
    limits = LoadLimits(((1.0, 1.0 + 2.0**-29), (0.0, 5.0)), (None, None), (2.0, 4.0))
    assert limits.violation(np.array([0, 0]), np.ones(2)) == "cluster 0 has 5 of load 1, more than load_max = 4.0"
    assert limits.violation(np.array([0, 1]), np.ones(2)) == "cluster 1 has 5 of load 1, more than load_max = 4.0"
    assert LoadLimits(((1.0, 1.0 + 2.0**-29),), (None,), (2.0,)).violation(np.array([0, 0]), np.ones(2)) is None
    heavy = LoadLimits(((1.0, 1.0 + 2.0**-28),), (None,), (2.0,)).violation(np.array([0, 0]), np.ones(2))
    assert heavy == "cluster 0 has 2.000000004 of load, more than load_max = 2.0"


@pytest.mark.parametrize(
    ("amounts", "k", "limits"),
    [([0.1, 0.7], 5, {"at_most": 0.7999999992549419}), ([0.1, 1.0], 3, {"at_least": 1.1000000010244548})],
)
def test_limits_that_clusters_just_keep_with_their_slack_are_no_shortage(
    amounts: list[float], k: int, limits: dict[str, Any]
) -> None:
    points = np.repeat(np.arange(k), 2)
    result = solve(points, k, workers=1, conditions=[Loads(amounts * k, **limits)])
    assert (result.status, result.objective) == ("OPTIMAL", 0.0)


@pytest.mark.parametrize("seed", first_few(4, range(100)))
def test_what_a_cluster_weighs_is_in_the_range_of_its_loads(seed: int) -> None:
    truth = random_loaded(seed)
    limits, weights = truth.instance.limits, truth.instance.weights
    assert limits is not None
    low, high = limits.weight_range(weights, truth.instance.n_clusters)
    for labels, _ in truth.feasible:
        held = np.bincount(labels, weights)
        assert low <= held.min()
        assert held.max() <= high


def test_the_range_is_that_of_points_that_may_be_divided() -> None:
    limits = LoadLimits(((1.0, 2.0, 4.0),), (4.0,), (5.0,))
    low, high = limits.weight_range(np.array([1.0, 1.0, 4.0]))
    assert (low, high) == pytest.approx((3.0, 5.0), rel=1e-8)
    assert low <= 3.0
    assert high >= 5.0


def test_the_slack_of_a_limit_counts_where_doubles_have_few_digits() -> None:
    unit = 2.0**-1074
    limits = LoadLimits(((6 * unit, 5 * unit, 5 * unit),), (6 * unit,), (10 * unit,))
    low, high = limits.weight_range(np.array([1.0, 2.0, 3.0]))
    assert Fraction(low) <= 1 - Fraction(1, 2**30)
    assert Fraction(high) >= 5 + Fraction(10, 6 * 2**30)


def test_points_that_are_too_much_together_are_apart() -> None:
    reduced = reduce_instance(Instance(POINTS, 2, conditions=[Loads(AMOUNTS, at_most=4)]))
    assert pairs_beyond_limits(reduced).tolist() == [[0, 2]]


@pytest.mark.parametrize("seed", first_few(4, range(100)))
def test_pairs_beyond_loads_are_together_in_no_partition(seed: int) -> None:
    truth = random_loaded(seed)
    instance = truth.instance.with_(must_link=(), cannot_link=())
    pairs = pairs_beyond_limits(reduce_instance(instance)).tolist()
    assert not [pair for pair, (labels, _) in product(pairs, truth.feasible) if len({*labels[pair]}) == 1]


def test_sums_are_exact() -> None:
    limits = LoadLimits((tuple([0.1] * 10),), (1.0 + 2.0**-31,), (None,))
    assert limits.violation(np.zeros(10, np.intp), np.ones(10)) is None
    assert 10 * Fraction(0.1) < Fraction(1.0 + 2.0**-31)
