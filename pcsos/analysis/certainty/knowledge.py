"""Knowledge: what answers say about pairs of points, and what follows from them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InfeasibleError
from pcsos.presolve.colouring.budget import AMPLE, Budget
from pcsos.presolve.deletion_filter import with_conflict
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, contract, reduce_instance
from pcsos.problem.relations import APART, OPEN, TOGETHER, apart_from, is_whole, relation

#: Two points, and whether they belong together; None where somebody was asked who did not know.
Answered = tuple[int, int, bool | None]


@dataclass(frozen=True, eq=False)
class Knowledge:
    """The pairs that are known, with those that they force together and apart.

    Parameters
    ----------
    instance : Instance
        The points, and the pairs that were given and answered.
    problem : Reduced
        The same with all must-links contracted and with the pairs that the number of clusters forces.
    """

    instance: Instance
    problem: Reduced

    @classmethod
    def of(cls, instance: Instance, budget: Budget = AMPLE) -> "Knowledge":
        """Return what the pairs of an instance say.

        Raises
        ------
        InfeasibleError
            If they contradict one another, with the chain of pairs that shows it.
        """
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
        """Tell whether points i and j are together (True), apart (False) or not known to be either (None)."""
        return relation(self.problem, i, j)

    def row(self, i: int) -> NDArray[np.int8]:
        """Return for each point whether it is TOGETHER with point i, APART from it, or OPEN, shape (n,)."""
        component = self.problem.component
        relation = np.full(self.problem.size, APART if is_whole(self.problem) else OPEN, np.int8)
        relation[apart_from(self.problem, int(component[i]))] = APART
        relation[component[i]] = TOGETHER
        return relation[component]

    @cached_property
    def num_open(self) -> int:
        """Number of pairs of points about which nothing is known."""
        if is_whole(self.problem):
            return 0
        sizes = np.bincount(self.problem.component)
        i, j = self.problem.cannot_link.T
        n = self.problem.component.size
        return (n * n - int((sizes**2).sum())) // 2 - int((sizes[i] * sizes[j]).sum())
