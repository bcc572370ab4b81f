"""The role of a bounder, what surrounds it, and what is proved.

A run is a list of bounders over one loop (:func:`prove`): each that suits is asked in turn, and takes what is proved as
far as it can. It writes its proof down itself, as it goes, because what is proved of a block or a node has to be on
disk before the next one is begun; and it returns what is proved once, not again and again, because what takes long runs
in processes of its own, whose messages are heard in callbacks: they raise what is shown, and offer partitions, on the
way.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Protocol, Self

from pcsos.base import tolerances
from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import Stop
from pcsos.evidence.result import Reason
from pcsos.presolve.presolve import Presolved
from pcsos.problem.instance import Instance
from pcsos.problem.options import Budget, Options
from pcsos.search.journal import Writer
from pcsos.search.primal import Primal


@dataclass(frozen=True)
class Proved:
    """What is proved of a problem, and at what expense.

    Parameters
    ----------
    lower_bound : float
        No feasible partition costs less; infinity if there is none at all.
    is_closed : bool
        Whether more can not be proved, because no part of the problem is left open.
    needs_conditions : bool
        Whether only those prove more that count limits and soft pairs.
    reason : Reason or None
        Why a tree has ended; None where none was searched.
    nodes : int
        Nodes whose bound was computed.
    root_lower_bound, root_seconds : float or None, float
        What the root gave.
    n_blocks : int
        Blocks whose bounds add up to the lower bound.
    """

    lower_bound: float = 0.0
    is_closed: bool = False
    needs_conditions: bool = False
    reason: Reason | None = None
    nodes: int = 0
    root_lower_bound: float | None = None
    root_seconds: float = 0.0
    n_blocks: int = 1

    def raised(self, lower_bound: float, n_blocks: int = 1) -> Self:
        """Return the same with a bound that so many blocks prove, if that is better."""
        return replace(self, lower_bound=lower_bound, n_blocks=n_blocks) if lower_bound > self.lower_bound else self


@dataclass(frozen=True, eq=False)
class Context:
    """What surrounds a problem while it is bounded.

    Parameters
    ----------
    options : Options
        The gap asked for, limits, seed, engine and parameters.
    primal : Primal
        The best partition known, and where better ones are offered.
    pool : Pool
        Who may do something at the same time.
    stop : Stop
        The clock of the run, and whether it has to end.
    end : Stop
        The same also where the run file cannot be written; whoever asks it lets the workers know.
    writer : Writer
        Where proofs are stored, and every event is announced.
    """

    options: Options
    primal: Primal
    pool: Pool
    stop: Stop
    end: Stop
    writer: Writer

    @classmethod
    def of(
        cls,
        instance: Instance,
        options: Options,
        stop: Stop,
        pool: Pool | None = None,
        writer: Writer | None = None,
    ) -> Self:
        """Return the surroundings of an instance of which no partition is known."""
        pool, writer = pool or Pool(1), writer or Writer()

        def must_end() -> bool:
            must = bool(writer.failure) or stop.asked()
            if must:
                pool.stop()
            return must

        end = Stop(must_end, urgent=stop.urgent)
        return cls(options, Primal(instance, writer, pool, stop, end), pool, stop, end, writer)

    @property
    def budget(self) -> Budget:
        """What may be spent on colouring."""
        return Budget(self.stop, self.options.ilp, self.options.params.colouring)

    def with_gap(self, gap: float) -> Self:
        """Return the same with another gap to ask for."""
        return replace(self, options=replace(self.options, gap=gap))

    def narrowed(self) -> Self:
        """Ask for a smaller gap of the points where what is proved of them is lowered in the end, and that is felt."""
        instance, gap = self.primal.instance, self.options.gap
        if tolerances.is_absorbed(instance.cost_error(self.primal.objective), gap, self.primal.objective):
            return self
        self.primal.join()
        objective = self.primal.objective
        error = instance.cost_error(objective)
        return self if math.isinf(objective) else self.with_gap(tolerances.narrowed(gap, error, objective))

    def is_done(self, proved: Proved) -> bool:
        """Tell whether nothing more needs to be proved, or can be."""
        return proved.is_closed or proved.lower_bound >= tolerances.cutoff(self.primal.objective, self.options.gap)


class Bounder(Protocol):
    """What proves lower bounds of a problem: an instance, or a state of one."""

    def suits(self, problem: Presolved, proved: Proved, context: Context) -> bool:
        """Tell whether it is worth asking, which takes no time to speak of."""

    def bound(self, problem: Presolved, proved: Proved, context: Context) -> Proved:
        """Return what is proved together with what was, having written it down; better partitions are offered."""


def prove(bounders: Iterable[Bounder], problem: Presolved, proved: Proved, context: Context) -> Proved:
    """Return what the bounders that suit prove, one after the other, as long as it can be written down."""
    for bounder in bounders:
        if not context.writer.failure and bounder.suits(problem, proved, context):
            proved = bounder.bound(problem, proved, context)
    return proved
