"""The gap over time: what a listener keeps of events, what is left of a long trace, and what rows become."""

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pcsos
from benchmarks.case import Settings
from benchmarks.gap_over_time import draw
from benchmarks.listening import Point, Trace, from_json, gap_at, seconds_to, thinned, to_json
from benchmarks.suites import trace as suite
from pcsos.base.events import BlockBounded, BoundImproved, CutRound, Event, IncumbentFound, Notice

POINTS = [Point(0.5, -math.inf, 100.0), Point(1.0, 80.0, 100.0), Point(4.0, 99.0, 100.0), Point(9.0, 99.995, 100.0)]


def heard(*events: Event, earlier: float = 0.0) -> Trace:
    trace = Trace(earlier)
    for event in events:
        trace(event)
    return trace


def row(name: str, status: str = "OPTIMAL", points: list[Point] = POINTS) -> dict[str, Any]:
    end = {"gap": points[-1].gap, "seconds": points[-1].seconds, "status": status, "outcome": "done"}
    return {"name": name, "n_points": 10.0, "n_clusters": 2.0, "trace": to_json(points)} | end


def test_the_bound_only_rises_and_the_incumbent_only_falls() -> None:
    trace = heard(
        IncumbentFound(12.0, "K", 0.1),
        CutRound(0, 10, 6.0, 0, 0, 0.2),
        CutRound(0, 10, 5.0, 4, 0, 0.3),  # fell
        CutRound(0, 10, 9.0, 4, 1, 0.4),  # holds only with what is fixed
        CutRound(2, 10, 9.0, 4, 0, 0.5),  # of another node
        Notice("no matter"),
        BoundImproved(7.0, 0.6),
        IncumbentFound(13.0, "M", 0.7),
        IncumbentFound(10.0, "M", 0.8),
        BlockBounded(5, 0.1, 1, 2, 3.0, 0.7, 0.2, 0.9),  # a cover of which less is done
        BlockBounded(5, 0.1, 2, 2, 8.0, 0.2, 0.2, 1.0),
        earlier=1.0,
    )
    assert trace.points == [
        (1.1, -math.inf, 12.0), (1.2, 6.0, 12.0), (1.6, 7.0, 12.0), (1.8, 7.0, 10.0), (2.0, 8.0, 10.0),
    ]  # fmt: skip
    trace.finish(1.5, 9.5, 10.0)
    assert trace.points[-1] == (2.5, 9.5, 10.0)


@pytest.mark.parametrize(("bound", "objective"), [(6.9, 12.0), (7.0, 12.5), (None, 12.0), (7.0, None)])
def test_a_result_that_says_less_than_an_event_is_refused(bound: float | None, objective: float | None) -> None:
    trace = heard(IncumbentFound(12.0, "K", 0.1), BoundImproved(7.0, 0.6))
    with pytest.raises(ValueError, match="events told of"):
        trace.finish(1.0, bound, objective)


def test_thinning_keeps_the_order_the_first_and_the_last() -> None:
    points = [Point(float(i), 0.0, 1.0) for i in range(1001)]
    few = thinned(points)
    assert len(few) == len(set(few)) == 200
    assert (few[0], few[-1]) == (points[0], points[-1])
    assert few == sorted(few)
    assert thinned(points[:200]) == points[:200]


def test_points_come_back_from_their_column_and_tell_gaps_and_times() -> None:
    assert from_json(to_json(POINTS)) == POINTS
    assert [gap_at(POINTS, s) for s in (0.1, 0.7, 1.0, 5.0, 60.0)] == pytest.approx([None, None, 0.2, 0.01, 5e-5])
    assert [seconds_to(POINTS, gap) for gap in (0.5, 0.05, 1e-3, 1e-6)] == [1.0, 4.0, 9.0, None]


@pytest.mark.parametrize("kind", ["solve", "certify"])
def test_a_run_ends_with_the_gap_of_its_result(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    results, original = [], getattr(pcsos, kind)

    def kept(*arguments: Any, **options: Any) -> Any:
        results.append(original(*arguments, **options))
        return results[-1]

    monkeypatch.setattr(pcsos, kind, kept)
    instance = suite.mixture_with_cannot_links(40, 2, 3, 4.0, 10 if kind == "solve" else 0)
    run = suite.trace_solve if kind == "solve" else suite.trace_certificate
    found = run(instance, gap=1e-3, time_limit=3600.0, workers=1)
    points, (result,) = from_json(found["trace"]), results
    assert (found["status"], found["gap"]) == ("OPTIMAL", result.gap)
    assert points[-1].gap == result.gap <= 1e-3
    assert len(points) > 2
    assert (np.diff([point.seconds for point in points]) >= 0.0).all()
    assert points[0].gap > points[-1].gap
    assert set(found) == set(suite.COLUMNS)


def test_clusters_of_equal_size_differ_by_one_point() -> None:
    limits = suite.of_equal_sizes(suite.mixture_with_cannot_links(40, 2, 3, 4.0, 10)).limits
    assert limits is not None
    assert limits.to_dict() == {"size_min": 13, "size_max": 14}


def test_cases_without_data_come_first(tmp_path: Path) -> None:
    alone = [case.name for case in suite.cases(Settings())]
    names = [case.name for case in suite.cases(Settings(data=tmp_path))]
    assert names[: len(alone)] == alone
    assert len(names) == len(alone) + len(suite.PUBLISHED) + len(suite.BALANCED)


def test_the_report_has_gaps_and_times() -> None:
    text = suite.report([row("a"), {"name": "b", "outcome": "killed"}], Settings())
    gaps, times = ([cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if " a |" in line)
    assert gaps == ["a", "10", "2", "0.2", "0.2", "5e-05", "5e-05", "5e-05", "5e-05", "9", "OPTIMAL"]
    assert times == ["a", "4", "4", "9", "9"]
    assert text.endswith("failed or killed: 1")


def test_the_picture_names_every_instance_and_is_the_same_again(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    nothing = row("without a bound", "FEASIBLE", POINTS[:1])
    rows = [row("first"), row("second", "FEASIBLE", POINTS[:3]), nothing, {"name": "killed", "outcome": "killed"}]
    for name in ("a.svg", "b.svg"):
        draw(rows, tmp_path / name)
    text = (tmp_path / "a.svg").read_text()
    assert all(f">{name}</text>" in text for name in ("first", "second", "seconds", "relative gap"))
    assert "without a bound" not in text
    assert text == (tmp_path / "b.svg").read_text()
