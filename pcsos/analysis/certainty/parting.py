"""Parting: super-points are kept apart from the cores of other clusters, the heaviest first: they decide most pairs."""

from collections.abc import Iterator

import numpy as np

from pcsos.analysis.certainty.deciding import Deciding
from pcsos.analysis.certainty.relaxed import representatives


def part(deciding: Deciding) -> None:
    """Keep apart all that bounds keep apart."""
    tried: set[tuple[int, int]] = set()
    while not deciding.must_end:
        fresh = (pair for pair in _strangers(deciding) if representatives(deciding.problem, pair) not in tried)
        pair = next(fresh, None)
        if pair is None:
            return
        tried.add(representatives(deciding.problem, pair))
        deciding.keep_apart(pair)


def _strangers(deciding: Deciding) -> Iterator[tuple[int, int]]:
    """Yield super-points and cores of other clusters that no known partition puts together at a low cost."""
    problem, labels = deciding.problem, deciding.labels
    costs, core = deciding.moves()
    core_of = np.zeros(problem.n_clusters, np.intp)
    core_of[labels] = core
    i, j = problem.cannot_link.T
    is_open = costs >= deciding.cutoff
    is_open[np.arange(problem.size), labels] = False
    for one, other in ((i, j), (j, i)):
        is_core = core_of[labels[other]] == other
        is_open[one[is_core], labels[other[is_core]]] = False
    one, cluster = np.nonzero(is_open)
    for at in np.argsort(-problem.weights[one] * problem.weights[core_of[cluster]], kind="stable"):
        yield int(one[at]), int(core_of[cluster[at]])
