"""S-MDEClust: memetic differential evolution for constrained clustering (Mansueto and Schoen, Algorithms 1 to 3)."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from pcsos import tolerances
from pcsos.exceptions import InputError
from pcsos.heuristics.centres import Costs, centres_of, random_centres
from pcsos.heuristics.crossover import crossover
from pcsos.heuristics.ipc_kmeans import MAX_ITERATIONS, ipc_kmeans
from pcsos.heuristics.local_search import MAX_SIZE_FOR_SWAPS, improve, search_from
from pcsos.heuristics.mutation import AssignmentKind, mutate
from pcsos.heuristics.record import INFEASIBLE, Budget, Record, Solution, Work, record_of
from pcsos.reduction import Reduced


@dataclass(frozen=True)
class Variant:
    """What tells the variants apart.

    Parameters
    ----------
    mutation : AssignmentKind or None
        How points are assigned inside the mutation; None: there is no mutation. Without mutation the assignment
        inside the crossover has no consequence, because the local search begins with an exact one of its own.
    moves : bool
        Whether the local search also moves, swaps and exchanges single super-points, rather than being
        IPC-k-means alone.
    relative : bool
        Whether the collapse of the population is judged relative to the objective, rather than in its units.
    """

    mutation: AssignmentKind | None
    moves: bool = False
    relative: bool = False


#: The paper's four variants, and ``pcsos``: SMG-MDE whose local search also moves single super-points, swaps and Kempe
#: chains between exact assignments, and whose mutation looks only at distances. It needs fewer and cheaper searches.
VARIANTS = {
    "S-MDE": Variant(None),
    "SG-MDE": Variant(None),
    "SM-MDE": Variant("exact"),
    "SMG-MDE": Variant("greedy"),
    "pcsos": Variant("nearest", moves=True, relative=True),
}


@dataclass(frozen=True)
class Settings:
    """Parameters of a run, the paper's defaults.

    Parameters
    ----------
    population : int
        Number of solutions P, at least 4.
    max_stall : int
        Offspring in a row that do not improve the best solution before the run ends (N_MAX).
    max_generations : int or None
        Generations of P offspring after which the run ends.
    delta : float
        The run ends when the absolute differences of all pairs of objectives sum to no more than this (the variant
        ``pcsos``: than this times the best objective).
    scale : tuple of float
        Range of the factor F of the crossover.
    alpha : float
        Share of distance in the mutation's draw, from 0 to 1.
    max_local_iterations : int
        Greatest number of iterations of one local search.
    ilp : str
        Solver of assignments that need an integer program: ``auto``, ``gurobi`` or ``highs``.

    Raises
    ------
    InputError
        If a value is out of its range.
    """

    population: int = 20
    max_stall: int = 500
    max_generations: int | None = None
    delta: float = 1e-4
    scale: tuple[float, float] = (0.5, 0.8)
    alpha: float = 0.5
    max_local_iterations: int = MAX_ITERATIONS
    ilp: str = "auto"

    def __post_init__(self) -> None:
        for name, least in (("population", 4), ("max_stall", 1), ("max_local_iterations", 1)):
            if getattr(self, name) < least:
                raise InputError(f"{name} is {getattr(self, name)}; give a whole number of at least {least}")
        if not 0.0 <= self.alpha <= 1.0:
            raise InputError(f"alpha is {self.alpha}; give a number from 0 to 1")


def s_mdeclust(
    reduced: Reduced,
    *,
    seed: int,
    variant: str = "pcsos",
    population: int = 20,
    max_stall: int = 500,
    max_generations: int | None = None,
    delta: float = 1e-4,
    scale: tuple[float, float] = (0.5, 0.8),
    alpha: float = 0.5,
    max_local_iterations: int = MAX_ITERATIONS,
    ilp: str = "auto",
    time_limit: float | None = None,
    should_stop: Callable[[], bool] | None = None,
    on_improvement: Callable[[Solution], None] | None = None,
) -> tuple[Solution | None, Record]:
    """Evolve a population of local optima and return the best solution found, with a record.

    Each member in turn is challenged by an offspring: three other members give a differential step over their
    matched centres, the mutation (in the variants that have it, for every offspring) relocates one centre, and a
    local search makes a feasible solution of it, which replaces the member if it is better.

    The paper's pseudo-code leaves open what n_it counts where an offspring is worse than its member; here it counts
    every offspring that does not improve the best solution. Without must-links and cannot-links the variants S-MDE
    and SM-MDE are MDEClust.

    Parameters
    ----------
    reduced : Reduced
        The problem over super-points.
    seed : int
        Seed of all random choices; the trajectory depends on nothing else, as long as no limit interrupts it.
    variant : str
        A key of :data:`VARIANTS`.
    population, max_stall, max_generations, delta, scale, alpha, max_local_iterations, ilp
        See :class:`Settings`.
    time_limit : float, optional
        Seconds after which the best solution so far is returned.
    should_stop : callable, optional
        Asked after every local search; true ends the run with the best solution so far.
    on_improvement : callable, optional
        Told every new best solution.

    Returns
    -------
    tuple of (Solution or None, Record)
        No solution where the constraints are infeasible or the run was stopped before the first local search ended.

    Raises
    ------
    InputError
        If an option is out of its range.
    """
    if variant not in VARIANTS:
        raise InputError(f"variant is {variant!r}; give one of {', '.join(VARIANTS)}")
    settings = Settings(population, max_stall, max_generations, delta, scale, alpha, max_local_iterations, ilp)
    budget = Budget(time_limit, should_stop)
    evolution = _Evolution(reduced, VARIANTS[variant], settings, np.random.default_rng(seed), budget)
    evolution.on_improvement = on_improvement
    with budget.limited():
        evolution.run()
    failure = INFEASIBLE if evolution.infeasible else ""
    return evolution.best, record_of(variant, evolution.best, budget, evolution.work, failure=failure)


class _Evolution:
    """The mutable state of one run."""

    def __init__(
        self,
        reduced: Reduced,
        variant: Variant,
        settings: Settings,
        rng: np.random.Generator,
        budget: Budget,
    ) -> None:
        self.reduced, self.variant = reduced, variant
        self.settings, self.rng, self.budget = settings, rng, budget
        self.search = partial(search_from, rng=rng) if variant.moves else ipc_kmeans
        self.costs = Costs.of(reduced)
        self.members: list[Solution] = []
        self.centres: list[NDArray[np.float64]] = []
        self.best: Solution | None = None
        self.stall = 0
        self.work = Work()
        self.infeasible = False
        self.on_improvement: Callable[[Solution], None] | None = None

    def run(self) -> None:
        """Fill the population from random centres, then evolve it until a stopping rule holds (Algorithm 1)."""
        while len(self.members) < self.settings.population:
            if self.members and self.budget.exhausted():
                return
            solution = self.local_search(random_centres(self.reduced, self.rng))
            if solution is None:
                self.infeasible = True
                return
            self.members.append(solution)
            self.centres.append(centres_of(self.reduced, solution.labels))
            self.note_best(solution)
        generation, self.stall = 0, 0
        while generation != self.settings.max_generations and not self.collapsed():
            generation += 1
            for index in range(self.settings.population):
                if self.stall >= self.settings.max_stall or self.budget.exhausted():
                    return
                self.challenge(index)

    def challenge(self, index: int) -> None:
        """Replace a member by an offspring of three others if that is better."""
        offspring = self.local_search(self.offspring_centres(index))
        if offspring is None:
            return
        if tolerances.is_improvement(offspring.objective, self.members[index].objective):
            self.members[index] = offspring
            self.centres[index] = centres_of(self.reduced, offspring.labels)
        self.note_best(offspring)

    def offspring_centres(self, index: int) -> NDArray[np.float64]:
        """Return the centres that crossover and mutation give for the member with this index."""
        others = np.delete(np.arange(self.settings.population), index)
        parents = [self.centres[p] for p in self.rng.choice(others, 3, replace=False)]
        centres = crossover(parents[0], parents[1], parents[2], self.settings.scale, self.rng)
        if self.variant.mutation is None:
            return centres
        centres, exact, programs = mutate(
            self.reduced,
            centres,
            self.costs,
            self.rng,
            assignment=self.variant.mutation,
            alpha=self.settings.alpha,
            ilp=self.settings.ilp,
        )
        self.work += Work(exact_assignments=exact, integer_programs=programs)
        return centres

    def local_search(self, centres: NDArray[np.float64]) -> Solution | None:
        """Return the local optimum reached from these centres, or None if no assignment is feasible."""
        solution, work = self.search(
            self.reduced,
            centres,
            costs=self.costs,
            ilp=self.settings.ilp,
            max_iterations=self.settings.max_local_iterations,
            should_stop=self.budget.exhausted,
        )
        self.work += work
        return solution

    def note_best(self, solution: Solution) -> None:
        """Keep the best solution, after swaps of super-points, and count the offspring since it last improved."""
        if self.best is None or tolerances.is_improvement(solution.objective, self.best.objective):
            if self.variant.moves and self.reduced.size <= MAX_SIZE_FOR_SWAPS:
                limit = self.settings.max_local_iterations
                solution, sweeps = improve(self.reduced, solution.labels, rng=self.rng, max_sweeps=limit)
                self.work += Work(local_search_iterations=sweeps)
            self.best, self.stall = solution, 0
            if self.on_improvement is not None:
                self.on_improvement(solution)
        else:
            self.stall += 1

    def collapsed(self) -> bool:
        """Tell whether the objectives of the population differ by no more than delta, summed over all pairs."""
        objectives = np.sort([member.objective for member in self.members])
        size = objectives.size
        differences = float(objectives @ (2.0 * np.arange(size) - size + 1.0))
        unit = abs(objectives[0]) if self.variant.relative else 1.0
        return differences <= self.settings.delta * unit
