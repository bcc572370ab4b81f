"""Hybrid differential evolution: one engine for all variants and both criteria (HDE 8 and 10, Algorithms 1 and 3)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.numerics.kernels import WarmUp
from pcsos.heuristics.centres import objective_of
from pcsos.heuristics.differential_evolution.generation import (
    LEAST_SCALE,
    SCALE_RANGE,
    Draws,
    Pool,
    Population,
    Rules,
    challenge,
    single,
    twelve,
)
from pcsos.heuristics.differential_evolution.landscape import (
    CRITERIA,
    MATCHINGS,
    Criterion,
    Matching,
    evaluate,
    greedy_rule,
    landscape_of,
    polished,
    relative_spread,
    reorder,
)
from pcsos.heuristics.record import Returned, Solution, Work, record_of
from pcsos.heuristics.warm_ups import POINTS
from pcsos.problem.instance import Instance
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import EvolutionParams
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced, reduce_instance
from pcsos.problem.validation.arrays import one_of, seeded


@dataclass(frozen=True)
class EvolutionVariant:
    """What tells the variants apart."""

    pool_for: Callable[[int], Pool]  #: gives the strategies for a number of components
    is_self_adaptive: bool = False  #: whether each individual carries a scale factor and a rate of its own (jDE)
    is_localised: bool = False  #: whether mutants start from the best of their three individuals
    is_hybrid: bool = False  #: whether k-means follows a successful trial
    rearranges: bool = False  #: whether centres are reordered towards those of the best individual


def _suffixed(name: str, **features: bool) -> dict[str, EvolutionVariant]:
    """Return the four variants of one kind; the letters of a suffix are those of HDE section 10."""
    pool_for = twelve if name == "b6e6rl" else single
    return {
        f"{name}-{first}{second}": EvolutionVariant(
            pool_for, **features, is_hybrid=first == "H", rearranges=second == "G"
        )
        for first in "NH"
        for second in "NG"
    }


#: The twelve variants of HDE; with its two criteria they are 24 configurations.
VARIANTS = {
    **_suffixed("rand/1/bin"),
    **_suffixed("jDE", is_self_adaptive=True),
    **_suffixed("b6e6rl", is_localised=True),
}


#: Evaluations for each component of a vector, after which a run ends (HDE eq 11).
EVALUATIONS_PER_COMPONENT = 20_000
#: Multiplications between two looks at the clock, about; one individual at least.
SLICE = 20_000_000


def hybrid_de(
    reduced: Reduced,
    *,
    seed: int,
    variant: str = "b6e6rl-HG",
    criterion: Criterion = "TRW",
    matching: Matching = "greedy",
    params: EvolutionParams | None = None,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
    """Evolve a population of vectors of centres and return the best partition met, with a record.

    At the end k-means runs from the best partition until nothing changes, and the result is that partition, unless the
    run was stopped. Trials that leave the box of the points are mirrored at its sides, which HDE does not say. With
    more features than super-points the box is that of coordinates in as many dimensions as there are super-points.

    Parameters
    ----------
    reduced : Reduced
        The problem over super-points, without cannot-links.
    seed : int
        Seed of all random choices; the trajectory depends on nothing else, as long as no limit interrupts it.
    variant : str
        A key of :data:`~pcsos.heuristics.differential_evolution.hybrid.VARIANTS`.
    criterion : str
        ``TRW``, the sum of squares, or ``VRC``, the variance ratio. The two order partitions in the same way, so they
        differ only in when a run ends, when centres are rearranged, and when k-means stops.
    matching : str
        Rule of the rearrangement: ``greedy`` as in HDE, or ``hungarian``.
    params : EvolutionParams, optional
        Population, stopping rules, and the like.
    budget : Budget
        When to stop, asked in every generation.
    on_improvement : callable, optional
        Called with every new best solution; objectives are sums of squares under both criteria.

    Returns
    -------
    tuple of (Solution or None, Record)
        A solution, always; the record counts evaluations of vectors and iterations of k-means apart.

    Raises
    ------
    InputError
        If an option is out of its range, or if there are cannot-links.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.problem.reduction import reduce_instance
    >>> reduced = reduce_instance(Instance([0.0, 1.0, 5.0, 6.0, 9.0], 3, must_link=[(2, 3)]))
    >>> solution, record = hybrid_de(reduced, seed=0, variant="jDE-HG", criterion="VRC")
    >>> reduced.lift(solution.labels)[2:4].tolist() in ([0, 0], [1, 1], [2, 2]), round(solution.objective, 6)
    (True, 1.0)
    >>> record.evaluations >= 30, record.local_search_iterations > 0
    (True, True)
    """
    one_of("variant", variant, VARIANTS)
    one_of("criterion", criterion, CRITERIA)
    one_of("matching", matching, MATCHINGS)
    if len(reduced.cannot_link):
        raise InputError(
            f"hybrid-de respects must-links only, but there are {len(reduced.cannot_link)} cannot-links between groups "
            "of points; use the method s-mdeclust (S-MDEClust), which respects both"
        )
    params = params or EvolutionParams()
    evolution = _Evolution(reduced, VARIANTS[variant], criterion, matching, params, seed, budget, on_improvement)
    evolution.run()
    best = evolution.incumbent.best
    return best, record_of(variant, best, budget.stop, evolution.work)


class _Evolution:
    """The mutable state of one run."""

    def __init__(
        self,
        reduced: Reduced,
        variant: EvolutionVariant,
        criterion: Criterion,
        matching: Matching,
        params: EvolutionParams,
        seed: int,
        budget: Budget,
        on_improvement: Callable[[Solution], None] | None,
    ) -> None:
        self.reduced, self.variant, self.matching = reduced, variant, matching
        self.params, self.budget, self.rng = params, budget, seeded(seed)
        self.landscape = landscape_of(reduced, criterion)
        low, high = (
            np.tile(end, reduced.n_clusters) for end in (self.landscape.points.min(0), self.landscape.points.max(0))
        )
        limits = (params.local_tolerance, params.max_local_iterations)
        self.rules = Rules(low, high, variant.is_self_adaptive, variant.is_localised, variant.is_hybrid, *limits)
        self.pool = variant.pool_for(low.size)
        self.population, self.children = (Population.empty(params.population, low.size, reduced.size) for _ in "PQ")
        self.incumbent = Incumbent(on_improvement=on_improvement)
        self.work = Work()

    def run(self) -> None:
        """Evolve until the values of all individuals agree or the evaluations are used up, then polish the best."""
        most = self.params.max_evaluations or EVALUATIONS_PER_COMPONENT * self.rules.low.size
        is_whole = self.start()
        while is_whole and self.work.evaluations < most:
            if relative_spread(self.population.values) <= self.params.spread:
                break
            is_whole = self.evolve()
        best = self.incumbent.best
        if is_whole and best is not None:
            solution, work = polished(self.reduced, best, self.params.max_local_iterations)
            self.work += work
            self.incumbent.offer(solution)

    def start(self) -> bool:
        """Fill the population uniformly from the box; false if the run has to end before that is done."""
        population, rules = self.population, self.rules
        population.vectors[:] = self.rng.uniform(rules.low, rules.high, population.vectors.shape)
        population.scales[:] = LEAST_SCALE + SCALE_RANGE * self.rng.random(population.scales.size)
        population.rates[:] = self.rng.random(population.rates.size)
        for i, vector in enumerate(population.vectors):
            centres = vector.reshape(self.reduced.n_clusters, -1)
            population.values[i], _, filled = evaluate(self.landscape, centres, population.labels[i])
            self.work += Work(evaluations=1, filled_clusters=filled)
            self.note_best(i)
            if self.budget.stop.asked():
                return False
        return True

    def evolve(self) -> bool:
        """Replace the population by its children; false, and it stays, if the run has to end before that is done."""
        size, dimension = self.population.vectors.shape
        draws = Draws.of(self.rng, size, dimension)
        rows = max(1, SLICE // (dimension * self.reduced.size))
        for first in range(0, size, rows):
            if self.budget.stop.asked():
                return False
            last = min(first + rows, size)
            taken, iterations, filled = challenge(
                self.landscape, self.rules, self.pool, self.population, draws, self.children, first, last
            )
            calls = taken if self.variant.is_hybrid else 0
            self.work += Work(calls, iterations, evaluations=last - first, filled_clusters=filled)
        self.population, self.children = self.children, self.population
        best = int(self.population.values.argmin())
        if self.variant.rearranges:
            self.rearrange(best)
        self.note_best(best)
        return True

    def rearrange(self, best: int) -> None:
        """Reorder all centres towards those of the best individual, the rather the closer the values (HDE eq 12)."""
        population = self.population
        if self.rng.random() > relative_spread(population.values) + self.params.threshold:
            weights, k = self.reduced.weights, self.reduced.n_clusters
            reorder(population.vectors, population.labels, best, weights, k, self.matching)

    def note_best(self, index: int) -> None:
        """Offer the partition of an individual to the incumbent."""
        labels = self.population.labels[index]
        objective = objective_of(self.reduced, labels)
        if self.incumbent.is_beaten_by(objective):
            self.incumbent.offer(Solution(labels.copy(), objective))


def warm_up_differential_evolution() -> None:
    """Evolve vectors of centres for two generations, and rearrange them."""
    params = EvolutionParams(population=4, max_evaluations=8)
    hybrid_de(reduce_instance(Instance(POINTS, 3)), seed=0, params=params)
    reorder(np.zeros((2, 2)), np.zeros((2, 3), np.intp), 0, np.ones(3), 1, "greedy")


DIFFERENTIAL_EVOLUTION = WarmUp("differential evolution", warm_up_differential_evolution, greedy_rule)
