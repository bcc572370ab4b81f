"""Best-first branch and bound (Paper, Algorithm 3): the only owner of mutable search state."""

import math
import time
from dataclasses import replace

from pcsos.base import tolerances
from pcsos.base.control.pool import JobQueue
from pcsos.base.control.subprocess import LARGE, Here, try_job
from pcsos.base.events import BoundImproved, CutRound, NodeClosed
from pcsos.base.exceptions import RunFileError
from pcsos.evidence.kinds import Branching, Open
from pcsos.evidence.node import NodeRecord, set_aside
from pcsos.evidence.result import Reason
from pcsos.presolve.presolve import Presolved
from pcsos.search.conclusion import reason_of
from pcsos.search.role import Context
from pcsos.search.tree.bounding import Round, process, process_in_worker
from pcsos.search.tree.frontier import Frontier
from pcsos.search.tree.task import Found, Inheritance, Outcome, PartitionStart, Task


class Search:
    """The tree of one run.

    Parameters
    ----------
    problem : Presolved
        What is to be partitioned.
    context : Context
        Gap and limits, who processes nodes, the best partition known, and where nodes are stored.

    Attributes
    ----------
    primal : Primal
        The best partition known.
    reduced : Reduced
        The root of the tree.
    nodes : int
        Nodes whose bound was computed.
    root_lower_bound, root_seconds : float or None, float
        What the root gave.
    """

    def __init__(self, problem: Presolved, context: Context) -> None:
        self.reduced = problem.reduced
        self.options = context.options
        self.nodes = 0
        self.root_lower_bound: float | None = None
        self.root_seconds = 0.0
        self.primal, self._pool, self._writer = context.primal, context.pool, context.writer
        self._clock, self._end = context.stop, context.end
        self._frontier = Frontier(Task.root(problem))
        self._jobs = JobQueue(self._pool, self._end, self._writer.notice, self._process_here)
        self._reported = -math.inf
        self._pool.share(self.reduced)

    # What is known

    @property
    def lower_bound(self) -> float:
        """The least bound of open nodes and closed ones; infinity if there is no partition at all.

        With a journal it is what the journal proves: what an interrupted node knew but could not write down is dropped.
        """
        return self._frontier.lower_bound

    @property
    def gap(self) -> float:
        """The gap proved so far."""
        return tolerances.relative_gap(self.primal.objective, min(self.lower_bound, self.primal.objective))

    @property
    def is_done(self) -> bool:
        """Whether no node needs to be processed any more."""
        return not self._frontier or self.lower_bound >= tolerances.cutoff(self.primal.objective, self.options.gap)

    # What comes in from outside

    def raise_bound(self, lower_bound: float) -> None:
        """Begin with a bound that somebody else has proved; the root has not been begun yet."""
        root = self._frontier.pop()
        self._frontier.push(replace(root, lower_bound=max(root.lower_bound, lower_bound)))

    def replay(self, record: NodeRecord) -> None:
        """Take over a node that an earlier part of the run has processed."""
        task = self._frontier.take(record.node)
        if task is None:
            raise RunFileError(
                f"the run file holds node {record.node}, which no branching leads to; start the run anew"
            )
        fixed, state = set_aside(record.evidence), task.state.after(record.evidence)
        bound = math.inf if record.lower_bound >= self.reduced.most else record.lower_bound
        self._enter(task, Outcome(record, bound, fixed, None, state, 0, 0))
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
        task, outcome = self._jobs.next()
        self._apply(task, Outcome.left_open(task, task.lower_bound) if outcome is None else outcome)
        self._drop_needless()
        self._report()

    def _finished(self) -> Reason | None:
        if self.is_done:
            if self.primal.partition is None and self._frontier.closed_bound == math.inf:
                return Reason.INFEASIBLE
            return Reason.GAP_REACHED if tolerances.reaches(self.gap, self.options.gap) else Reason.STALLED
        if self._jobs:
            return None  # whatever else ends the run, what is at work is heard before
        if self._writer.failure:
            return Reason.RUN_FILE_FAILED
        if self._clock.asked():
            return reason_of(self._clock)
        limit = self.options.node_limit
        return Reason.NODE_LIMIT if limit is not None and self.nodes >= limit else None

    def _has_room(self) -> bool:
        """Tell whether one more node is to be taken up: one in any case, others beside it where they are needed."""
        if not self._jobs:
            return True
        if self._jobs.is_full or self._frontier.first_bound >= self._needed_below or self._end.asked():
            return False
        limit = self.options.node_limit
        return limit is None or self.nodes + len(self._jobs) < limit

    def _take_up(self) -> None:
        """Take up the node with the least bound: here if there is no other one, so that its rounds are shown."""
        has_others = len(self._frontier) > 1
        task = self._frontier.pop()
        if has_others and self._pool.number > 1:
            arguments = (self.reduced, task, self.primal.joined.objective, self.options)
            until = time.time() + self._clock.seconds_left
            future = self._pool.begin(process_in_worker, *arguments, until=until, bound=task.lower_bound)
            self._jobs.add(task, task.lower_bound, future)
        else:
            self._jobs.add(task, task.lower_bound)

    def _drop_needless(self) -> None:
        """Let nodes that were handed out and need not be processed any more wait instead, whatever is known of them."""
        for task in self._jobs.drop(self._needed_below):
            self._frontier.push(task)

    @property
    def _needed_below(self) -> float:
        """The bound from which on no open node needs to be processed; infinity if closed nodes prove less than that."""
        cutoff = tolerances.cutoff(self.primal.objective, self.options.gap)
        return cutoff if self._frontier.closed_bound >= cutoff else math.inf

    def _process_here(self, task: Task) -> Outcome:
        """Process a node beside the workers, showing its rounds; the root is bounded like this.

        A large one is processed in a process of its own, because a single step of it can take minutes. If that is left,
        the node stays open with the bound of its last round.
        """
        joined = self.primal.joined
        if task.parent is None and joined.best is not None:
            penalty = self.options.params.admm.informed_penalty
            task = replace(task, inheritance=PartitionStart(joined.best.labels, penalty))
        known = task.lower_bound

        def on_message(message: Round | Found) -> float | None:
            nonlocal known
            if isinstance(message, Found):
                self.primal.offer(message)
                return None
            known, objective = max(known, message.bound), self._best_objective(message.bound)
            figures = (message.size, message.bound, message.num_cuts, message.num_fixed)
            self._writer.notify(CutRound(task.node, *figures, self._clock.seconds))
            self.primal.peek()
            return objective

        num_threads = 1 if self._jobs else self._pool.num_threads
        arguments = (self.reduced, task, joined.objective, self.options, num_threads)
        is_long, meanwhile = self.reduced.size > LARGE, self.primal.peek
        outcome = try_job(
            process, *arguments, stop=self._end, is_long=is_long, on_message=on_message, meanwhile=meanwhile
        )
        if outcome is None and not self._end.asked():
            self._writer.notice("the process of a node was killed; the node is processed once more")
            return process(Here(self._end, on_message), *arguments)
        return Outcome.left_open(task, known) if outcome is None else outcome

    def _best_objective(self, bound: float) -> float:
        objective, needed = self.primal.joined.objective, self.options.params.tree.heuristic_needed_gap
        if math.isinf(objective) or tolerances.relative_gap(objective, bound) < needed:
            self.primal.join()
        return self.primal.joined.objective

    # Its parts

    def _apply(self, task: Task, outcome: Outcome) -> None:
        """Take over what a processed node found and proved, and tell the outside."""
        if task.parent is None:
            self.primal.join()
        self.primal.offer(outcome.found)
        bound = self._enter(task, outcome)
        record = outcome.record
        if record is not None:
            with self._writer.guarded() as journal:
                journal.add_node(record)
            figures = (outcome.size, bound, record.end.kind, len(self._frontier), self._clock.seconds)
            self._writer.notify(NodeClosed(task.node, task.parent, *figures))

    def _enter(self, task: Task, outcome: Outcome) -> float:
        """Enter a processed node into the tree; return its bound."""
        known = outcome.record is not None or not self._writer.journal.keeps
        bound = max(task.lower_bound, outcome.lower_bound) if known else task.lower_bound
        if task.parent is None:
            self.root_lower_bound = None if math.isinf(bound) else bound
            self.root_seconds = self._clock.seconds
        if outcome.record is None:
            self._frontier.push(replace(task, lower_bound=bound))
            return bound
        end = outcome.record.end
        if isinstance(end, Open):
            self._frontier.close(task.node, outcome.fixed_bound)
            self._frontier.push(replace(task, lower_bound=bound, state=outcome.state, steps=(), problem=None))
            return bound
        self.nodes += 1
        if isinstance(end, Branching):
            self._frontier.close(task.node, outcome.fixed_bound)
            inheritance = Inheritance.from_parent(outcome.state.apply(self.reduced), outcome.record)
            for decision in (end.decision, end.decision.opposite):
                state = outcome.state.with_decisions((decision,))
                node = self._frontier.new_node()
                self._frontier.push(Task(node, task.node, decision, state, bound, inheritance))
        else:
            self._frontier.close(task.node, bound)
        return bound

    def _report(self) -> None:
        if self._reported < self.lower_bound < math.inf:
            self._reported = self.lower_bound
            self._writer.notify(BoundImproved(self.lower_bound, self._clock.seconds))
