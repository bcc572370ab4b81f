"""Gathering: super-points are put together with the core of their cluster, those first that are dearest to take away.

While a core is light, it might leave as well, so single super-points come first; then as many at once as it weighs. A
group that a bound does not decide goes on without those that depart most, if any do, and else one by one for a while.
"""

import numpy as np

from pcsos.analysis.certainty.deciding import Deciding
from pcsos.base.typing import Indices

#: Whoever departs by so many times the mean is left out; if none does, groups wait until the core is so much heavier.
FAR, HEAVIER = 2.0, 4.0


def gather(deciding: Deciding) -> None:
    """Put together all that bounds put together, cluster by cluster."""
    for cluster in range(deciding.problem.n_clusters):
        _gather_one(deciding, cluster)


def _gather_one(deciding: Deciding, cluster: int) -> None:
    """Put together what belongs to one cluster."""
    tried: set[int] = set()  # by their first points: alone in vain, or left out of groups
    left_out: set[int] = set()
    enough = 0.0
    while not deciding.must_end:
        core, others = _group(deciding, cluster, tried | left_out)
        if not others.size and left_out:
            left_out, enough = set(), np.inf  # one by one
            continue
        if not others.size:
            return
        weight, points = deciding.problem.weights[core], deciding.problem.representative
        if others.size == 1 or weight < enough:
            if not deciding.put_together((int(others[0]), core)):
                tried.add(int(points[others[0]]))
            continue
        departed = deciding.put_group_together(core, others)
        if departed is not None and (is_far := departed * others.size >= FAR).any():
            left_out |= set(points[others[is_far]].tolist())
        elif departed is not None:
            enough = HEAVIER * weight


def _group(deciding: Deciding, cluster: int, without: set[int]) -> tuple[int, Indices]:
    """Return the core of a cluster, and others that are dear to take from it: together not heavier, or a single one."""
    problem, labels = deciding.problem, deciding.labels
    pairs = [
        flip.pair
        for flip in reversed(deciding.flips())
        if labels[flip.pair[1]] == cluster
        and flip.cost >= deciding.cutoff
        and int(problem.representative[flip.pair[0]]) not in without
    ]
    if not pairs:
        return 0, np.empty(0, np.intp)
    core, others = pairs[0][1], np.array([pair[0] for pair in pairs], np.intp)
    most = int(problem.weights[core] / problem.weights[others].mean())
    return core, others[: max(1, most)]
