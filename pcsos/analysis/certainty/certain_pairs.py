"""Certain pairs: what all partitions nearly as good as the best one have in common, proved."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pcsos.analysis.certainty.deciding import standing_of
from pcsos.analysis.certainty.flips import uncertain_pairs
from pcsos.analysis.certainty.relaxed import Knowledge, SharedRelaxation, relax
from pcsos.base import tolerances
from pcsos.base.control.stop import NEVER, OUT_OF_TIME, Stop
from pcsos.base.control.subprocess import LARGE, Channel, refuse_loss, try_job
from pcsos.base.control.threads import blas_threads
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.evidence.result import CertainPairs, Ended
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import Reduced
from pcsos.problem.validation.arrays import relative_distance

#: Rounds of cutting planes of the relaxation that memberships are read from.
ROUNDS = 20


def certain_pairs(
    instance: Instance,
    partition: Partition,
    epsilon: float,
    *,
    lower_bound: float | None = None,
    stop: Stop = NEVER,
    on_progress: Callable[[CertainPairs], object] = lambda certain: None,
) -> CertainPairs:
    """Decide as many pairs as bounds can.

    The relaxation of the instance is solved once more, and its multipliers bound what costs a pair the other way
    round; where they do not tell, a pair is bounded by a relaxation of its own. A pair that is undecided may be certain
    nevertheless; one that is certain is so for all partitions that satisfy the constraints, whatever was rounded.

    Parameters
    ----------
    partition : Partition
        A good one; the better, the more is certain.
    epsilon : float
        Relative distance from the best cost, not negative.
    lower_bound : float, optional
        No partition of the instance costs less; without it no pair is known to be uncertain.
    on_progress : callable
        Called with what is proved so far, each time that it is more; the rest is undecided when ``stop`` asks for it.
    """
    epsilon = relative_distance("epsilon", epsilon)
    error = instance.cost_error(tolerances.beyond(partition.objective, epsilon))
    reference = replace(partition, objective=partition.objective + error)  # at least what its points cost
    shared = SharedRelaxation(Knowledge.of(instance), epsilon, 0, partition=reference)
    found = uncertain_pairs(shared.knowledge.problem, reference, epsilon, lower_bound or 0.0, 2.0 * error)

    cutoff = tolerances.beyond(reference.objective, epsilon)
    so_far = [(math.inf, shared.knowledge.problem)]

    def known(bound: float, problem: Reduced) -> CertainPairs:
        return CertainPairs(epsilon, instance.proved(bound), problem, found, _why(stop, problem), instance)

    def on_decided(problem: Reduced) -> None:
        so_far.append((cutoff, problem))
        on_progress(known(cutoff, problem))

    on_progress(known(*so_far[-1]))
    # Where a single step can take longer than anybody waits, in a subprocess that can be left.
    is_long = shared.knowledge.problem.size >= LARGE
    with blas_threads():
        decided = try_job(_standing, shared, stop=stop, is_long=is_long, on_message=on_decided, on_lost=refuse_loss)
    return known(*(decided or so_far[-1]))


def _standing(channel: Channel, shared: SharedRelaxation) -> tuple[float, Reduced]:
    """Decide pairs, and send what is decided each time that it is more."""
    standing = standing_of(shared, stop=channel.stop, may_ask=lambda i, j: False, on_decided=channel.send)
    assert standing is not None, "the partition is given"
    return standing.lower_bound, standing.decided


def _why(stop: Stop, problem: Reduced) -> Ended:
    """Return why no more is decided than a problem says."""
    if problem.is_trivial or not (stop.reason or shortage(problem.size)):
        return Ended.FINISHED
    if not stop.reason:
        return Ended.NO_MEMORY
    return Ended.TIME_LIMIT if stop.reason == OUT_OF_TIME else Ended.INTERRUPTED


def membership(instance: Instance, partition: Partition, *, stop: Stop = NEVER) -> Floats:
    """Return how far pairs are together in the relaxation, shape (n, n), from 0 (apart) to 1 (together).

    With ``Z_ij`` of section 2 it is ``Z_ij / sqrt(Z_ii Z_jj)``: 1 or 0 where the relaxation has a partition as its
    optimum. It suggests which pairs are in doubt and proves nothing.

    Raises
    ------
    InputError
        If the relaxation does not fit into memory.
    """
    problem = Knowledge.of(instance).problem
    if problem.is_trivial:
        together = np.eye(problem.size) if problem.n_clusters > 1 else np.ones((problem.size, problem.size))
        return together[np.ix_(problem.component, problem.component)]
    if lacking := shortage(problem.size):
        raise InputError(f"bounding {lacking}; take a sample of the points")
    plane = relax(problem, partition.labels)
    plane.advance(stop, partition.objective, ROUNDS)
    y = np.clip(plane.engine.y, 0.0, plane.relaxation.upper)
    z = y * np.outer(plane.relaxation.inverse_roots, plane.relaxation.inverse_roots)
    own = np.sqrt(np.maximum(z.diagonal(), plane.relaxation.lower.diagonal() / plane.relaxation.weights))
    shares = np.clip(z / np.outer(own, own), 0.0, 1.0)
    np.fill_diagonal(shares, 1.0)
    return np.asarray(shares[np.ix_(problem.component, problem.component)])
