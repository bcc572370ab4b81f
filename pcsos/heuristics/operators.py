"""The operators of S-MDEClust: crossover (section 2 of its paper) and mutation (Algorithm 3)."""

from typing import Literal

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.heuristics.assignment.exact import Assignment, Unassigned, assign
from pcsos.heuristics.assignment.greedy import greedy_without
from pcsos.heuristics.centres import Costs
from pcsos.heuristics.record import Work
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.reduction import Reduced


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


#: How super-points are assigned while one centre is missing: ``exact`` or ``greedy`` as in the paper, or each to the
#: nearest remaining centre whatever the cannot-links say.
AssignmentKind = Literal["exact", "greedy", "nearest"]


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
        labels = greedy_without(matrix, reduced.graph, removed, labels=labels)
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
