"""The sentence that a page begins with."""

import math
from collections.abc import Sequence

import pytest

import pcsos
from pcsos.evidence.result import Certification, Reason, Result, Status
from pcsos.evidence.result.words import above_optimum, whole_percent
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.report.words import headline, measure

POINTS = [0.0, 2.0, 3.0, 9.0, 11.0]


def result(gap: float, status: Status = Status.OPTIMAL, **asked: object) -> Result:
    instance = Instance(POINTS, 2, **asked)  # type: ignore[arg-type]
    partition = Partition.of(instance, [0, 0, 0, 1, 1])
    bound = (1.0 - gap) * partition.objective
    return Result(instance, status, Reason.GAP_REACHED, partition, seconds=0.0, seed=0, lower_bound=bound)


def test_a_gap_is_said_in_a_sentence_and_the_proof_in_another() -> None:
    assert headline(result(9.9e-5)) == (
        "No other way to divide the 5 points into 2 clusters is more than 0.0099 % better than the one shown here. "
        "This is proved."
    )
    assert headline(result(0.0)) == (
        "No other way to divide the 5 points into 2 clusters is better than the one shown here. This is proved."
    )
    assert headline(result(0.05, Status.FEASIBLE)) == (
        "A better way to divide the 5 points into 2 clusters may exist, but none is more than 5 % better than the one "
        "shown here. This is proved."
    )


@pytest.mark.parametrize(
    ("must_link", "words"),
    [
        ([], "into 2 clusters is"),
        ([(0, 1)], "so that the constraint on a pair of points holds is"),
        ([(0, 1), (3, 4)], "so that the 2 constraints on pairs of points hold is"),
    ],
)
def test_one_constraint_or_several(must_link: Sequence[tuple[int, int]], words: str) -> None:
    assert words in headline(result(0.0, must_link=must_link))


def test_one_of_each() -> None:
    instance = Instance([1.0], 1)
    alone = Result(
        instance, Status.OPTIMAL, Reason.GAP_REACHED, Partition.of(instance, [0]), seconds=0.0, seed=0, lower_bound=0.0
    )
    assert "divide the 1 point into 1 cluster is" in headline(alone)


def test_limits_are_named() -> None:
    assert "so that clusters keep to their limits is" in headline(result(0.0, size_min=2))


def test_a_better_partition_that_a_certification_has_met_is_named() -> None:
    worse = pcsos.certify([0.0, 1.0, 5.0, 6.0], [1, 1, 1, 2], workers=1)
    assert headline(worse).startswith("A better way to divide the 4 points into 2 clusters is known, but none is more")


def test_what_better_means() -> None:
    assert measure(result(0.0)).startswith("Better means a smaller sum of squares")
    assert "penalties" in measure(result(0.0, conditions=[pcsos.SoftPairs([(0, 4, 1.0)])]))
    nothing = Result(Instance(POINTS, 2), Status.UNKNOWN, Reason.TIME_LIMIT, seconds=0.0, seed=0)
    assert measure(nothing) == ""


def test_a_share_of_the_optimum_is_larger_than_one_of_the_cost() -> None:
    """Ten tight groups of which somebody's labels know nothing: the better ones are 5 million per cent too dear."""
    assert [above_optimum(gap) for gap in (0.0, 0.2, 0.5, 0.9, 1.0, math.inf)] == [
        "0.0001 %",
        "25 %",
        "100 %",
        "900 %",
        None,
        None,
    ]
    instance = Instance(POINTS, 2)
    better, given = (Partition.of(instance, labels) for labels in ([0, 0, 0, 1, 1], [0, 0, 1, 1, 1]))

    def said(bound: float) -> str:
        proved = {"lower_bound": bound, "better": better, "seconds": 0.0, "seed": 0}
        found = Certification(instance, Status.FEASIBLE, Reason.STALLED, given, **proved)
        return found.figures()["better"]

    assert said(0.5 * better.objective).endswith("(other labels, at most 100 % above the optimum)")
    assert said(0.0).endswith("(other labels)")


def test_what_holds_within_a_share_is_not_said_of_a_larger_one() -> None:
    share = 0.13212252119416865
    assert whole_percent(share) == "13.212252119416865 %"
    assert [whole_percent(share) for share in (0.0, 0.01, 0.05, 0.1, 2.0, 1e-12, 5e-324)] == [
        *("0 %", "1 %", "5 %", "10 %", "200 %", "1e-10 %"),
        "4.94066e-322 %",
    ]
    certain = pcsos.solve([0.189, -0.523, -0.413, -2.441, 1.8], 2, workers=1).certain_pairs(share)
    assert str(certain).endswith("within 13.212252119416865 % of the best one")
