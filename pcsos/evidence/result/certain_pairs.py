"""What is proved of pairs of points in all partitions nearly as good as the best one."""

import decimal
import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import StrEnum
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from pcsos.base.typing import Flags, Indices
from pcsos.evidence.result.words import VIEWS, whole_percent
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import APART, OPEN, TOGETHER, Reduced


@dataclass(frozen=True, eq=False)
class Doubts:
    """The pairs that are together in one partition within epsilon of the best one, and apart in another."""

    component: Indices  #: shape (n,): super-point of each point; the points of one are never in doubt
    labels: Indices  #: shape (s,): cluster of each super-point in the best partition known
    #: shape (s, k): whether pairs of a super-point and others of a cluster are in doubt because of where it may go: its
    #: own cluster, which it leaves, and each one that it may join
    differs: Flags

    def about(self, i: int, j: int) -> bool:
        """Return whether points i and j are in doubt."""
        a, b = self.component[[i, j]].tolist()
        return a != b and bool(self.differs[a, self.labels[b]] or self.differs[b, self.labels[a]])

    def matrix(self) -> Flags:
        """Return whether each pair of points is in doubt, shape (n, n)."""
        one = self.differs[np.ix_(self.component, self.labels[self.component])]
        return np.asarray((one | one.T) & (self.component[:, None] != self.component))

    @property
    def number(self) -> int:
        """Number of pairs of points in doubt."""
        counts = np.bincount(self.component)
        k = self.differs.shape[1]
        steady = np.zeros((k, k), np.int64)  # points of one cluster that have no doubt because of where they may go
        np.add.at(steady, self.labels, np.where(self.differs, 0, counts[:, None]))
        sizes = np.bincount(self.labels, counts, k).astype(np.int64)
        squares = np.bincount(self.labels, counts**2, k).astype(np.int64)
        own = self.differs[np.arange(counts.size), self.labels]
        left = np.bincount(self.labels, np.where(own, 0, counts**2), k).astype(np.int64)
        inside = (sizes**2 - squares) - (steady.diagonal() ** 2 - left)
        between = np.triu(np.outer(sizes, sizes) - steady * steady.T, 1)
        return int(inside.sum()) // 2 + int(between.sum())


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


class Reported(ABC):
    """What has a page for colleagues."""

    @abstractmethod
    def _write_page(self, path: str | PathLike[str], data: str) -> None:
        """Write the page, given what the data are called."""

    def report(self, path: str | PathLike[str], *, data: str = "") -> None:
        """Write a page for a colleague: one HTML file that needs no network (``pip install "pcsos[report]"``).

        Parameters
        ----------
        path : path
            The file, which is replaced.
        data : str
            What the data are called, such as the name of their file: the page says it.

        Raises
        ------
        InputError
            If plotly is not installed.
        OSError
            If the page cannot be written.
        """
        self._write_page(path, data)


@dataclass(frozen=True, eq=False, repr=False)
class CertainPairs(Reported):
    """What is proved of pairs of points in all partitions within a factor ``1 + epsilon`` of the best one.

    A pair is *certain* if it is proved that it is together in all of them, or apart in all of them; *uncertain* if two
    of them are known that disagree on it; and *undecided* otherwise. What is said of certain and uncertain pairs holds
    whatever ended the search; with more time it is said of more pairs.

    Parameters
    ----------
    epsilon : float
        Which partitions count: those that cost at most ``1 + epsilon`` times the least cost.
    lower_bound : float
        A partition that has a certain pair the other way round costs at least this; infinity where the constraints
        alone decide them.
    problem : Reduced
        Points of one super-point are together, super-points with a cannot-link are apart.
    doubts : Doubts
        The uncertain pairs.
    reason : Ended
        Why no more was decided.
    instance : Instance
        What the points are.

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
    instance: Instance

    @property
    def status(self) -> Certainty:
        """How much is proved."""
        if self.num_open == 0:
            return Certainty.UNIQUE
        return Certainty.PARTIAL if self.num_undecided else Certainty.COMPLETE

    def relation(self, i: int, j: int) -> bool | None:
        """Return whether points i and j are together (True), apart (False), or neither for certain (None)."""
        return self.problem.relation(i, j)

    def is_uncertain(self, i: int, j: int) -> bool:
        """Return whether two partitions within epsilon are known that disagree on points i and j."""
        self.problem.refuse_unknown(i, j)
        return self.doubts.about(i, j)

    def matrix(self) -> NDArray[np.int8]:
        """Return 1 for pairs that are certainly together, -1 for apart, 0 for open, shape (n, n)."""
        size, component = self.problem.size, self.problem.component
        between = np.full((size, size), APART if self.problem.is_whole else OPEN, np.int8)
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
        if self.problem.is_trivial:
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
        share, total = whole_percent(self.epsilon), self.num_pairs
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

    def _repr_html_(self) -> str:
        return VIEWS.certain_html(self)

    def _write_page(self, path: str | PathLike[str], data: str) -> None:
        VIEWS.write_certain_pairs(path, self, data=data)

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


@dataclass(frozen=True, eq=False)
class Standing:
    """What is proved about all partitions that satisfy the answers."""

    partition: Partition  #: the best one known
    epsilon: float  #: within which relative distance of the best cost partitions count
    #: every partition that has a decided pair the other way round costs at least this, more than ``(1 + epsilon)``
    #: times the objective; infinity where nothing had to be proved
    lower_bound: float
    #: the decided pairs: points of one super-point are together, cannot-links apart, in all partitions within epsilon
    decided: Reduced
    pair: tuple[int, int] | None  #: a pair of points that is not decided and may be asked about, if there is one

    @property
    def is_settled(self) -> bool:
        """Whether all pairs are decided: no other partition lies within epsilon of this one."""
        return self.decided.is_trivial

    def relation(self, i: int, j: int) -> bool | None:
        """Return whether all partitions within epsilon have points i and j together (True) or apart (False)."""
        return self.decided.relation(i, j)

    def __str__(self) -> str:
        cost, share = f"{self.partition.objective:.10g}", whole_percent(self.epsilon)
        if not self.is_settled:
            return f"not settled: there may be other partitions within {share} of {cost}"
        if math.isinf(self.lower_bound):
            return f"settled: the answers leave one partition, which costs {cost}"
        return (
            f"settled: one partition costs {cost}, and every other one that agrees with the answers costs at least "
            f"{_rounded_down(self.lower_bound)}, over {share} more"
        )


def _rounded_down(bound: float) -> str:
    """Return ten digits of a bound, which are a bound, too."""
    with decimal.localcontext(decimal.Context(prec=10, rounding=decimal.ROUND_FLOOR)):
        return f"{float(+decimal.Decimal(bound)):.10g}"
