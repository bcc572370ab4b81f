import math

from pcsos.base.events import BlockBounded, BoundImproved, CutRound, IncumbentFound, Notice, RunStarted
from pcsos.report.course import Course, Milestone


def test_bounds_rise_and_incumbents_fall() -> None:
    course = Course.of(
        [
            RunStarted(9, 2, 3, 9, 0),
            IncumbentFound(12.0, "K", 0.1),
            CutRound(0, 9, 7.0, 0, 0, 0.2),
            CutRound(0, 9, 11.9, 5, 4, 0.3),  # of what is left after pairs were fixed
            CutRound(1, 9, 11.8, 5, 0, 0.4),  # of one node alone
            IncumbentFound(13.0, "M", 0.5),
            IncumbentFound(11.0, "M", 0.6),
            BoundImproved(10.0, 0.7),
            BoundImproved(9.0, 0.8),
            Notice("a note"),
            BlockBounded(3, 0.1, 1, 2, 10.5, 0.05, 0.04, 0.9),
        ]
    )
    assert [step.value for step in course.bounds] == [7.0, 10.0, 10.5]
    assert [step.seconds for step in course.bounds] == [0.2, 0.7, 0.9]
    assert course.incumbents == (
        Milestone(0.1, 12.0, "IPC-k-means from k-means++ centres"),
        Milestone(0.6, 11.0, "S-MDEClust"),
    )


def test_the_clock_of_a_resumed_run_goes_on() -> None:
    start = RunStarted(9, 2, 3, 9, 0)
    course = Course.of([start, BoundImproved(1.0, 5.0), start, BoundImproved(2.0, 1.0), start, BoundImproved(3.0, 1.0)])
    assert [step.seconds for step in course.bounds] == [5.0, 6.0, 7.0]


def test_what_is_no_number_is_left_out() -> None:
    hostile = "<script>"
    course = Course.of(
        [
            IncumbentFound(hostile, hostile, hostile),  # type: ignore[arg-type]
            IncumbentFound(None, "K", math.nan),  # type: ignore[arg-type]
            BoundImproved(math.inf, 1.0),
            BoundImproved(True, 1.0),
            IncumbentFound(4.0, hostile, 1.0),
        ]
    )
    assert course == Course((), (Milestone(1.0, 4.0, "an earlier part of the run"),))
