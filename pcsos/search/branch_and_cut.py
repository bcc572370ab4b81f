"""Best-first branch and bound (Paper, Algorithm 3): the only owner of mutable search state."""

import math
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from pcsos.base import tolerances
from pcsos.base.control.pool import JobQueue
from pcsos.base.events import BoundImproved, NodeClosed
from pcsos.base.exceptions import RunFileError
from pcsos.evidence.kinds import Branching, Open
from pcsos.evidence.node import NodeRecord, PartProof, decisions_of, set_aside
from pcsos.evidence.result import Reason
from pcsos.presolve.presolve import Presolved
from pcsos.search.frontier import Frontier
from pcsos.search.role import Bounder, Context, reason_of
from pcsos.search.task import Outcome, Task, inherited


class Search:
    """The tree of one run.

    Parameters
    ----------
    problem : Presolved
        What is to be partitioned.
    bounders : sequence of Bounder
        Who is asked about a node, in this order; the last one goes on with what an earlier part of the run left open.
    context : Context
        Gap and limits, who processes nodes, the best partition known, and where proofs are stored.
    lower_bound : float
        What is proved of the whole already.
    num_parts : int
        Parts whose bounds add up to that.

    Attributes
    ----------
    nodes : int
        Nodes whose bound was computed.
    root_lower_bound, root_seconds : float or None, float
        What the root gave.
    num_parts : int
        Parts whose bounds add up to what is proved of the root.
    """

    def __init__(
        self, problem: Presolved, bounders: Sequence[Bounder], context: Context, lower_bound: float = 0.0,
        num_parts: int = 1,
    ) -> None:  # fmt: skip
        self.problem, self.context = problem, context
        self.nodes, self.num_parts = 0, num_parts
        self.root_lower_bound: float | None = None
        self.root_seconds = 0.0
        self._bounders, self._is_stuck, self._reported = bounders, False, -math.inf
        self._frontier = Frontier(replace(Task.root(problem), lower_bound=lower_bound))
        self._jobs: JobQueue[Task, Iterable[Outcome]] = JobQueue(
            context.pool, context.end, context.writer.notice, self._bound_here
        )
        context.pool.share(problem.reduced)

    # What is known

    @property
    def lower_bound(self) -> float:
        """The least bound of open nodes and closed ones; infinity if there is no partition at all.

        With a journal it is what the journal proves: what an interrupted node knew but could not write down is dropped.
        """
        return self._frontier.lower_bound

    @property
    def root(self) -> Task:
        """The root, as long as it is open."""
        return self._frontier.first

    @property
    def gap(self) -> float:
        """The gap proved so far."""
        objective = self.context.primal.objective
        return tolerances.relative_gap(objective, min(self.lower_bound, objective))

    @property
    def is_done(self) -> bool:
        """Whether no node needs to be processed any more."""
        return (not self._frontier and not self._is_stuck) or self.lower_bound >= self.context.cutoff

    # What comes in from outside

    def begin(self, problem: Presolved, context: Context) -> None:
        """Take up the root once more, if it is open still, as more is known of it now."""
        self.problem, self.context = problem, context
        context.pool.share(problem.reduced)
        if self._frontier:
            root, own = self._frontier.pop(), Task.root(problem)
            self._frontier.push(replace(root, steps=own.steps, problem=own.problem))

    def replay(self, record: NodeRecord) -> None:
        """Take over what an earlier part of the run has proved of a node."""
        task = self._frontier.take(record.node)
        if task is None:
            raise RunFileError(
                f"the run file holds node {record.node}, which no branching leads to; start the run anew"
            )
        bound = math.inf if record.lower_bound >= self.problem.reduced.most else record.lower_bound
        state = task.state.after(record.evidence)
        still_open = self._enter(task, Outcome(bound, record, fixed_bound=set_aside(record.evidence), state=state))
        if still_open is not None:
            self._frontier.push(replace(still_open, num_asked=len(self._bounders) - 1))
        if task.is_root:
            self.root_seconds = record.seconds

    # The loop

    def run(self) -> Reason:
        """Search until the gap is reached or a limit stops the run; return why it ended."""
        self._report()
        while (reason := self._why_it_ends()) is None:
            self.step()
        return reason

    def step(self) -> None:
        """Take up nodes, those with the least bounds first, as long as there is room; then hear of the oldest one."""
        while self._has_room():
            self._take_up()
        if not self._jobs:
            return
        task, outcomes = self._jobs.next()
        still_open = self._hear(task, outcomes or ())
        if still_open is not None:
            self._frontier.push(still_open)
        self._drop_needless()
        self._report()

    def _drop_needless(self) -> None:
        """Let nodes that were handed out and need not be processed any more wait instead, whatever is known of them."""
        for task in self._jobs.drop(self._needed_below):
            self._frontier.push(task)

    def _hear(self, task: Task, outcomes: Iterable[Outcome]) -> Task | None:
        """Take over what is proved of a node as it comes; return the node if it is still open."""
        for outcome in outcomes:
            still_open = self._apply(task, outcome)
            if still_open is None:
                return None
            task = still_open
            self._frontier.hold(task)
            self._report()
        return task

    def _why_it_ends(self) -> Reason | None:
        options, stop = self.context.options, self.context.stop
        if self.is_done:
            return self._how_it_is_done()
        if self._jobs or self._is_asked_at_any_rate():
            return None  # whatever else ends the run, what is at work is heard before
        if self.context.writer.failure:
            return Reason.RUN_FILE_FAILED
        if stop.asked() or self._is_stuck:
            return reason_of(stop) if stop.asked() else Reason.STALLED
        return Reason.NODE_LIMIT if options.node_limit is not None and self.nodes >= options.node_limit else None

    def _how_it_is_done(self) -> Reason:
        if self.context.primal.partition is None and self._frontier.closed_bound == math.inf:
            return Reason.INFEASIBLE
        return Reason.GAP_REACHED if tolerances.reaches(self.gap, self.context.options.gap) else Reason.STALLED

    def _is_asked_at_any_rate(self) -> bool:
        """Tell whether somebody is to be asked first who knows how little to do where the run has to end."""
        if not self._frontier or self.context.writer.failure:
            return False
        bounder = self._bounder_of(self._frontier.first)
        return bounder is not None and bounder.is_asked_once

    def _has_room(self) -> bool:
        """Tell whether one more node is to be taken up: one in any case, others beside it where they are needed."""
        if not self._jobs:
            return len(self._frontier) > 0
        if self._jobs.is_full or self._frontier.first_bound >= self._needed_below or self.context.end.asked():
            return False
        limit = self.context.options.node_limit
        return limit is None or self.nodes + len(self._jobs) < limit

    def _take_up(self) -> None:
        """Take up the node with the least bound: here if there is no other one, so that its rounds are shown."""
        has_others = len(self._frontier) > 1
        task = self._frontier.pop()
        bounder = self._bounder_of(task)
        if bounder is None:
            self._is_stuck = True
            self._frontier.close(task.node, task.lower_bound)
        elif has_others and self.context.pool.number > 1:
            until = time.time() + self.context.stop.seconds_left
            self._jobs.add(task, task.lower_bound, bounder.begin(task, self.problem, self.context, until))
        else:
            self._jobs.add(task, task.lower_bound)

    def _bounder_of(self, task: Task) -> Bounder | None:
        """Return who is asked about a node next, None if all that suit were."""
        left = self._bounders[task.num_asked :]
        return next((bounder for bounder in left if bounder.suits(task, self.problem, self.context)), None)

    def _bound_here(self, task: Task) -> Iterator[Outcome]:
        """Yield what is proved of a node in this process, which may use all threads if nothing else is at work."""
        bounder = self._bounder_of(task)
        assert bounder is not None
        num_threads = 1 if self._jobs else self.context.pool.num_threads
        yield from bounder.bound(task, self.problem, replace(self.context, num_threads=num_threads))
        if bounder.is_asked_once:
            yield Outcome(task.lower_bound, num_asked=self._bounders.index(bounder) + 1)

    @property
    def _needed_below(self) -> float:
        """The bound from which on no open node needs to be processed; infinity if closed nodes prove less than that."""
        cutoff = self.context.cutoff
        return cutoff if self._frontier.closed_bound >= cutoff else math.inf

    # What is proved

    def _apply(self, task: Task, outcome: Outcome) -> Task | None:
        """Take over what is proved of a node, and tell the outside; return the node if it is still open."""
        context, proof = self.context, outcome.proof
        if task.is_root:
            context.primal.join()
        context.primal.offer(outcome.found)
        if not self._is_written(task, outcome):
            return task
        still_open = self._enter(task, outcome)
        if isinstance(proof, NodeRecord):
            bound = max(task.lower_bound, outcome.lower_bound)
            figures = (outcome.size, bound, proof.end.kind, len(self._frontier), context.stop.seconds)
            context.writer.notify(NodeClosed(task.node, task.parent, *figures))
        return still_open

    def _is_written(self, task: Task, outcome: Outcome) -> bool:
        """Write down what is proved, if there is need; tell whether nothing has failed."""
        proves_more = isinstance(outcome.proof, NodeRecord | PartProof) or outcome.lower_bound > task.lower_bound
        return outcome.proof is None or not proves_more or self.context.writer.write(outcome.proof)

    def _enter(self, task: Task, outcome: Outcome) -> Task | None:
        """Enter what is proved of a node into the tree; return the node if it is still open."""
        is_known = outcome.proof is not None or not self.context.writer.journal.keeps
        bound = max(task.lower_bound, outcome.lower_bound) if is_known else task.lower_bound
        if bound > task.lower_bound:
            self.num_parts = outcome.num_parts
        if task.is_root and outcome.is_of_node:
            self.root_lower_bound = None if math.isinf(bound) else bound
            self.root_seconds = self.context.stop.seconds
        self.nodes += outcome.num_nodes
        if outcome.is_closed:
            self._frontier.close(task.node, bound)
            return None
        if isinstance(outcome.proof, NodeRecord):
            return self._enter_record(task, outcome, outcome.proof, bound)
        needs_conditions = task.needs_conditions or outcome.needs_conditions
        num_asked = max(task.num_asked, outcome.num_asked)
        return replace(task, lower_bound=bound, num_asked=num_asked, needs_conditions=needs_conditions)

    def _enter_record(self, task: Task, outcome: Outcome, record: NodeRecord, bound: float) -> Task | None:
        """Enter what the work on a node has ended with: it is left open, branched on, or closed."""
        state = outcome.state or task.state
        self._frontier.count(outcome.fixed_bound)
        if isinstance(record.end, Open) or decisions_of([record.end]):  # the latter if a file has lost its end
            return replace(task, lower_bound=bound, state=state, steps=(), problem=None)
        self.nodes += 1
        if not isinstance(record.end, Branching):
            self._frontier.close(task.node, bound)
            return None
        self._frontier.close(task.node, math.inf)
        inheritance = inherited(state.apply(self.problem.reduced), record)
        for decision in (record.end.decision, record.end.decision.opposite):
            own, node = state.with_change(decision), self._frontier.new_node()
            self._frontier.push(Task(node, task.node, decision, own, bound, inheritance))
        return None

    def _report(self) -> None:
        if max(self._reported, 0.0) < self.lower_bound < math.inf:
            self._reported = self.lower_bound
            self.context.writer.notify(BoundImproved(self.lower_bound, self.context.stop.seconds))
