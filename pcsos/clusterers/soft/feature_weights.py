"""Weights of features: the best ones for given gains, with a bound on their sum (Witten and Tibshirani 2010)."""

import numpy as np

from pcsos.base.typing import Floats


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
    >>> from pcsos.clusterers.soft.feature_weights import sparse_weights
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
