"""S-MDEClust: memetic differential evolution for constrained clustering (Mansueto and Schoen, Algorithms 1 to 3)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np

from pcsos.base import tolerances
from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Assignment, Unassigned, assign
from pcsos.heuristics.assignment.limited import greedy_assign
from pcsos.heuristics.centres import Costs, centres_of, random_centres
from pcsos.heuristics.dense_search import is_dense
from pcsos.heuristics.grafting import grafted
from pcsos.heuristics.ipc_kmeans import first_solution, ipc_kmeans
from pcsos.heuristics.local_search import improve, search_from
from pcsos.heuristics.record import Returned, Solution, Work, record_of
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import MemeticParams
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import one_of, seeded

#: How super-points are assigned while one centre is missing: ``exact`` or ``greedy`` as in the paper, or each to the
#: nearest remaining centre whatever the cannot-links say.
AssignmentKind = Literal["exact", "greedy", "nearest"]


@dataclass(frozen=True)
class MemeticVariant:
    """What tells the variants apart."""

    #: how points are assigned to the centres of an offspring, after the crossover and in the mutation: ``exact`` or
    #: ``greedy`` as in the paper (section 3.1); its labels say which points are far from their centres where a centre
    #: is relocated; otherwise they cost time and nothing else, because the local search begins at the centres, with an
    #: exact assignment of its own; so S-MDE and SG-MDE meet the same solutions, one in more time than the other (Figure
    #: 2); with ``nearest`` there is no assignment but that inside the mutation
    assignment: AssignmentKind
    mutates: bool = False  #: whether a centre of each offspring is relocated
    #: whether the local search also moves, swaps and exchanges single super-points, rather than being IPC-k-means alone
    moves: bool = False
    #: whether the collapse of the population is judged relative to the objective, rather than in its units
    relative: bool = False


#: The paper's four variants, and ``pcsos``: SMG-MDE whose local search also moves single super-points, swaps and Kempe
#: chains between exact assignments, and whose mutation looks only at distances; with many clusters, solutions take over
#: clusters of each other. It needs fewer and cheaper searches.
VARIANTS = {
    "S-MDE": MemeticVariant("exact"),
    "SG-MDE": MemeticVariant("greedy"),
    "SM-MDE": MemeticVariant("exact", mutates=True),
    "SMG-MDE": MemeticVariant("greedy", mutates=True),
    "pcsos": MemeticVariant("nearest", mutates=True, moves=True, relative=True),
}


def s_mdeclust(
    reduced: Reduced,
    *,
    seed: int,
    variant: str = "pcsos",
    centres: Floats | None = None,
    params: MemeticParams | None = None,
    use_all_time: bool = False,
    budget: Budget = AMPLE,
    on_improvement: Callable[[Solution], None] | None = None,
) -> Returned:
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
    centres : ndarray, shape (k, d'), optional
        Where the local search of the first member begins; at random unless given.
    params : MemeticParams, optional
        Population, stopping rules, and the like.
    use_all_time : bool
        Whether a fresh population follows one whose evolution has ended, until the budget says stop, rather than
        nothing. Where there is only one partition, or the best one costs nothing, nothing follows.
    budget : Budget
        When to stop, asked after every local search, and who solves integer programs.
    on_improvement : callable, optional
        Called with every new best solution.

    Returns
    -------
    tuple of (Solution or None, Record)
        No solution where the constraints are infeasible or the run was stopped before the first local search ended.
        The record has no message if the first population has evolved to its end, whatever happened later.

    Raises
    ------
    InputError
        If an option is out of its range.
    """
    one_of("variant", variant, VARIANTS)
    rng = seeded(seed)
    evolution = _Evolution(reduced, VARIANTS[variant], params or MemeticParams(), rng, budget, on_improvement)
    evolution.run(centres)
    has_ended = not (evolution.failure or budget.stop.asked())
    while use_all_time and not (evolution.is_over or budget.stop.asked()):
        evolution.run()
    best = evolution.incumbent.best
    record = record_of(variant, best, budget.stop, evolution.work, failure=evolution.failure)
    return best, replace(record, message="") if has_ended else record


class _Evolution:
    """The mutable state of one run."""

    def __init__(
        self,
        reduced: Reduced,
        variant: MemeticVariant,
        params: MemeticParams,
        rng: np.random.Generator,
        budget: Budget,
        on_improvement: Callable[[Solution], None] | None,
    ) -> None:
        self.reduced, self.variant = reduced, variant
        self.params, self.rng, self.budget = params, rng, budget
        self.incumbent = Incumbent(on_improvement=on_improvement)
        self.search = partial(search_from, rng=rng, on_way=self.incumbent.offer) if variant.moves else ipc_kmeans
        self.costs = Costs.of(reduced)
        self.grafted = partial(grafted, reduced, rng=rng, budget=budget)
        self.grafts = variant.moves and reduced.is_plain and reduced.n_clusters >= params.grafts_from
        self.members: list[Solution] = []
        self.centres: list[Floats] = []
        self.before: Solution | None = None  # the best solution before the last local search
        self.polished: Solution | None = None  # the best solution when all moves had been tried on it
        self.stall = 0
        self.work = Work()
        self.failure = ""

    @property
    def is_over(self) -> bool:
        """Whether no further population can find anything better."""
        has_choice = 1 < self.reduced.n_clusters < self.reduced.size
        return bool(self.failure) or not has_choice or self.incumbent.objective <= 0.0

    def run(self, centres: Floats | None = None) -> None:
        """Fill a population from random centres, then evolve it until a stopping rule holds (Algorithm 1).

        The first member may begin at given ones.
        """
        self.members, self.centres = [], []
        while len(self.members) < self.params.population:
            if self.members and self.budget.stop.asked():
                return
            start = random_centres(self.reduced, self.rng) if centres is None or self.members else centres
            if not self.members and not self.variant.moves:
                first = first_solution(self.reduced, self.costs, start, self.budget)
                if first is not None:
                    self.incumbent.offer(first)
            solution = self.local_search(start)
            if solution is None:
                return
            self.members.append(solution)
            self.centres.append(centres_of(self.reduced, solution.labels))
            self.note_best(solution)
        self.polish_best()
        generation, self.stall = 0, 0
        while generation != self.params.max_generations and not self.collapsed():
            generation += 1
            for index in range(self.params.population):
                if self.stall >= self.params.max_stall or self.budget.stop.asked() or self.failure:
                    return
                self.challenge(index)
            self.polish_best()

    def challenge(self, index: int) -> None:
        """Replace a member by an offspring, or by what it becomes with clusters of it, if that is better."""
        offspring = self.local_search(self.offspring_centres(index))
        if offspring is None:
            return
        self.note_best(offspring)
        if not self.replaced(index, offspring) and self.grafts:
            self.replaced(index, self.grafted(self.members[index], offspring))

    def replaced(self, index: int, solution: Solution) -> bool:
        """Put a solution in the place of a member if it is better, and tell whether it is."""
        if not tolerances.is_improvement(solution.objective, self.members[index].objective):
            return False
        self.members[index], self.centres[index] = solution, centres_of(self.reduced, solution.labels)
        if self.incumbent.offer(solution):
            self.stall = 0
        return True

    def offspring_centres(self, index: int) -> Floats:
        """Return the centres that crossover and mutation give for the member with this index."""
        others = np.delete(np.arange(self.params.population), index)
        parents = [self.centres[p] for p in self.rng.choice(others, 3, replace=False)]
        centres = crossover(parents[0], parents[1], parents[2], self.params.scale, self.rng)
        labels = self.membership(centres)
        if not self.variant.mutates:
            return centres
        kind, alpha = self.variant.assignment, self.params.alpha
        centres, work = mutate(
            self.reduced, centres, self.costs, self.rng, assignment=kind, labels=labels, alpha=alpha, budget=self.budget
        )
        self.work += work
        self.membership(centres)
        return centres

    def membership(self, centres: Floats) -> Indices | None:
        """Return the labels that complete an offspring, by the assignment of the variant; None where it has none."""
        if self.variant.assignment == "nearest":
            return None
        if self.variant.assignment == "greedy":
            return greedy_assign(self.costs(centres), self.reduced.graph)
        labels, work = completed(assign(self.costs(centres), self.reduced.graph, budget=self.budget))
        self.work += work  # where there are no labels the local search, whose first step is the same, says so
        return labels

    def local_search(self, centres: Floats) -> Solution | None:
        """Return the local optimum reached from these centres; None, and :attr:`failure`, where there is none."""
        self.before = self.incumbent.best
        limit = self.params.max_local_iterations
        solution, work, self.failure = self.search(
            self.reduced, centres, costs=self.costs, max_iterations=limit, budget=self.budget
        )
        self.work += work
        return solution

    def note_best(self, solution: Solution) -> None:
        """Keep the best solution, with clusters of this one, or else of the one before, and count vain offspring."""
        before = self.before
        if self.grafts and before is not None:
            better, other = sorted((solution, before), key=lambda each: each.objective)
            solution = self.grafted(better, other)
        self.incumbent.offer(solution)
        is_better = before is None or tolerances.is_improvement(self.incumbent.objective, before.objective)
        self.stall = 0 if is_better else self.stall + 1

    def polish_best(self) -> None:
        """Give the best solution, if it is new, the moves that local searches leave out: swaps, and all chains."""
        best, reduced, params = self.incumbent.best, self.reduced, self.params
        swaps, dense = reduced.size <= params.swaps_up_to, is_dense(reduced)
        is_long = dense and reduced.size * reduced.graph.indices.size > params.polish_up_to
        if is_long or not (self.variant.moves and (swaps or dense)):
            return
        if best is None or best is self.polished or self.budget.stop.asked():
            return
        limit = params.max_local_iterations
        improved, sweeps = improve(reduced, best.labels, rng=self.rng, max_sweeps=limit, swaps=swaps)
        self.work += Work(local_search_iterations=sweeps)
        self.incumbent.offer(improved)
        self.polished = self.incumbent.best
        self.replaced(int(np.argmin([member.objective for member in self.members])), improved)

    def collapsed(self) -> bool:
        """Return whether the objectives of the population differ by no more than delta, summed over all pairs."""
        objectives = np.sort([member.objective for member in self.members])
        size = objectives.size
        differences = float(objectives @ (2.0 * np.arange(size) - size + 1.0))
        unit = abs(objectives[0]) if self.variant.relative else 1.0
        return differences <= self.params.delta * unit


def match_centres(centres: Floats, reference: Floats) -> Floats:
    """Return the centres, shape (k, d), reordered so that the sum of squared distances to ``reference`` is least."""
    from scipy.optimize import linear_sum_assignment

    inner = reference @ centres.T
    distances = np.einsum("ij,ij->i", centres, centres)[None, :] - 2.0 * inner
    _, columns = linear_sum_assignment(distances)
    reordered: Floats = centres[columns]
    return reordered


def crossover(
    first: Floats, second: Floats, third: Floats, scale: tuple[float, float], rng: np.random.Generator
) -> Floats:
    """Return ``first + F (second - third)`` with F uniform in ``scale``; the first two are matched to the third.

    Matched centres make the step small where the parents agree: equal parents in any order give no step at all.
    """
    factor = rng.uniform(*scale)
    offspring: Floats = match_centres(first, third) + factor * (match_centres(second, third) - third)
    return offspring


def mutate(
    reduced: Reduced,
    centres: Floats,
    costs: Costs,
    rng: np.random.Generator,
    *,
    assignment: AssignmentKind,
    labels: Indices | None = None,
    alpha: float = 0.5,
    budget: Budget = AMPLE,
) -> tuple[Floats, Work]:
    """Return the centres with one relocated, and the exact assignments that it took.

    A super-point is drawn with probability ``(1 - alpha) e_i / E + alpha e_i d_i / sum_j e_j d_j``, d_i its distance
    to the centre it is assigned to while the chosen centre is missing. Where the exact assignment to the k - 1
    centres left is infeasible, alpha is 0, as in the paper. Limits of clusters and soft pairs are not looked at: one
    cluster is missing, and the labels only say which super-points are far from the others. The greedy assignment
    changes ``labels``, those of the offspring, or else greedy ones.
    """
    removed = int(rng.integers(reduced.n_clusters))
    matrix = costs(centres)
    remaining = np.arange(reduced.n_clusters) != removed
    work = Work()
    if assignment == "exact":
        found = assign(matrix, reduced.graph, allowed=remaining, budget=budget)
        labels, work = completed(found)
    elif not remaining.any():
        labels = None
    elif assignment == "greedy":
        labels = greedy_assign(matrix, reduced.graph, without=removed, labels=labels)
    else:
        labels = np.where(remaining, matrix, np.inf).argmin(axis=1).astype(np.intp)
    taken = None if labels is None else matrix[np.arange(labels.size), labels]
    shares = drawing_probabilities(reduced.weights, taken, alpha)
    relocated = centres.copy()
    relocated[removed] = reduced.coordinates[rng.choice(reduced.size, p=shares)]
    return relocated, work


def completed(found: Assignment | Unassigned) -> tuple[Indices | None, Work]:
    """Return the labels of an exact assignment, None where there are none, and the work that it was."""
    if isinstance(found, Unassigned):
        return None, Work(exact_assignments=1)
    return found.labels, Work(exact_assignments=1, integer_programs=int(found.used_integer_program))


def drawing_probabilities(weights: Floats, costs: Floats | None, alpha: float) -> Floats:
    """Return the probability of each super-point, shape (s,), from its cost ``e_i d_i^2``, or None: alpha is 0."""
    uniform: Floats = weights / weights.sum()
    if costs is None or alpha == 0.0:
        return uniform
    far = np.sqrt(weights * costs)  # e_i d_i
    if far.sum() <= 0.0:
        return uniform
    mixed: Floats = (1.0 - alpha) * uniform + alpha * far / far.sum()
    total: Floats = mixed / mixed.sum()
    return total
