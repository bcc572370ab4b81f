"""Sketch: super-points of thousands of coordinates in a few, where clusters cost almost the same.

A matrix of inner products has as many coordinates as its rank. The first principal components hold nearly all that sets
good clusters apart; what is left is spread over the others, and every partition pays nearly all of it.
"""

from dataclasses import replace

import numpy as np

from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.problem.reduction import Reduced, sum_of_weighted_squares

#: Coordinates of a sketch, and how many times as many a problem has at least that is worth one.
COORDINATES, WORTH = 128, 2
#: Columns of the random matrix beyond the coordinates that are kept, and products with the matrix to find their space.
BEYOND, PRODUCTS = 16, 2


def is_worth_sketching(reduced: Reduced) -> bool:
    """Tell whether a problem has so many coordinates that a sketch of it is searched faster."""
    return bool(min(reduced.means.shape) > WORTH * COORDINATES)


def sketch(reduced: Reduced, rng: np.random.Generator) -> Reduced:
    """Return the problem in the directions in which its super-points vary most.

    They are found by a randomised range finder (Halko, Martinsson and Tropp, 2011, algorithm 4.4). What the others hold
    is paid by every partition, so that no partition costs more in the problem than in the sketch.

    Parameters
    ----------
    reduced : Reduced
        The problem, in d coordinates.
    rng : numpy.random.Generator
        Draws the first directions.
    """
    heavy = reduced.means * np.sqrt(reduced.weights)[:, None]
    basis = rng.standard_normal((heavy.shape[1], COORDINATES + BEYOND))
    for _ in range(PRODUCTS):
        basis, _ = np.linalg.qr(heavy.T @ (heavy @ basis))
    _, _, turn = np.linalg.svd(heavy @ basis, full_matrices=False)
    means = reduced.means @ (basis @ turn[:COORDINATES].T)
    left = reduced.total - reduced.offset - sum_of_weighted_squares(means, reduced.weights)
    return replace(reduced, means=np.ascontiguousarray(means), offset=reduced.offset + max(left, 0.0))


def finished(reduced: Reduced, found: Solution) -> Solution:
    """Return what local search makes of a solution of a sketch in the problem itself."""
    return improve(reduced, found.labels, swaps=False)[0]
