"""Variable fixing: pairs whose opposite decision bounds and penalties already rule out."""

import numpy as np

from pcsos.base.tolerances import EPS
from pcsos.base.typing import Indices
from pcsos.bounds.relaxation.peng_wei import PengWei
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import Decision
from pcsos.problem.reduction import Reduced


def expensive_pairs(reduced: Reduced, bound: float, cutoff: float) -> tuple[tuple[Decision, ...], float]:
    """Return how soft pairs have to be in a partition that costs less than ``cutoff``, as far as penalties tell.

    Parameters
    ----------
    bound : float
        Of the cost without the penalties of undecided pairs.

    Returns
    -------
    decisions : tuple of Decision
        Pairs of points, to be kept together or apart.
    least : float
        The least cost of breaking one of them, at least ``cutoff``; infinity where there are none.
    """
    soft, point = reduced.soft, reduced.representative
    decisions, least = [], np.inf
    for (i, j), apart, together in zip(soft.pairs.tolist(), soft.apart.tolist(), soft.together.tolist(), strict=True):
        ends = sorted((int(point[i]), int(point[j])))
        for kind, penalty in (("ML", apart), ("CL", together)):
            cost = (bound + penalty) * (1.0 - 4.0 * EPS)
            if penalty > 0.0 and cost >= cutoff:
                decisions.append(Decision("ML" if kind == "ML" else "CL", *ends))
                least = min(least, cost)
    return tuple(decisions), float(least)


def fixable_pairs(relaxation: PengWei, multipliers: Multipliers, bound: float, cutoff: float) -> tuple[Indices, float]:
    """Return the pairs of super-points that cannot share a cluster in a partition that costs less than ``cutoff``.

    If i and j share a cluster, Y_ij is at least sqrt(e_i e_j) / min(M_i, M_j), and its multiplier N_ij > 0 raises the
    bound L to ``L + 2 N_ij sqrt(e_i e_j) / min(M_i, M_j)`` (Mathematics 4).

    Parameters
    ----------
    multipliers : Multipliers
        In the units of the original sum of squares, as are ``bound`` (their safe bound) and ``cutoff``.

    Returns
    -------
    pairs : ndarray of int, shape (f, 2)
        Pairs i < j, cannot-links excepted.
    least : float
        The least of the raised bounds, at least ``cutoff``; infinity where nothing is fixed.
    """
    roots = relaxation.masses.roots
    narrow = np.minimum(relaxation.masses.largest[:, None], relaxation.masses.largest[None, :])
    raised = bound + 2.0 * np.maximum(multipliers.box, 0.0) * np.outer(roots, roots) / narrow * (1.0 - 16.0 * EPS)
    raised -= 4.0 * EPS * np.abs(raised)
    mask = np.triu((raised >= cutoff) & (relaxation.upper > 0.0), 1)
    pairs = np.argwhere(mask).astype(np.intp)
    least = float(raised[mask].min()) if pairs.size else np.inf
    return pairs, least
