import builtins
import logging
from typing import Any

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.presolve.colouring import integer_program
from pcsos.presolve.colouring.integer_program import solve_colouring
from pcsos.problem.options import Budget
from tests.presolve.colouring.brute_force import cheapest, clique, colourings, cycle, is_proper, random_edges
from tests.slow import first_few


@pytest.fixture(autouse=True)
def _nothing_known_about_gurobi(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(integer_program, "_refused", set())


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_both_solvers_equal_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    size, k = int(rng.integers(1, 7)), int(rng.integers(1, 5))
    edges = random_edges(rng, size, rng.choice([0.2, 0.5, 0.9]))
    costs = rng.random((size, k)) * 10.0 ** rng.integers(-6, 7)
    if seed % 3 == 0:
        costs[rng.random((size, k)) < 0.2] = np.inf
    required = rng.random(k) < 0.5
    best = cheapest(costs, colourings(size, edges, k, set(np.flatnonzero(required))))
    for ilp in ("gurobi", "highs"):
        labels = solve_colouring(costs, edges, required=required, budget=Budget(ilp=ilp))
        if np.isinf(best):
            assert labels is None
            continue
        assert labels is not None
        assert is_proper(labels, edges)
        assert set(np.flatnonzero(required)) <= set(labels)
        assert costs[np.arange(size), labels].sum() == pytest.approx(best, rel=1e-9)


@pytest.mark.parametrize("ilp", ["auto", "gurobi"])
def test_without_gurobi_highs_answers_and_the_log_says_so_once(
    ilp: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    real_import = builtins.__import__

    def no_gurobi(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "gurobipy":
            raise ImportError("no module named gurobipy")
        return real_import(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", no_gurobi)
    with caplog.at_level(logging.INFO, logger="pcsos"):
        first, second = (solve_colouring(np.eye(3), clique(3), budget=Budget(ilp=ilp)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert np.eye(3)[np.arange(3), first].sum() == 0.0
    assert (first == second).all()
    assert len(caplog.records) == 1
    assert "HiGHS" in caplog.records[0].getMessage()


def test_a_licence_that_is_too_small_only_rules_out_large_models(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    solved = []

    def small_licence(program: Any, stop: Stop) -> Any:
        if program.cost.size > 2000:
            raise RuntimeError("Model too large for size-limited license")
        solved.append(program.cost.size)
        return integer_program._solve_by_highs(program)

    monkeypatch.setattr(integer_program, "_solve_by_gurobi", small_licence)
    large = np.random.default_rng(0).random((300, 7))
    with caplog.at_level(logging.INFO, logger="pcsos"):
        for costs in (large, large, large[:10]):
            labels = solve_colouring(costs, cycle(10), budget=Budget(ilp="auto"))
            assert labels is not None
            assert is_proper(labels, cycle(10))
    assert solved == [70]
    assert len(caplog.records) == 1


def test_highs_alone_never_asks_gurobi(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(_: Any) -> Any:
        raise AssertionError("Gurobi was asked")

    monkeypatch.setattr(integer_program, "_solve_by_gurobi", forbidden)
    assert solve_colouring(np.eye(3), clique(3), budget=Budget(ilp="highs")) is not None
    assert not integer_program._refused


@pytest.mark.parametrize("ilp", ["gurobi", "highs"])
def test_the_solvers_are_silent(ilp: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert solve_colouring(np.random.default_rng(1).random((20, 4)), cycle(20), budget=Budget(ilp=ilp)) is not None
    assert capfd.readouterr() == ("", "")
