"""The suite of engines and its page: a solver that fails is told as such, and ours must come to the bound to count."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.pages.screens import relaxation
from benchmarks.suites import engines
from tests.records import record_of

TRACE = json.dumps([[0.1, 90.0], [1.0, 100.0]])


def row(engine: str, instance: str = "small", *, size: float = 50.0, **columns: Any) -> dict[str, Any]:
    found = {"name": f"{instance}:{engine}", "instance": instance, "engine": engine, "outcome": "done"}
    return found | {"size": size, "status": None, "bound": 100.0, "seconds": 1.0, "trace": TRACE} | columns


@pytest.mark.parametrize("status", ["solver_error", "optimal_inaccurate", "user_limit"])
def test_a_solver_that_misses_its_tolerance_has_no_ratio(status: str) -> None:
    (line,) = engines.lines([row("admm"), row("scs", status=status, bound=1.0, seconds=50.0)])
    assert (line.is_solved, line.ours, line.ratio) == (False, None, None)
    (line,) = engines.lines([row("admm"), row("scs", status="optimal", bound=90.0, seconds=50.0)])
    assert (line.ratio, line.below) == (500.0, pytest.approx(1.0 / 9.0))


def test_ours_counts_when_its_bound_is_as_good_and_no_sooner() -> None:
    (line,) = engines.lines([row("admm"), row("scs", status="optimal", bound=90.0005, seconds=50.0)])
    assert line.ours == 1.0


def test_the_headline_goes_from_the_worst_ratio_to_the_best(tmp_path: Path) -> None:
    rows = [row("admm"), row("admm", "large", size=300.0)]
    rows += [row("scs", "large", size=300.0, status="optimal", seconds=20.0)]
    rows += [row("scs-1e-4", "large", size=300.0, status="optimal", bound=90.0, seconds=0.4)]
    rows += [row("scs", status="optimal", seconds=0.5), row("clarabel", "large", outcome="killed", bound=None)]
    record = record_of(tmp_path, "engines", engines.COLUMNS, rows)
    assert relaxation.headline(record) == "SCS takes 0.50 to 20 times as long as pcsos to the same safe bound"
    assert relaxation.least(record) == "0.50 (SCS to 1e-6 on small)"
    assert relaxation.unsolved(record) == "1 of 4"
    assert "killed" in relaxation.engines(record)


def test_a_bound_that_we_do_not_reach_is_told(tmp_path: Path) -> None:
    record = record_of(tmp_path, "engines", engines.COLUMNS, [row("admm"), row("scs", status="optimal", bound=101.0)])
    assert relaxation.headline(record) == "pcsos comes to no bound of SCS"
    assert relaxation.least(record) == "pcsos does not come to the bound of SCS to 1e-6 on small"
    assert "not reached" in relaxation.engines(record)


def test_rivals_say_how_they_ended() -> None:
    pytest.importorskip("cvxpy", reason="cvxpy is not installed (pip install cvxpy)")
    instance = engines.draw(12, 2, 2, 3)
    assert engines.bound_over_time(instance, "scs-1e-4", 60.0).status == engines.SOLVED
    assert engines.bound_over_time(instance, "admm", 60.0).status is None
