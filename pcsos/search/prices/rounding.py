"""Rounding: what local search makes of clusters around the places that earn most."""

import numpy as np

from pcsos.base.typing import Floats
from pcsos.heuristics.centres import Costs
from pcsos.heuristics.local_search import improve
from pcsos.heuristics.record import Solution
from pcsos.problem.reduction import Reduced


def rounded(reduced: Reduced, centres: Floats) -> Solution | None:
    """Return the partition that local search finds from these centres, if they are k and each is nearest to some."""
    if len(centres) < reduced.n_clusters:
        return None
    if reduced.means.shape[1] > reduced.size:  # costs are those along other axes then
        costs = (centres**2).sum(axis=1) - 2.0 * reduced.means @ centres.T
    else:
        costs = Costs.of(reduced)(centres)
    labels = np.argmin(costs, axis=1).astype(np.intp)
    if np.unique(labels).size < reduced.n_clusters:
        return None
    return improve(reduced, labels, swaps=False)[0]
