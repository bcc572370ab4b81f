"""Best-first branch and bound (Paper, Algorithm 3): the only owner of mutable search state."""

import math
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace

from pcsos import tolerances
from pcsos.control.aside import LARGE
from pcsos.control.stop import OUT_OF_TIME, ProgramLostError, Stop
from pcsos.events import BoundImproved, CutRound, Event, IncumbentFound, NodeClosed, Notice
from pcsos.exceptions import RunFileError
from pcsos.incumbent import Incumbent
from pcsos.instance import Instance
from pcsos.line import is_line
from pcsos.options import Options
from pcsos.partition import Partition, canonical_labels, violation
from pcsos.presolve import Presolved
from pcsos.proof import (
    BoundClosing,
    Branching,
    FarStep,
    FixedStep,
    InfeasibleClosing,
    LineClosing,
    NodeRecord,
    OpenClosing,
    PriceClosing,
    SingleClosing,
)
from pcsos.reduction import Reduced
from pcsos.result import Reason
from pcsos.tree.apart import process_apart
from pcsos.tree.bounding import Watch, process
from pcsos.tree.flight import Flight
from pcsos.tree.frontier import Frontier
from pcsos.tree.journal import Journal, NullJournal
from pcsos.tree.line import process_line
from pcsos.tree.task import Found, Inheritance, Outcome, PartitionStart, Task, bound_of_what_was_cut_off
from pcsos.tree.workers import Workers

HeuristicFuture = Future[Found | None]
HOW = {
    BoundClosing: "bound",
    InfeasibleClosing: "infeasible",
    SingleClosing: "single",
    LineClosing: "line",
    PriceClosing: "prices",
    OpenClosing: "open",
    Branching: "branched",
}


class Search:
    """The tree of one run.

    Parameters
    ----------
    instance : Instance
        What is to be partitioned.
    presolved : Presolved
        What is known of it.
    options : Options
        Gap, limits, seed, engine.
    workers : Workers
        Who processes nodes.
    stop : Stop
        The clock of the run, and whether it has to end.
    notify : callable
        Told every event.
    journal : Journal
        Where nodes and incumbents are stored.

    Attributes
    ----------
    reduced : Reduced
        The root of the tree.
    nodes : int
        Nodes whose bound was computed.
    root_lower_bound, root_seconds : float or None, float
        What the root gave.
    failure : str
        Why the run file could not be written any more; empty if it could.
    """

    def __init__(
        self,
        instance: Instance,
        presolved: Presolved,
        options: Options,
        workers: Workers,
        *,
        stop: Stop,
        notify: Callable[[Event], None],
        journal: Journal,
    ) -> None:
        self.instance = instance
        self.reduced = presolved.reduced
        self.options = options
        self.nodes = 0
        self.root_lower_bound: float | None = None
        self.root_seconds = 0.0
        self.failure = ""
        self._clock = stop
        self._stop = Stop(self._must_stop, urgent=stop.urgent)
        self._notify = notify
        self._journal = journal
        self._frontier = Frontier(Task.root(presolved))
        self._flight = Flight(workers, self._stop, notify)
        self._reported = -math.inf
        self._incumbent: Incumbent[Partition] = Incumbent()
        self._joined: Incumbent[Partition] = Incumbent()  # which nodes are told of, at set points
        self._heuristic: HeuristicFuture | None = None
        self._is_shown = False
        workers.share(self.reduced)

    # What is known

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return self._clock.seconds

    @property
    def workers(self) -> Workers:
        """Who processes nodes: the calling process alone after a worker process was killed."""
        return self._flight.workers

    @property
    def partition(self) -> Partition | None:
        """The best partition known."""
        return self._incumbent.best

    @property
    def objective(self) -> float:
        """Objective of the incumbent, infinity without one."""
        return self._incumbent.objective

    @property
    def lower_bound(self) -> float:
        """The least bound of open nodes and closed ones; infinity if there is no partition at all.

        With a journal it is what the journal proves: what an interrupted node knew but could not write down is dropped.
        """
        return self._frontier.lower_bound

    @property
    def gap(self) -> float:
        """The gap proved so far."""
        return tolerances.relative_gap(self.objective, min(self.lower_bound, self.objective))

    @property
    def is_done(self) -> bool:
        """Whether no node needs to be processed any more."""
        return not self._frontier or self.lower_bound >= tolerances.cutoff(self.objective, self.options.gap)

    # What can be told to it

    def offer(self, found: Found) -> None:
        """Take over a partition of the original points if it is better than the incumbent.

        One that misses a limit of clusters is left alone: what reduced problems know of weights is rounded.
        """
        if self.instance.limits is not None and violation(self.instance, canonical_labels(found.labels)):
            return
        partition = Partition.of(self.instance, found.labels)
        self._joined.offer(partition)
        self._show(partition, found.source)

    def _show(self, partition: Partition, source: str) -> None:
        """Make a partition the incumbent if it is better; nodes are told of it when it is offered."""
        if self._incumbent.offer(partition):
            labels, objective = partition.labels, partition.objective
            self._write(lambda journal: journal.add_incumbent(labels, objective, source, self.seconds))
            self._notify(IncumbentFound(objective, source, self.seconds))

    def restore(self, partition: Partition) -> None:
        """Begin with the incumbent of an earlier part of the run."""
        self._incumbent.offer(partition)
        self._joined.offer(partition)
        self._notify(IncumbentFound(partition.objective, "", self.seconds))

    def separate(self, problem: Reduced, step: FarStep) -> None:
        """Begin with the instance's blocks moved (:mod:`pcsos.far_apart`); the root has not been begun yet."""
        self.reduced = problem
        root = self._frontier.pop()
        self._frontier.push(replace(root, steps=(step,), problem=None))

    def raise_bound(self, lower_bound: float) -> None:
        """Begin with a bound that somebody else has proved; the root has not been begun yet."""
        root = self._frontier.pop()
        self._frontier.push(replace(root, lower_bound=max(root.lower_bound, lower_bound)))

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has been found out about the root."""
        return self.nodes == 0 and self._frontier.first.problem is not None

    def expect(self, heuristic: HeuristicFuture) -> None:
        """Wait for this heuristic when its partition is needed, at the latest when the root is done."""
        self._heuristic = heuristic

    def replay(self, record: NodeRecord) -> None:
        """Take over a node that an earlier part of the run has processed."""
        task = self._frontier.take(record.node)
        if task is None:
            raise RunFileError(
                f"the run file holds node {record.node}, which no branching leads to; start the run anew"
            )
        fixed = bound_of_what_was_cut_off(record.steps)
        state = task.state.after(record.steps)
        self._enter(task, Outcome(record, record.lower_bound, fixed, None, state, 0, 0))
        if record.parent is None:
            self.root_seconds = record.seconds

    # The loop

    def run(self) -> Reason:
        """Search until the gap is reached or a limit stops the run; return why it ended."""
        if self.lower_bound > 0.0:
            self._report()
        while True:
            reason = self._finished()
            if reason is not None:
                return reason
            self.step()

    def step(self) -> None:
        """Take up nodes, those with the least bounds first, as long as there is room; then apply the oldest outcome."""
        while self._has_room():
            self._take_up()
        task, outcome = self._flight.next()
        self._apply(task, self._process_here(task) if outcome is None else outcome)
        self._drop_needless()
        self._report()

    def _finished(self) -> Reason | None:
        if self.is_done:
            if self.partition is None and self._frontier.closed_bound == math.inf:
                return Reason.INFEASIBLE
            return Reason.GAP_REACHED if tolerances.reaches(self.gap, self.options.gap) else Reason.STALLED
        if self._flight:
            return None  # whatever else ends the run, what is in flight is heard before
        if self.failure:
            return Reason.RUN_FILE_FAILED
        if self._clock.asked():
            return reason_of(self._clock)
        limit = self.options.node_limit
        return Reason.NODE_LIMIT if limit is not None and self.nodes >= limit else None

    def _has_room(self) -> bool:
        """Tell whether one more node is to be taken up: one in any case, others beside it where they are needed."""
        if not self._flight:
            return True
        if self._flight.is_full or self._frontier.first_bound >= self._needed_below or self._must_stop():
            return False
        limit = self.options.node_limit
        return limit is None or self.nodes + len(self._flight) < limit

    def _take_up(self) -> None:
        """Take up the node with the least bound: here if there is no other one, so that its rounds are shown."""
        has_others = len(self._frontier) > 1
        task = self._frontier.pop()
        if has_others and self.workers.number > 1:
            self._flight.begin(task, self.reduced, self._joined.objective, self.options, self._clock.seconds_left)
        else:
            self._flight.begin_here(task)

    def _drop_needless(self) -> None:
        """Let nodes in flight that need not be processed any more wait instead, whatever is known of them by now."""
        for task in self._flight.drop(self._needed_below):
            self._frontier.push(task)

    @property
    def _needed_below(self) -> float:
        """The bound from which on no open node needs to be processed; infinity if closed nodes prove less than that."""
        cutoff = tolerances.cutoff(self.objective, self.options.gap)
        return cutoff if self._frontier.closed_bound >= cutoff else math.inf

    def _process_here(self, task: Task) -> Outcome:
        """Process a node beside the workers, showing its rounds; the root is bounded like this."""
        if task.parent is None and is_line(self.instance):
            return process_line(self.instance, task, self._stop, self.offer)
        if task.parent is None and self._joined.best is not None:
            penalty = self.options.params.admm.informed_penalty
            task = replace(task, inheritance=PartitionStart(self._joined.best.labels, penalty))

        def on_round(size: int, num_cuts: int, bound: float, num_fixed: int) -> None:
            self._notify(CutRound(task.node, size, bound, num_cuts, num_fixed, self.seconds))
            self._peek_at_heuristic()

        num_threads = 1 if self._flight else self.workers.num_threads
        watch = Watch(self._stop, self.offer, self._best_objective, on_round, num_threads)
        arguments = (self.reduced, task, self._joined.objective, self.options, watch)
        if self.reduced.size <= LARGE:
            return process(*arguments)
        try:
            return process_apart(*arguments, self._peek_at_heuristic)
        except ProgramLostError:
            self._notify(Notice("the process of a node was killed; the node is processed once more"))
            return process(*arguments)

    def _best_objective(self, bound: float) -> float:
        objective, needed = self._joined.objective, self.options.params.tree.heuristic_needed_gap
        if math.isinf(objective) or tolerances.relative_gap(objective, bound) < needed:
            self.join_heuristic()
        return self._joined.objective

    def join_heuristic(self) -> None:
        """Wait for the heuristic beside the search, and take over what it has found."""
        if self._heuristic is None:
            return
        future, self._heuristic = self._heuristic, None
        found = self._flight.result_of(future)
        if found is not None:
            self.offer(found)

    def _peek_at_heuristic(self) -> None:
        """Show what the heuristic has found as soon as it has; nodes hear of it when they join it, at a set point."""
        future = self._heuristic
        if self._is_shown or future is None or not future.done():
            return
        self._is_shown = True
        if future.cancelled() or future.exception() is not None:
            return
        found = future.result()
        if found is not None:
            self._show(Partition.of(self.instance, found.labels), found.source)

    # Its parts

    def _must_stop(self) -> bool:
        """Tell whether the run has to end, the heuristic beside the root included."""
        must = bool(self.failure) or self._clock.asked()
        if must:
            self._flight.workers.stop()
        return must

    def _apply(self, task: Task, outcome: Outcome) -> None:
        """Take over what a processed node found and proved, and tell the outside."""
        if task.parent is None:
            self.join_heuristic()
        if outcome.found is not None:
            self.offer(outcome.found)
        bound = self._enter(task, outcome)
        record = outcome.record
        if record is not None:
            self._write(lambda journal: journal.add_node(record))
            how, num_open = HOW[type(record.closing)], len(self._frontier)
            self._notify(NodeClosed(task.node, task.parent, outcome.size, bound, how, num_open, self.seconds))

    def _enter(self, task: Task, outcome: Outcome) -> float:
        """Enter a processed node into the tree; return its bound."""
        known = outcome.record is not None or not self._journal.keeps
        bound = max(task.lower_bound, outcome.lower_bound) if known else task.lower_bound
        if task.parent is None:
            self.root_lower_bound = None if math.isinf(bound) else bound
            self.root_seconds = self.seconds
        if outcome.record is None:
            self._frontier.push(replace(task, lower_bound=bound))
            return bound
        if isinstance(outcome.record.closing, OpenClosing):
            proof = FixedStep(outcome.record.closing.multipliers, (), outcome.record.closing.lower_bound)
            self._frontier.push(replace(task, lower_bound=bound, steps=(*outcome.record.steps, proof), problem=None))
            return bound
        self.nodes += 1
        closing = outcome.record.closing
        if isinstance(closing, Branching):
            self._frontier.close(task.node, outcome.fixed_bound)
            inheritance = Inheritance.from_parent(outcome.state.apply(self.reduced), closing)
            for decision in (closing.decision, closing.decision.opposite):
                state = outcome.state.with_decisions((decision,))
                node = self._frontier.new_node()
                self._frontier.push(Task(node, task.node, decision, state, bound, inheritance))
        else:
            self._frontier.close(task.node, bound)
        return bound

    def _write(self, action: Callable[[Journal], None]) -> None:
        """Write to the run file; if that fails the run goes on to its end without, and stops."""
        try:
            action(self._journal)
        except RunFileError as error:
            self.fail(error)

    def fail(self, error: RunFileError) -> None:
        """Stop because the run file cannot be written."""
        self._journal = NullJournal()
        self.failure = str(error)
        self._notify(Notice(f"the run stops because its run file cannot be written: {error}"))

    def _report(self) -> None:
        if self._reported < self.lower_bound < math.inf:
            self._reported = self.lower_bound
            self._notify(BoundImproved(self.lower_bound, self.seconds))


def reason_of(stop: Stop) -> Reason:
    """Return why a run that was stopped has ended."""
    return Reason.TIME_LIMIT if stop.reason == OUT_OF_TIME else Reason.INTERRUPTED
