"""Hybrid differential evolution as a whole: optima, stopping, rearrangement, reproducibility, refusals."""

from collections import Counter
from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InputError
from pcsos.heuristics.differential_evolution import hybrid as engine
from pcsos.heuristics.differential_evolution.hybrid import VARIANTS, hybrid_de
from pcsos.heuristics.differential_evolution.landscape import CRITERIA, relative_spread
from pcsos.heuristics.record import Record, Solution, Work
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget
from pcsos.problem.params import EvolutionParams
from pcsos.problem.reduction import Reduced, reduce_instance
from tests import oracle
from tests.clocks import Ticking
from tests.heuristics.problems import blobs
from tests.slow import slow_where

CONFIGURATIONS = list(product(VARIANTS, CRITERIA))


def evolve(instance: Instance, *, seed: int = 0, **options: Any) -> tuple[Solution, Record]:
    params = EvolutionParams(**options.pop("params", {}))
    reduced = reduce_instance(instance)
    solution, record = hybrid_de(reduced, seed=seed, params=params, **options)
    assert set(solution.labels.tolist()) == set(range(instance.n_clusters))
    assert record.objective == solution.objective
    lifted = reduced.lift(solution.labels)
    assert solution.objective == pytest.approx(oracle.costs(instance, lifted[None])[0], rel=1e-9, abs=1e-12)
    return solution, record


@pytest.mark.parametrize(("variant", "criterion"), CONFIGURATIONS)
def test_every_configuration_finds_the_optimum_of_small_instances(variant: str, criterion: str) -> None:
    for seed in range(4):
        rng = np.random.default_rng(seed)
        n, k = int(rng.integers(6, 10)), int(rng.integers(2, 5))
        weights = rng.uniform(0.5, 2.0, n) if seed % 2 else None
        must_link = [(0, 1)] if seed == 3 else []
        instance = Instance(rng.standard_normal((n, 2)), k, must_link, weights=weights)
        optimum = oracle.enumerate_feasible(instance).optimum
        found = [evolve(instance, seed=s, variant=variant, criterion=criterion)[0].objective for s in range(3)]
        assert min(found) == pytest.approx(optimum)
        assert min(found) >= optimum * (1 - 1e-9)


@pytest.mark.parametrize("criterion", CRITERIA)
def test_iris(criterion: str) -> None:
    datasets = pytest.importorskip("sklearn.datasets")
    instance = Instance(datasets.load_iris().data, 3)
    solution, record = evolve(instance, criterion=criterion)
    assert solution.objective == pytest.approx(78.851441, abs=1e-6)
    assert record.method == "b6e6rl-HG"
    assert record.evaluations < 2000
    assert record.filled_clusters > 0


def trajectory(seed: int, **options: Any) -> list[tuple[float, tuple[int, ...]]]:
    steps: list[tuple[float, tuple[int, ...]]] = []
    instance = blobs(60, 4, seed=2)
    _, record = evolve(
        instance, seed=seed, on_improvement=lambda s: steps.append((s.objective, tuple(s.labels))), **options
    )
    return [*steps, (0.0, (record.evaluations, record.local_search_iterations, record.filled_clusters))]


@pytest.mark.parametrize("variant", ["rand/1/bin-NG", "jDE-HN", "b6e6rl-HG"])
def test_the_same_seed_gives_the_same_trajectory_and_it_only_gets_better(variant: str) -> None:
    steps = trajectory(1, variant=variant)
    assert steps == trajectory(1, variant=variant)
    assert steps != trajectory(2, variant=variant)
    objectives = [objective for objective, _ in steps[:-1]]
    assert len(objectives) > 2
    assert objectives == sorted(set(objectives), reverse=True)


@pytest.fixture
def generations(monkeypatch: pytest.MonkeyPatch) -> list[np.ndarray]:
    """The values of the population after each generation of a run."""
    seen: list[np.ndarray] = []
    evolve_once = engine._Evolution.evolve

    def watched(self: Any) -> bool:
        seen.append(self.population.values.copy())
        done = evolve_once(self)
        seen.append(self.population.values.copy())
        return done

    monkeypatch.setattr(engine._Evolution, "evolve", watched)
    return seen


@pytest.mark.parametrize(("variant", "criterion"), CONFIGURATIONS)
def test_no_individual_gets_worse_and_the_run_ends_when_all_agree(
    variant: str, criterion: str, generations: list[np.ndarray]
) -> None:
    _, record = evolve(blobs(50, 3, seed=5), variant=variant, criterion=criterion, params={"population": 12})
    for before, after in zip(generations[::2], generations[1::2], strict=True):
        assert (after <= before).all()
    assert all(relative_spread(values) > 1e-4 for values in generations[::2])
    assert relative_spread(generations[-1]) <= 1e-4
    assert record.evaluations == 12 * (1 + len(generations) // 2)
    if criterion == "VRC":
        assert generations[-1].max() < 0.0


def test_both_criteria_order_partitions_alike() -> None:
    """With the rules that look at values switched off, a run under VRC is the one under TRW, step by step."""
    params = {"spread": 0.0, "max_evaluations": 900, "local_tolerance": 0.0}
    for variant in ("rand/1/bin-NN", "jDE-HN", "b6e6rl-NN"):
        ways = [trajectory(1, variant=variant, criterion=criterion, params=params) for criterion in CRITERIA]
        assert ways[0] == ways[1]


def test_a_run_ends_after_the_evaluations_asked_for() -> None:
    _, record = evolve(blobs(50, 3), variant="jDE-NN", params={"max_evaluations": 100, "spread": 0.0})
    assert record.evaluations == 120  # whole generations of 30
    _, none = evolve(blobs(50, 3), variant="jDE-NN", params={"max_evaluations": 1})
    assert none.evaluations == 30


def test_evaluations_are_20000_a_component_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    def pretend(self: Any) -> bool:
        self.work += Work(evaluations=30)
        return True

    monkeypatch.setattr(engine._Evolution, "evolve", pretend)
    _, record = evolve(Instance(np.random.default_rng(0).standard_normal((20, 2)), 3))
    assert 20_000 * 6 <= record.evaluations < 20_000 * 6 + 30


def test_a_population_that_agrees_from_the_beginning_does_not_evolve() -> None:
    assert evolve(Instance([0.0, 1.0, 2.0, 3.0, 4.0], 1))[1].evaluations == 30


@pytest.mark.parametrize("threshold", [0.0, 0.5, 1.0])
def test_centres_are_rearranged_with_the_probability_of_equation_12(
    threshold: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[tuple[float, bool]] = []
    rearrange = engine._Evolution.rearrange

    def watched(self: Any, best: int) -> None:
        before = len(reordered)
        rearrange(self, best)
        seen.append((relative_spread(self.population.values), len(reordered) > before))

    reordered: list[int] = []
    monkeypatch.setattr(engine, "reorder", lambda vectors, labels, best, *rest: reordered.append(best))
    monkeypatch.setattr(engine._Evolution, "rearrange", watched)
    params = {"threshold": threshold, "spread": 1e-9, "max_evaluations": 30_000}
    evolve(blobs(60, 6, seed=1), variant="rand/1/bin-NG", params=params)
    chances = np.array([max(0.0, 1.0 - threshold - spread) for spread, _ in seen])
    happened = np.array([is_done for _, is_done in seen])
    assert len(seen) > 100
    assert not happened[chances == 0.0].any()
    assert happened.sum() == pytest.approx(chances.sum(), abs=4 * np.sqrt((chances * (1 - chances)).sum()) + 1e-9)
    assert (happened.sum() > 10) == (threshold < 1.0)


@pytest.mark.parametrize("matching", ["greedy", "hungarian"])
def test_rearrangement_changes_the_search_and_not_what_is_said(matching: Any) -> None:
    for variant in ("rand/1/bin", "jDE", "b6e6rl"):
        plain, rearranged = (
            evolve(blobs(60, 4, seed=2), variant=f"{variant}-{suffix}", matching=matching)[1] for suffix in ("NN", "NG")
        )
        assert rearranged.evaluations < plain.evaluations


def test_weights_are_copies() -> None:
    """As long as no empty cluster is filled, which moves a whole point or one of its copies."""
    compared = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        points, copies = 10.0 * rng.standard_normal((12, 2)), rng.integers(1, 4, 12)
        weighted = Instance(points, 2, weights=copies.astype(float))
        copied = Instance(np.repeat(points, copies, axis=0), 2)
        for variant, criterion in (("b6e6rl-HG", "TRW"), ("jDE-NG", "VRC")):
            (one, first), (other, second) = (
                evolve(instance, seed=seed, variant=variant, criterion=criterion) for instance in (weighted, copied)
            )
            if first.filled_clusters + second.filled_clusters == 0:
                compared += 1
                assert first.evaluations == second.evaluations
                np.testing.assert_array_equal(np.repeat(one.labels, copies), other.labels)
                assert one.objective == pytest.approx(other.objective)
    assert compared >= 5


def test_the_labels_at_the_end_are_polished() -> None:
    """Of a population that never evolved, which is far from any local optimum."""
    instance = blobs(200, 6, seed=3)
    solution, record = evolve(instance, variant="rand/1/bin-NN", params={"max_evaluations": 1})
    means = np.array([instance.points[solution.labels == h].mean(axis=0) for h in range(6)])
    nearest = np.linalg.norm(instance.points[:, None] - means, axis=2).argmin(axis=1)
    np.testing.assert_array_equal(solution.labels, nearest)
    assert record.local_search_calls == 1
    assert record.local_search_iterations > 3


def test_cannot_links_are_refused_with_a_way_out() -> None:
    reduced = reduce_instance(Instance([0.0, 1.0, 5.0, 6.0], 3, cannot_link=[(0, 1), (2, 3)]))
    with pytest.raises(InputError, match=r"there are 2 cannot-links .*; use the method s-mdeclust \(S-MDEClust\)"):
        hybrid_de(reduced, seed=0)


@pytest.mark.parametrize(
    ("variant", "criterion"), slow_where(lambda own: CONFIGURATIONS.index(own) % 3 > 0, CONFIGURATIONS)
)
@pytest.mark.parametrize(
    "instance",
    [
        Instance(np.arange(5.0), 1),
        Instance(np.arange(5.0), 5),
        Instance(np.zeros((6, 2)), 3),
        Instance([[0.0], [0.0], [1.0], [1.0]], 3),
        Instance([[0.0, 7.0], [1.0, 7.0], [5.0, 7.0]], 2),
        Instance(np.random.default_rng(0).standard_normal((4, 9)), 2),
        Instance([3.0], 1),
    ],
    ids=["one cluster", "a cluster a point", "all equal", "duplicates", "constant feature", "wide", "one point"],
)
def test_degenerate_instances(instance: Instance, variant: str, criterion: str) -> None:
    solution, record = evolve(instance, variant=variant, criterion=criterion, params={"max_evaluations": 3000})
    assert solution.objective == pytest.approx(oracle.enumerate_feasible(instance).optimum, abs=1e-12)
    assert record.message == ""


@pytest.mark.parametrize(
    ("make_stop", "reason"), [(lambda: Stop(time_limit=0.0), "time limit"), (lambda: Stop(lambda: True), "request")]
)
def test_an_early_stop_keeps_a_solution_and_says_why(make_stop: Callable[[], Stop], reason: str) -> None:
    _, record = evolve(blobs(60, 4), budget=Budget(make_stop()))
    assert record.evaluations == 1
    assert reason in record.message


def test_a_stop_within_a_generation_keeps_the_generation_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "SLICE", 1)
    asked = Counter[str]()

    def after_hundred() -> bool:
        asked["times"] += 1
        return asked["times"] > 100

    solution, record = evolve(blobs(60, 4), variant="jDE-NN", budget=Budget(Stop(after_hundred)))
    assert record.evaluations == 100
    whole, _ = evolve(blobs(60, 4), variant="jDE-NN", params={"max_evaluations": 90, "spread": 0.0})
    assert solution.objective >= whole.objective  # which is polished


def test_a_time_limit_ends_a_long_run_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    Ticking(monkeypatch, tick=0.05)
    instance = blobs(400, 20, seed=1, d=8)
    _, record = evolve(instance, variant="rand/1/bin-HN", budget=Budget(Stop(time_limit=0.5)))
    assert "time limit" in record.message
    assert 0.5 <= record.seconds < 0.7


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"variant": "DE-HG"}, r"variant is 'DE-HG'; give one of 'rand/1/bin-NN', "),
        ({"variant": "B6E6RL-hg"}, r"; perhaps 'b6e6rl-HG' or 'b6e6rl-NG' is meant$"),
        ({"criterion": "VCR"}, r"criterion is 'VCR'; give 'TRW' or 'VRC'; perhaps 'VRC' is meant$"),
        ({"matching": "best"}, r"matching is 'best'; give 'greedy' or 'hungarian'$"),
        ({"params": {"population": 3}}, r"EvolutionParams.population is 3; give a whole number of at least 4"),
        (
            {"params": {"max_evaluations": 0}},
            r"EvolutionParams.max_evaluations is 0; give a whole number of at least 1",
        ),
        (
            {"params": {"threshold": 1.5}},
            r"EvolutionParams.threshold is 1.5; give a number of at least 0 and at most 1",
        ),
    ],
)
def test_options_out_of_range_are_refused_by_name(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        evolve(blobs(20, 2), **options)


def test_the_reduced_problem_is_not_changed() -> None:
    reduced: Reduced = reduce_instance(blobs(30, 3))
    before = reduced.means.copy()
    hybrid_de(reduced, seed=0)
    np.testing.assert_array_equal(reduced.means, before)
