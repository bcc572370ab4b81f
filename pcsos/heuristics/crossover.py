"""The crossover of S-MDEClust: a differential step over centres that are matched first (section 2 of its paper)."""

import numpy as np

from pcsos.base.typing import Floats


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
