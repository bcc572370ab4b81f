"""S-MDEClust: its variants, its stopping rules, its reproducibility."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.exceptions import InputError
from pcsos.heuristics.record import Record, Solution
from pcsos.heuristics.s_mdeclust import VARIANTS, s_mdeclust
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget
from pcsos.problem.params import MemeticParams
from tests.heuristics.problems import Problem, assert_is_right, blobs, feasible_problems, tolerance, triangle
from tests.oracle import enumerate_feasible

PARAMETERS = {field.name for field in fields(MemeticParams)}


def evolve(problem: Problem, *, stop: Stop = NEVER, **options: Any) -> tuple[Solution, Record]:
    params = MemeticParams(**{name: options.pop(name) for name in PARAMETERS & set(options)})
    solution, record = s_mdeclust(problem.reduced, **{"seed": 0, "params": params, "budget": Budget(stop), **options})
    assert record.feasible
    assert record.objective == solution.objective
    assert_is_right(problem, solution)
    return solution, record


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_is_feasible_on_random_problems(variant: str) -> None:
    for problem, truth in feasible_problems(25, first_seed=500):
        solution, _ = evolve(problem, variant=variant, population=4, max_stall=8)
        assert solution.objective >= truth.optimum * (1 - 1e-9) - tolerance(problem.instance)


def test_the_default_finds_the_optimum_of_small_problems() -> None:
    for problem, truth in feasible_problems(80):
        solution, _ = evolve(problem)
        assert solution.objective == pytest.approx(truth.optimum, rel=1e-9, abs=tolerance(problem.instance))


@pytest.mark.parametrize("variant", ["S-MDE", "pcsos"])
def test_without_constraints_it_finds_the_known_optima_of_iris(variant: str) -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    points = datasets.load_iris().data
    for k, optimum in {2: 152.3480, 3: 78.8514, 4: 57.2285, 5: 46.4462, 6: 39.0400}.items():
        solution, _ = evolve(Problem.of(Instance(points, k)), variant=variant)
        assert solution.objective == pytest.approx(optimum, abs=6e-5)


def trajectory(seed: int, variant: str) -> list[tuple[float, tuple[int, ...]]]:
    problem = Problem.of(blobs(70, 6, constraints=50, seed=2))
    steps: list[tuple[float, tuple[int, ...]]] = []
    _, record = evolve(
        problem,
        seed=seed,
        variant=variant,
        population=6,
        max_stall=30,
        on_improvement=lambda s: steps.append((s.objective, tuple(s.labels))),
    )
    return [*steps, (0.0, (record.local_search_calls, record.local_search_iterations, record.exact_assignments))]


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_seed_gives_the_same_trajectory(variant: str) -> None:
    assert trajectory(1, variant) == trajectory(1, variant)
    assert trajectory(1, variant) != trajectory(2, variant)


@pytest.mark.parametrize(
    ("exact", "greedy", "more"), [("S-MDE", "SG-MDE", 1), ("SM-MDE", "SMG-MDE", 3)], ids=["plain", "mutation"]
)
def test_exact_and_greedy_variants_differ_in_their_exact_assignments(exact: str, greedy: str, more: int) -> None:
    problem = Problem.of(blobs(70, 6, constraints=50, seed=2))
    options = {"population": 6, "max_stall": 30, "delta": -1.0}
    works = {name: evolve(problem, variant=name, **options)[1].work for name in (exact, greedy)}
    offspring = works[exact].local_search_calls - 6
    assert offspring >= 30
    assert works[exact].exact_assignments == works[exact].local_search_iterations + more * offspring
    assert works[greedy].exact_assignments == works[greedy].local_search_iterations


def test_without_mutation_both_assignments_lead_to_the_same_solutions() -> None:
    plain, greedy = (trajectory(1, variant) for variant in ("S-MDE", "SG-MDE"))
    assert plain[:-1] == greedy[:-1]
    assert plain[-1][1][:2] == greedy[-1][1][:2]  # as many local searches with as many iterations
    assert plain[-1][1][2] > greedy[-1][1][2]


@pytest.mark.slow
@pytest.mark.parametrize("variant", ["S-MDE", "SG-MDE", "SM-MDE", "SMG-MDE"])
def test_the_papers_variants_find_the_optimum_of_small_problems(variant: str) -> None:
    for problem, truth in feasible_problems(30):
        solution, _ = evolve(problem, variant=variant, delta=-1.0, max_stall=200)
        assert solution.objective == pytest.approx(truth.optimum, rel=1e-9, abs=tolerance(problem.instance))


def test_every_reported_solution_is_better_than_the_one_before() -> None:
    steps = [objective for objective, _ in trajectory(3, "pcsos")[:-1]]
    assert len(steps) > 1
    assert steps == sorted(set(steps), reverse=True)


def test_it_stops_after_as_many_offspring_without_improvement_as_asked_for() -> None:
    problem = Problem.of(blobs(60, 5, constraints=40, seed=2))
    asked: list[int] = []  # the stop is asked at least once in every local search
    improved_at = [0]

    def count_search() -> bool:
        asked.append(1)
        return False

    def note(_: Solution) -> None:
        improved_at[0] = len(asked)

    _, record = evolve(problem, max_stall=37, delta=-1.0, population=5, on_improvement=note, stop=Stop(count_search))
    assert record.local_search_calls >= 5 + 37
    assert len(asked) - improved_at[0] >= 37
    _, longer = evolve(problem, max_stall=38, delta=-1.0, population=5)
    assert longer.local_search_calls == record.local_search_calls + 1


def test_it_stops_when_the_population_has_collapsed() -> None:
    problem = Problem.of(Instance([0.0, 0.1, 10.0, 10.1], 2))
    _, record = evolve(problem)
    assert record.local_search_calls == 20
    _, stubborn = evolve(problem, delta=-1.0, max_stall=50)
    assert stubborn.local_search_calls == 20 + 50


def test_it_stops_after_the_generations_asked_for() -> None:
    problem = Problem.of(blobs(60, 5, constraints=40, seed=2))
    _, record = evolve(problem, population=6, max_generations=3, delta=-1.0)
    assert record.local_search_calls == 6 * 4
    _, none = evolve(problem, population=6, max_generations=0)
    assert none.local_search_calls == 6


@pytest.mark.parametrize(
    ("make_stop", "reason"), [(lambda: Stop(time_limit=0.0), "time limit"), (lambda: Stop(lambda: True), "request")]
)
def test_an_early_stop_keeps_a_feasible_solution_and_says_why(make_stop: Callable[[], Stop], reason: str) -> None:
    _, record = evolve(Problem.of(blobs(60, 5, constraints=40, seed=2)), stop=make_stop())
    assert record.local_search_calls == 1
    assert reason in record.message


def test_infeasible_constraints_are_reported() -> None:
    solution, record = s_mdeclust(triangle(), seed=0)
    assert solution is None
    assert not record.feasible
    assert record.objective is None
    assert "cannot-links" in record.message


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(
    "instance",
    [
        Instance(np.arange(5.0), 1),
        Instance(np.arange(5.0), 5),
        Instance(np.zeros((6, 2)), 3),
        Instance([[0.0], [0.0], [1.0], [1.0]], 3, cannot_link=[(0, 1)]),
        Instance(np.arange(9.0), 5, cannot_link=[(i, j) for i in range(5) for j in range(i)]),
        Instance(np.arange(4.0), 2, must_link=[(0, 3)], cannot_link=[(0, 1), (1, 2)][:1]),
    ],
    ids=["one cluster", "a cluster a point", "all equal", "duplicates", "clique of k", "must-link"],
)
def test_degenerate_problems(instance: Instance, variant: str) -> None:
    problem = Problem.of(instance)
    solution, _ = evolve(problem, variant=variant)
    assert solution.objective == pytest.approx(enumerate_feasible(instance).optimum, abs=1e-12)


@pytest.mark.parametrize(
    "options", [{"variant": "MDE"}, {"population": 3}, {"max_stall": 0}, {"alpha": 1.5}, {"max_local_iterations": 0}]
)
def test_options_out_of_range_are_refused_by_name(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        evolve(Problem.of(blobs(20, 2)), **options)
