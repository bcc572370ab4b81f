"""Sparse clustering: clusters and weights of features in turn (Vouros and Vasilaki 2021, sections 2.2 and 2.4).

The weights are the best ones for given gains, with a bound on their sum (Witten and Tibshirani 2010).
"""

from typing import Any

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.tolerances import EPS
from pcsos.base.typing import Floats
from pcsos.clusterers.soft.base import ClusteringTask
from pcsos.clusterers.soft.descent import Passes, SoftClustering, descend, means_and_scatter
from pcsos.clusterers.soft.pairs import NUM_STARTS, Penalties, broken_weights, most_agreeable, without_costs


def sparse_weights(gains: Floats, s: float) -> Floats:
    """Return the weights w that maximise ``w @ gains`` with ``w >= 0``, ``sum w^2 <= 1`` and ``sum w <= s``.

    They are gains less a threshold, clipped at 0 and scaled to length 1 (Vouros and Vasilaki 2021, equation 5). The
    threshold is exact: for the m largest gains it solves a quadratic equation, and one m fits. Where so many features
    share the largest gain that no threshold reaches s, these share s evenly.

    Parameters
    ----------
    gains : ndarray, shape (p,)
        What each feature contributes; one of them is positive.
    s : float
        At least 1.

    Returns
    -------
    ndarray, shape (p,)

    Examples
    --------
    >>> import numpy as np
    >>> from pcsos.clusterers.soft.sparse import sparse_weights
    >>> sparse_weights(np.array([4.0, 3.0, -1.0]), 2.0).tolist()
    [0.8, 0.6, 0.0]
    >>> sparse_weights(np.array([4.0, 3.0, -1.0]), 1.0).tolist()
    [1.0, 0.0, 0.0]
    """
    shares = np.maximum(gains, 0.0) / gains.max()
    weights: Floats = shares / np.sqrt((shares**2).sum())
    if weights.sum() <= s:
        return weights
    behind = 1.0 - shares
    margin = _margin(np.sort(behind), s)
    if margin == 0.0:
        return np.where(behind == 0.0, s / np.count_nonzero(behind == 0.0), 0.0)
    kept = np.maximum(margin - behind, 0.0)
    weights[:] = kept / np.sqrt((kept**2).sum())
    return weights


def _margin(behind: Floats, s: float) -> float:
    """Return how far the threshold lies below the largest gain; 0 where several share that, too many for s.

    With b_1 <= b_2 <= ... how far gains lie ``behind`` the largest one and m of them within the margin D, the sum u of
    ``D - b_j`` satisfies ``u^2 = s^2 (V + u^2 / m)`` where V is the sum of squares of b_1..b_m around their mean.
    """
    for m in range(int(np.floor(s * s)) + 1, behind.size + 1):
        own = behind[:m]
        spread = float(((own - own.mean()) ** 2).sum())
        margin = (s * np.sqrt(spread / (1.0 - s * s / m)) + own.sum()) / m
        if m == behind.size or margin <= behind[m]:
            return float(margin)
    return 1.0


#: Relative change of the weights, in sums of absolute values, below which they stand still (equation 7).
STANDSTILL = 1e-4
NO_GAIN = (
    "no feature gains more than the broken pairs cost, so the weights stay as they are; give other pairs, smaller "
    "weights of pairs, or penalise_weights=False"
)


def sparse_search(
    points: Floats,
    penalties: Penalties,
    s: float | None,
    centres: Floats,
    passes: Passes,
    *,
    penalise_weights: bool = True,
) -> SoftClustering:
    """Alternate clusters for given weights and weights for given clusters until the weights stand still.

    The weights that are found are at least 0, their squares sum to 1 at most and they to s; the objective is the
    weighted gain (equation 13) after each new weighting, which is to be large.

    Each round starts from the means of the one before and from no labels (step 2 of the paper), so that a point that
    its pairs held in a wrong cluster is free again; the weighted gain may fall on the way.

    Parameters
    ----------
    points, centres : ndarray, shapes (n, p) and (k, p)
        The points, and where to start.
    penalties : Penalties
        With a column a feature.
    s : float or None
        Bound on the sum of the weights, ``1 <= s <= sqrt(p)``; with None all features weigh the same.
    passes : Passes
        How many a round, and in which order; there are at most as many rounds.
    penalise_weights : bool
        Whether broken pairs lower the gains that the weights are made of (equation 15).
    """
    n_features = points.shape[1]
    weights = np.full(n_features, 1.0 / np.sqrt(n_features))
    total = ((points - points.mean(axis=0)) ** 2).sum(axis=0)
    least = total * (1.0 - len(points) * EPS)  # what lies above is distinguished from no gain by rounding only
    objectives: list[float] = []
    num_refilled, remark = 0, ""
    for _ in range(passes.most):
        roots = np.sqrt(weights)
        found = descend(points * roots, penalties, weights, centres * roots, passes)
        num_refilled += found.num_refilled
        centres, scatter = means_and_scatter(points, found.labels, len(centres))
        gains = np.where(scatter < least, total - scatter, 0.0)
        paid = penalties.of(found.labels)
        counted = gains - paid if penalise_weights else gains
        has_gain = counted.max() > 0.0
        previous = weights
        if s is not None and has_gain:
            weights = sparse_weights(counted, s)
        objectives.append(float(weights @ (gains - paid)))
        if np.abs(weights - previous).sum() < STANDSTILL * previous.sum():
            remark = "" if has_gain or not paid.any() else NO_GAIN
            break
    return SoftClustering(found.labels, centres, weights, tuple(objectives), num_refilled, remark)


#: Values of s that are tried besides equal weights, each larger than the last one by the same factor, up to the root of
#: the number of features.
NUM_VALUES = 5


def checked_sparsity(s: Any, n_features: int) -> float:
    """Return the bound on the sum of the weights.

    Raises
    ------
    InputError
        If it is none.
    """
    most = float(np.sqrt(n_features))
    if isinstance(s, bool) or not isinstance(s, int | float | np.number) or not 1.0 <= s <= most:
        raise InputError(
            f"s is {s!r}; give a number from 1 to the root of the number of features, {most:.6g} for {n_features}"
        )
    return float(s)


def halfway(n_features: int) -> float:
    """Return the value between one feature and all of them, for want of a better choice."""
    return (1.0 + float(np.sqrt(n_features))) / 2.0


def chosen_by_pairs(task: ClusteringTask) -> float | None:
    """Return the value of s whose clusters, found without a look at the pairs, agree with them best.

    None stands for equal weights: features are weighed only where the pairs say that it helps, or where half of them,
    or more, can be left out and no more pairs are broken. The start with the best objective counts.
    """
    points, pairs, (n, p) = task.points, task.pairs, task.points.shape
    free, varies = without_costs(n, p), np.ptp(points, axis=0) > 0.0
    values: list[float | None] = [None, *np.geomspace(1.0, np.sqrt(p), NUM_VALUES + 1)[:0:-1].tolist()]
    candidates = []
    for s in values:
        found = [sparse_search(points, free, s, centres, task.passes) for centres in task.starts[:NUM_STARTS]]
        candidates.append(max(found, key=lambda one: one.objectives[-1]))
    chosen = most_agreeable([one.labels for one in candidates], pairs)
    broken = [broken_weights(one.labels, pairs).sum() for one in candidates]
    left = [np.count_nonzero(one.weights[varies]) for one in candidates]
    sparse = [i for i in range(len(values)) if 2 * left[i] <= varies.sum() and broken[i] <= broken[chosen]]
    return values[min(sparse, key=broken.__getitem__, default=chosen)]
