"""What is known of pairs and its relaxation: a good partition, and the cutting-plane loop that bounds all others."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pcsos.base.control.stop import Stop
from pcsos.base.control.subprocess import interruptibly
from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.numerics.kernels import prepare
from pcsos.base.typing import Indices
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.cuts import join
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane, relaxation_warm_ups
from pcsos.bounds.relaxation.engine import WarmStart, start_from
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.families.departures import departure
from pcsos.bounds.relaxation.peng_wei import shortage
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.result import Standing
from pcsos.heuristics import run
from pcsos.presolve.deletion_filter import with_conflict
from pcsos.presolve.implied_pairs import infer_and_check, infer_pairs
from pcsos.problem.instance import Instance, refuse_outliers
from pcsos.problem.options import AMPLE, Budget
from pcsos.problem.params import Params
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import APART, OPEN, TOGETHER, Reduced, contract, reduce_instance
from pcsos.search.task import Inheritance

#: Two points, and whether they belong together; None where the answer was unknown.
Answered = tuple[int, int, bool | None]


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The pairs that are known, with those that they force together and apart."""

    instance: Instance  #: the points, and the pairs that were given and answered
    problem: Reduced  #: the same with all must-links contracted and with the pairs that the number of clusters forces

    @classmethod
    def of(cls, instance: Instance, budget: Budget = AMPLE) -> "Knowledge":
        """Return what the pairs of an instance say.

        Raises
        ------
        InfeasibleError
            If they contradict one another, with the chain of pairs that shows it.
        """
        refuse_outliers(instance.outliers, "what pairs say")
        try:
            problem, _ = infer_and_check(reduce_instance(instance), budget=budget)
        except InfeasibleError as error:
            raise with_conflict(error, instance, budget=budget) from error
        if instance.n_clusters == 1:
            problem = contract(problem, [(0, other) for other in range(1, problem.size)], ())
        return cls(instance, problem)

    def with_answers(self, answers: Iterable[Answered]) -> "Knowledge":
        """Return what is known after further answers; raises what :meth:`of` raises."""
        answers = [answer for answer in answers if answer[2] is not None]
        if not answers:
            return self
        old = self.instance
        must, cannot = (
            [*pairs.tolist(), *((i, j) for i, j, same in answers if same is wanted)]
            for pairs, wanted in ((old.must_link, True), (old.cannot_link, False))
        )
        return Knowledge.of(old.with_(must_link=must, cannot_link=cannot))

    def relation(self, i: int, j: int) -> bool | None:
        """Return whether points i and j are together (True), apart (False) or not known to be either (None)."""
        return self.problem.relation(i, j)

    def row(self, i: int) -> NDArray[np.int8]:
        """Return for each point whether it is TOGETHER with point i, APART from it, or OPEN, shape (n,)."""
        component = self.problem.component
        relation = np.full(self.problem.size, APART if self.problem.is_whole else OPEN, np.int8)
        relation[self.problem.graph.neighbours(int(component[i]))] = APART
        relation[component[i]] = TOGETHER
        return relation[component]

    @cached_property
    def num_open(self) -> int:
        """Number of pairs of points about which nothing is known."""
        if self.problem.is_whole:
            return 0
        sizes = np.bincount(self.problem.component)
        i, j = self.problem.cannot_link.T
        n = self.problem.component.size
        return (n * n - int((sizes**2).sum())) // 2 - int((sizes[i] * sizes[j]).sum())


PARAMS = Params()
#: With many looks at the bound, which is likely to be enough soon.
IMPATIENT = replace(PARAMS, admm=replace(PARAMS.admm, iterations=10))


def good_partition(knowledge: Knowledge, seed: int, stop: Stop) -> Partition | None:
    """Return the best partition that S-MDEClust finds under what is known, None if it finds none in time."""
    should_stop = None if stop.is_idle else stop.asked
    return run(knowledge.instance, seed=seed, should_stop=should_stop, urgent=stop.urgent).partition


def relax(problem: Reduced, labels: Indices) -> CuttingPlane:
    """Return the cutting-plane loop of a problem, begun from the partition of these labels of points, shape (n,).

    Raises
    ------
    InputError
        If it does not fit into memory.
    """
    if lacking := shortage(problem.size):
        raise InputError(f"bounding {lacking}; take another strategy, such as kmmffqs, or a sample of the points")
    prepare(relaxation_warm_ups(is_plain=problem.is_plain), aside=interruptibly)
    return _loop(problem, start_from(problem, labels[problem.representative], PARAMS.admm.informed_penalty))


def carried(plane: CuttingPlane, before: Reduced, after: Reduced, params: Params = PARAMS) -> CuttingPlane:
    """Return the loop of a problem that contracts or restricts another one, begun where that one's loop stands."""
    return _loop(after, _inherited(plane, before, after), params)


def departing(plane: CuttingPlane, problem: Reduced, core: int, others: Indices) -> CuttingPlane:
    """Return the loop that bounds partitions in which others are not all with a core, begun where a loop stands."""
    warm = _inherited(plane, problem, problem)
    old = warm.multipliers
    cuts, weights = join(departure(core, others), old.cuts), np.concatenate([[0.0], old.weights])
    return _loop(problem, replace(warm, multipliers=Multipliers(old.box, cuts, weights)), IMPATIENT)


def glimpsed(plane: CuttingPlane, before: Reduced, after: Reduced, iterations: int, stop: Stop) -> CuttingPlane:
    """Return the same after a few iterations without a look at the bound, which tell where the loop would lead."""
    loop = carried(plane, before, after, Params(admm=replace(PARAMS.admm, iterations=iterations)))
    loop.engine.advance(stop)
    return loop


def restricted(problem: Reduced, pair: tuple[int, int], together: bool) -> Reduced | None:
    """Return the problem with a pair of super-points together or apart, None if nothing is left of it."""
    try:
        return infer_pairs(contract(problem, [pair] if together else (), () if together else [pair]))[0]
    except InfeasibleError:
        return None


def trivial_bound(problem: Reduced) -> float:
    """Return a safe bound on the cost of the partition of a trivial problem, which is its cost but for rounding."""
    return prove(peng_wei.build(problem), Multipliers.none(problem.size))


def _inherited(plane: CuttingPlane, before: Reduced, after: Reduced) -> WarmStart:
    return Inheritance(before.component, plane.relaxation.masses, plane.warm_start()).carried_to(after)


def _loop(problem: Reduced, warm: WarmStart, params: Params = PARAMS) -> CuttingPlane:
    return CuttingPlane(peng_wei.build(problem), engine_factory("admm", params), warm, params.cuts)


def representatives(problem: Reduced, pair: tuple[int, int]) -> tuple[int, int]:
    """Return the first points of two super-points."""
    i, j = np.sort(problem.representative[list(pair)]).tolist()
    return i, j


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
        """Return the cutting-plane loop after a few rounds, which is shared: further rounds are done on a copy.

        The partition is what :meth:`partition` returns.
        """
        if self._plane is None:
            first, problem = self.first, self.knowledge.problem
            before = None if first is self or shortage(first.knowledge.problem.size) else first.partition(stop)
            if before is None:
                plane = relax(problem, partition.labels)
            else:
                plane = carried(first.relaxation(before, stop), first.knowledge.problem, problem)
            plane.advance(stop, math.inf, ROUNDS)
            self._plane = plane
        return self._plane
