"""Certain pairs: what all partitions nearly as good as the best one have in common, proved."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from pcsos import tolerances
from pcsos.active.basis import Basis
from pcsos.active.doubts import Doubts, doubts
from pcsos.active.knowledge import APART, OPEN, TOGETHER, Knowledge, is_whole, relation
from pcsos.active.relaxed import is_trivial, relax
from pcsos.active.standing import standing_of
from pcsos.control.stop import NEVER, OUT_OF_TIME, Stop
from pcsos.exceptions import InputError
from pcsos.instance import Instance
from pcsos.partition import Partition
from pcsos.reduction import Reduced
from pcsos.relaxation.memory import shortage
from pcsos.typing import Floats, Indices

#: Rounds of cutting planes of the relaxation that memberships are read from.
ROUNDS = 20


class Certainty(StrEnum):
    """How much is proved about the pairs."""

    UNIQUE = "UNIQUE"  #: all are certain: no other partition lies within epsilon
    COMPLETE = "COMPLETE"  #: those that are not certain are uncertain
    PARTIAL = "PARTIAL"  #: some are undecided


class Ended(StrEnum):
    """Why no more was decided."""

    FINISHED = "FINISHED"  #: everything was tried
    TIME_LIMIT = "TIME_LIMIT"
    INTERRUPTED = "INTERRUPTED"
    NO_MEMORY = "NO_MEMORY"  #: the relaxation does not fit into memory


#: Words for it, where pairs are undecided.
WORDS = {
    Ended.FINISHED: "bounds tell no more",
    Ended.TIME_LIMIT: "the time limit was reached",
    Ended.INTERRUPTED: "it was interrupted",
    Ended.NO_MEMORY: "bounds do not fit into memory",
}


@dataclass(frozen=True, eq=False, repr=False)
class CertainPairs:
    """What is proved of pairs of points in all partitions within a factor ``1 + epsilon`` of the best one.

    A pair is *certain* if it is proved that it is together in all of them, or apart in all of them; *uncertain* if two
    of them are known that disagree on it; and *undecided* otherwise. What is said of certain and uncertain pairs holds
    whatever ended the search; with more time it is said of more pairs.

    Parameters
    ----------
    epsilon : float
        Which partitions count: those that cost at most ``1 + epsilon`` times the least cost.
    lower_bound : float
        Whatever has a certain pair the other way round costs at least this; infinity where the constraints alone
        decide them.
    problem : Reduced
        Points of one super-point are together, super-points with a cannot-link are apart.
    doubts : Doubts
        The uncertain pairs.
    reason : Ended
        Why no more was decided.

    Examples
    --------
    >>> import pcsos
    >>> certain = pcsos.solve([0.0, 1.0, 5.0, 9.0, 10.0], 2).certain_pairs(epsilon=0.1)
    >>> certain.relation(0, 1), certain.relation(0, 4), certain.relation(1, 2)
    (True, False, None)
    >>> certain.num_certain, certain.num_uncertain, certain.num_undecided, str(certain.status)
    (6, 4, 0, 'COMPLETE')
    """

    epsilon: float
    lower_bound: float
    problem: Reduced
    doubts: Doubts
    reason: Ended

    @property
    def status(self) -> Certainty:
        """How much is proved."""
        if self.num_open == 0:
            return Certainty.UNIQUE
        return Certainty.PARTIAL if self.num_undecided else Certainty.COMPLETE

    def relation(self, i: int, j: int) -> bool | None:
        """Tell whether points i and j are together (True), apart (False), or neither for certain (None)."""
        self._check(i, j)
        return True if self.problem.n_clusters == 1 else relation(self.problem, i, j)

    def is_uncertain(self, i: int, j: int) -> bool:
        """Tell whether two partitions within epsilon are known that disagree on points i and j."""
        self._check(i, j)
        return self.doubts.about(i, j)

    def _check(self, *points: int) -> None:
        n = self.problem.component.size
        for point in points:
            if not 0 <= point < n:
                raise InputError(f"point {point} does not exist; give indices from 0 to {n - 1}")

    def matrix(self) -> NDArray[np.int8]:
        """Return 1 for pairs that are certainly together, -1 for apart, 0 for open, shape (n, n)."""
        size, component = self.problem.size, self.problem.component
        between = np.full((size, size), APART if is_whole(self.problem) else OPEN, np.int8)
        i, j = self.problem.cannot_link.T
        between[i, j] = between[j, i] = APART
        np.fill_diagonal(between, TOGETHER)
        if self.problem.n_clusters == 1:
            between[:] = TOGETHER
        return between[np.ix_(component, component)]

    @property
    def groups(self) -> Indices:
        """Group of each point, shape (n,); the points of a group are certainly together."""
        return self.problem.component

    @property
    def num_pairs(self) -> int:
        """Number of pairs of points."""
        n = self.problem.component.size
        return n * (n - 1) // 2

    @property
    def num_open(self) -> int:
        """Number of pairs that are not certain: the uncertain and the undecided ones."""
        return self.num_pairs - self.num_certain

    @property
    def num_uncertain(self) -> int:
        """Number of pairs that are together in one known partition within epsilon, and apart in another."""
        return self.doubts.number

    @property
    def num_undecided(self) -> int:
        """Number of pairs about which neither is proved."""
        return self.num_open - self.num_uncertain

    @property
    def num_certain(self) -> int:
        """Number of pairs that are certainly together or apart."""
        counts = self.problem.counts
        inside = int((counts * (counts - 1)).sum()) // 2
        if is_trivial(self.problem):
            return self.num_pairs
        i, j = self.problem.cannot_link.T
        return inside + int((counts[i] * counts[j]).sum())

    @property
    def is_unique(self) -> bool:
        """Whether all pairs are certain: no other partition lies within epsilon."""
        return self.num_open == 0

    @property
    def why(self) -> str:
        """Why pairs are undecided, in words; nothing where none is."""
        return WORDS[self.reason] if self.num_undecided else ""

    def __str__(self) -> str:
        share, total = f"{100.0 * self.epsilon:g} %", self.num_pairs
        if self.status is Certainty.UNIQUE:
            return f"no other partition is within {share} of the best one"
        same = f"{self.num_certain} of {total} pairs are the same in every partition within {share} of the best one"
        if self.status is Certainty.COMPLETE:
            return f"{same}, the other {self.num_uncertain} are not"
        return (
            f"proved so far: at least {same}, and at least {self.num_uncertain} are not; {self.num_undecided} are "
            f"undecided ({self.why})"
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self})"

    def to_dict(self) -> dict[str, object]:
        """Return the figures and the groups, with plain Python values."""
        points = self.problem.representative
        return {
            "epsilon": self.epsilon,
            "status": str(self.status),
            "reason": str(self.reason),
            "lower_bound": self.lower_bound if math.isfinite(self.lower_bound) else None,
            "n_certain_pairs": self.num_certain,
            "n_uncertain_pairs": self.num_uncertain,
            "n_undecided_pairs": self.num_undecided,
            "groups": self.groups.tolist(),
            "apart": points[self.problem.cannot_link].tolist(),
        }


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
    stop : Stop
        When to leave the rest undecided.
    on_progress : callable
        Told what is proved so far, each time that it is more.
    """
    if not (isinstance(epsilon, int | float) and 0.0 <= epsilon < math.inf) or isinstance(epsilon, bool):
        raise InputError(f"epsilon is {epsilon!r}; give a share of the cost, such as 0.01")
    error = instance.cost_error
    reference = replace(partition, objective=partition.objective + error)  # at least what its points cost
    basis = Basis(Knowledge.of(instance), float(epsilon), 0, partition=reference)
    found = doubts(basis.knowledge.problem, reference, float(epsilon), lower_bound or 0.0, 2.0 * error)

    least = instance.proved(tolerances.beyond(reference.objective, float(epsilon)))

    def tell(problem: Reduced) -> None:
        bound = math.inf if problem is basis.knowledge.problem else least
        on_progress(CertainPairs(float(epsilon), bound, problem, found, _why(stop, problem)))

    tell(basis.knowledge.problem)
    standing = standing_of(basis, stop=stop, may_ask=lambda i, j: False, on_decided=tell)
    assert standing is not None, "the partition is given"
    bound = instance.proved(standing.lower_bound)
    return CertainPairs(float(epsilon), bound, standing.decided, found, _why(stop, standing.decided))


def _why(stop: Stop, problem: Reduced) -> Ended:
    """Return why no more is decided than a problem says."""
    if is_trivial(problem) or not (stop.reason or shortage(problem.size)):
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
    if is_trivial(problem):
        together = np.eye(problem.size) if problem.n_clusters > 1 else np.ones((problem.size, problem.size))
        return together[np.ix_(problem.component, problem.component)]
    if lacking := shortage(problem.size):
        raise InputError(f"bounding {lacking}; take a sample of the points")
    plane = relax(problem, partition.labels)
    for number in range(ROUNDS):
        if number > 0:
            plane.separate()
        plane.round(stop)
        if plane.stalled(partition.objective) or stop.asked():
            break
    y = np.clip(plane.engine.y, 0.0, plane.relaxation.upper)
    z = y * np.outer(plane.relaxation.inverse_roots, plane.relaxation.inverse_roots)
    own = np.sqrt(np.maximum(z.diagonal(), plane.relaxation.lower.diagonal() / plane.relaxation.weights))
    shares = np.clip(z / np.outer(own, own), 0.0, 1.0)
    np.fill_diagonal(shares, 1.0)
    return np.asarray(shares[np.ix_(problem.component, problem.component)])
