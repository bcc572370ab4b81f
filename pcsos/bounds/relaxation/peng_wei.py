"""The Peng-Wei semidefinite relaxation of one node, in normalised coordinates (Paper (7), Y = D^1/2 Z D^1/2).

Minimise ``total - <C, Y>`` over Y psd, Y u = u, tr Y = k, lower <= Y <= upper, and cuts.
"""

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from pcsos.base import tolerances
from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats
from pcsos.problem.limit_pairs import cluster_weights
from pcsos.problem.reduction import Reduced

#: Matrices of size s x s that a run holds at once, at most.
MATRICES = 32


def shortage(size: int, at_once: int = 1) -> str:
    """Return in words what so many relaxations of this size need and there is not; empty where memory holds them."""
    needed = MATRICES * 8.0 * size**2 * at_once
    if hasattr(os, "sysconf") and needed > (memory := float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))):
        return f"{size} super-points at once needs about {needed / 1e9:.0f} GB and there are {memory / 1e9:.0f} GB"
    return ""


def refuse_too_large(size: int) -> None:
    """Raise an :class:`InputError` if a relaxation cannot fit into memory, before anything is spent on it."""
    if lacking := shortage(size):
        raise InputError(
            f"bounding {lacking}; use another method (pcsos heuristic --method s-mdeclust), or a sample of the points"
        )


class Masses(NamedTuple):
    """What super-points and clusters weigh."""

    roots: Floats  #: shape (s,): sqrt(e_i)
    largest: Floats  #: shape (s,): M_i, the largest weight of a cluster that holds super-point i, rounded upwards
    #: shape (s,): the least weight of a cluster that holds super-point i; 0 without limits and bounds of the weight
    least: Floats


@dataclass(frozen=True, eq=False)
class PengWei:
    """The relaxation of a problem with s super-points, divided by ``scale`` so that its numbers are of size 1."""

    reduced: Reduced  #: the problem
    #: shape (s, s): C = Q Q^T / scale with rows q_i = sqrt(e_i) m_i, less the matrix of the penalties where there are
    #: soft pairs
    gram: Floats
    masses: Masses  #: what super-points and clusters weigh
    #: shape (s,): weights e_i, and the unit vector u with u_i = sqrt(e_i / E)
    weights: Floats
    direction: Floats
    #: shape (s, s): bounds on the entries of Y that hold for every partition, rounded outwards
    lower: Floats
    upper: Floats
    n_clusters: int  #: k
    scale: float  #: a power of two, so that scaling is exact
    total: float  #: (c_0 + tr C) / scale: the sum of squares about the mean of all points
    #: bound on what the rounding of centring, means, offset and Gram matrix can change in ``total - <C, Y>``
    formation_error: float

    @property
    def size(self) -> int:
        """Number of super-points s."""
        return int(self.weights.size)

    @cached_property
    def penalties(self) -> Floats:
        """What the soft pairs cost apart and together, in scaled units, shape (2 m + 1,); last the 0 of all others."""
        soft = self.reduced.soft
        return np.append(np.column_stack([soft.apart, soft.together]).ravel() / self.scale, 0.0)

    @property
    def entry_size(self) -> float:
        """The size k / E of the entries of Z."""
        return self.n_clusters / float(self.weights.sum())

    @property
    def inverse_roots(self) -> Floats:
        """1 / sqrt(e_i): Z_ij = Y_ij inverse_roots_i inverse_roots_j."""
        return 1.0 / self.masses.roots

    def in_original_units(self, bound: float) -> float:
        """Return a lower bound in the units of the original sum of squares; one that would be rounded up is 0."""
        product = bound * self.scale
        return 0.0 if 0.0 < product < tolerances.UNDERFLOW else product


def masses_of(reduced: Reduced) -> Masses:
    """Return what the super-points and clusters of a problem weigh."""
    least, largest = cluster_weights(reduced)
    return Masses(np.sqrt(reduced.weights), largest, least)


def build(reduced: Reduced) -> PengWei:
    """Return the relaxation of a reduced problem.

    Notes
    -----
    :func:`formation_error`: centring rounds each coordinate by one unit, a mean is a nested sum where no point passes
    through more than 4n + 8 operations, however often super-points were contracted, and the Gram matrix is an inner
    product of length d. Measured in the norm sum_p w_p ||x_p||^2 = total, in which the square root of the cost is a
    seminorm of the data, each is at most (4n + d + 16) units relative to the total; cost and offset each enter at most
    twice. The factor 10 (n + d) + 100 covers them together. Penalties of soft pairs bring
    their own error.
    """
    masses = masses_of(reduced)
    rows = reduced.means * masses.roots[:, None]
    gram = rows @ rows.T
    total = reduced.offset + float(np.trace(gram))
    if len(reduced.soft):
        gram = gram - reduced.soft.matrix(reduced.weights, masses.least)
    size = total + reduced.soft.total
    scale = 2.0 ** math.frexp(size)[1] if size > 0.0 else 1.0
    gram /= scale
    lower, upper = _box(reduced, masses)
    return PengWei(
        reduced=reduced,
        gram=gram,
        masses=masses,
        weights=reduced.weights,
        direction=np.sqrt(reduced.weights / reduced.weights.sum()),
        lower=lower,
        upper=upper,
        n_clusters=reduced.n_clusters,
        scale=scale,
        total=total / scale,
        formation_error=formation_error(reduced, total / scale) + reduced.penalty_error / scale,
    )


def formation_error(reduced: Reduced, total: float) -> float:
    """Return what rounding can change in costs while points become a relaxation with this sum of squares about 0."""
    units = 10.0 * (reduced.component.size + reduced.means.shape[1]) + 100.0
    return float(units * EPS * total)


def _box(reduced: Reduced, masses: Masses) -> tuple[Floats, Floats]:
    e, (roots, largest, least) = reduced.weights, masses
    both = e[:, None] + e
    np.maximum(np.maximum(both, least, out=both), least[:, None], out=both)
    upper = np.outer(roots, roots)
    upper /= both
    upper *= 1.0 + 8.0 * EPS
    np.fill_diagonal(upper, np.minimum(e / np.maximum(e, least) * (1.0 + 8.0 * EPS), 1.0))
    i, j = reduced.cannot_link.T
    upper[i, j] = upper[j, i] = 0.0
    lower = np.diag(e / largest * (1.0 - 8.0 * EPS))
    return lower, upper
