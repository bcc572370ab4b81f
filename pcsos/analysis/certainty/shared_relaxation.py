"""Shared relaxation: what questions and proofs are both made from, computed once for what is known."""

import math

from pcsos.analysis.certainty.knowledge import Knowledge
from pcsos.analysis.certainty.relaxed import carried, good_partition, relax
from pcsos.base.control.stop import Stop
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.memory import shortage
from pcsos.evidence.result import Standing
from pcsos.problem.partition import Partition

#: Rounds of cutting planes of a relaxation that questions are chosen from and proofs begin with.
ROUNDS = 4


class SharedRelaxation:
    """A good partition and the relaxation of what is known, each made when it is first asked for.

    The relaxation begins where that of what was given at first stands, whose multipliers are good ones still, not where
    the one before the last answer stood: it is the same whichever way the answers came about, taken back or read from
    a log.

    Parameters
    ----------
    knowledge : Knowledge
        What is known.
    epsilon : float
        Within which relative distance of the best cost partitions count.
    seed : int
        Seed of all random choices.
    first : SharedRelaxation, optional
        That of what was given at first, if answers have come since.
    partition : Partition, optional
        A good partition, if one is known.

    Attributes
    ----------
    standings : dict
        What was found to be proved, by the pairs of groups that are not known, which are not asked about.
    """

    def __init__(
        self,
        knowledge: Knowledge,
        epsilon: float,
        seed: int,
        first: "SharedRelaxation | None" = None,
        *,
        partition: Partition | None = None,
    ) -> None:
        self.knowledge, self.epsilon, self.seed = knowledge, epsilon, seed
        self.first = self if first is None else first
        self.standings: dict[frozenset[tuple[int, ...]], Standing | None] = {}
        self._partition = partition
        self._plane: CuttingPlane | None = None

    def moved_to(self, knowledge: Knowledge) -> "SharedRelaxation":
        """Return that of what is known after further answers, or after some were taken back."""
        if knowledge is self.knowledge:
            return self
        if knowledge is self.first.knowledge:
            return self.first
        return SharedRelaxation(knowledge, self.epsilon, self.seed, self.first)

    def partition(self, stop: Stop) -> Partition | None:
        """Return a good partition that satisfies what is known, None if none is found in time."""
        if self._partition is None:
            self._partition = good_partition(self.knowledge, self.seed, stop)
        return self._partition

    def relaxation(self, partition: Partition, stop: Stop) -> CuttingPlane:
        """Return the cutting-plane loop after a few rounds, for all to look at: whoever goes on does so from a copy.

        Parameters
        ----------
        partition : Partition
            What :meth:`partition` returns.
        stop : Stop
            When to leave the rounds that are left.
        """
        if self._plane is None:
            plane = self._begun(partition, stop)
            plane.advance(stop, math.inf, ROUNDS)
            self._plane = plane
        return self._plane

    def _begun(self, partition: Partition, stop: Stop) -> CuttingPlane:
        """Return the loop before its first round."""
        first, problem = self.first, self.knowledge.problem
        before = None if first is self or shortage(first.knowledge.problem.size) else first.partition(stop)
        if before is None:
            return relax(problem, partition.labels)
        return carried(first.relaxation(before, stop), first.knowledge.problem, problem)
