"""Processing one node: infer, bound with cutting planes, fix variables, round, and close or branch."""

import math
import time
from dataclasses import dataclass, field, replace

import numpy as np

from pcsos.base import tolerances
from pcsos.base.control.stop import Interrupted, Stop
from pcsos.base.control.subprocess import Channel
from pcsos.base.control.threads import blas_threads, threads, use_threads
from pcsos.base.exceptions import InfeasibleError
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.fixing import expensive_pairs, fixable_pairs
from pcsos.bounds.relaxation.safe_bound import prove
from pcsos.evidence.kinds import Bound, Branching, Fixed, Infeasible, Open, Single, Soft
from pcsos.evidence.multipliers import Multipliers, quantise
from pcsos.evidence.node import Decision, Evidence, NodeRecord, set_aside
from pcsos.presolve.implied_pairs import infer_and_check
from pcsos.problem.conditions.penalised_pairs import PenalisedPairs
from pcsos.problem.limit_pairs import BEYOND, refuse_broken_limits, satisfies, single_labels
from pcsos.problem.options import Budget, Options
from pcsos.problem.partition import Incumbent
from pcsos.problem.reduction import Reduced, sum_of_weighted_squares
from pcsos.search.relaxation.branching import branching
from pcsos.search.relaxation.rounding import round_to_partition
from pcsos.search.task import Found, Inheritance, Outcome, PartitionStart, State, Task

#: Share of the distance to the cutoff that rounding the multipliers of a closed node may cost, tried in this order.
WRITING_LOSSES = (0.5, 0.01, 0.0)


#: What closes a node, branches on it or leaves it open; nothing where it is not known yet.
Ends = tuple[Evidence, ...]


@dataclass(frozen=True)
class Round:
    """What a node sends after each round; the answer is the best objective known to the run, or None.

    To stay reproducible, the answer must not depend on timing. A bound that is not proved is no more than shown.
    """

    size: int
    num_cuts: int
    bound: float
    num_fixed: int
    is_proved: bool


@dataclass
class _Node:
    """The mutable side of a node while it is processed."""

    root: Reduced
    task: Task
    options: Options
    budget: Budget
    incumbent: Incumbent[Found]
    rng: np.random.Generator
    state: State
    evidence: list[Evidence] = field(default_factory=list)
    lower_bound: float = -math.inf
    fixed_bound: float = math.inf  # of what the fixed pairs cut off
    num_fixed: int = 0
    plane: CuttingPlane | None = None

    @property
    def proved(self) -> float:
        """The bound on everything below this node; infinity where that is more than any partition costs."""
        bound = min(self.lower_bound, self.fixed_bound)
        return math.inf if bound >= self.root.most else bound

    @property
    def cutoff(self) -> float:
        return min(tolerances.cutoff(self.incumbent.objective, self.options.gap), self.root.most)

    def aim(self, is_proved: bool) -> float:
        """Return the bound to reach: a little more than the cutoff where it still has to be proved."""
        objective, cutoff = self.incumbent.objective, self.cutoff
        return cutoff if is_proved or math.isinf(objective) else cutoff + tolerances.UNPROVED * (objective - cutoff)


def process(
    channel: Channel, root: Reduced, task: Task, objective: float, options: Options, num_threads: int = 1
) -> Outcome:
    """Bound a node until it can be closed or branched on.

    Parameters
    ----------
    channel : Channel
        Whether the run has to end; every better partition and each :class:`Round` is sent.
    root : Reduced
        The reduced instance.
    task : Task
        The node.
    objective : float
        Best objective known when the node is taken up.
    options : Options
        Gap, engine, integer programming solver and seed.
    num_threads : int
        Threads that it may use.
    """
    begun = time.perf_counter()
    rng = np.random.default_rng([options.seed, task.node])
    budget = Budget.of(channel.stop, options)
    incumbent = Incumbent(objective, channel.send)
    state = task.state.after(task.steps)
    node = _Node(root, task, options, budget, incumbent, rng, state, list(task.steps), task.lower_bound)
    node.fixed_bound = set_aside(task.steps)
    problem: Reduced | None = None
    end: Ends = ()
    try:
        problem = _infer(node) if task.problem is None else task.problem
        end = _single(node, problem)
        if not end:
            with use_threads(num_threads):
                problem, end = _bound(node, problem, channel)
    except Interrupted:
        end = _leave_open(node)
    except InfeasibleError as error:
        if error.step is not None:
            node.evidence.append(error.step)
        end = (Infeasible(error.search),)
        node.lower_bound = math.inf
    record = None
    if end:
        evidence, seconds = (*node.evidence, *end), time.perf_counter() - begun
        record = NodeRecord(task.node, task.parent, task.decision, evidence, seconds)
    return Outcome(
        node.proved,
        record,
        fixed_bound=node.fixed_bound,
        found=node.incumbent.best,
        state=node.state,
        size=0 if problem is None else problem.size,
    )


def process_in_worker(
    channel: Channel, root: Reduced, task: Task, objective: float, options: Options
) -> tuple[Outcome, ...]:
    """Process a node in a worker: a pure function of its arguments, but for being asked to stop."""
    return () if channel.stop.asked() else (process(channel, root, task, objective, options),)


def _infer(node: _Node) -> Reduced:
    """Return the problem of the node's state after inference, where possible proved to be feasible."""
    problem, step = infer_and_check(node.state.apply(node.root), budget=node.budget)
    if step is not None:
        node.evidence.append(step)
        node.state = node.state.with_decisions(step.decisions)
    return problem


def _single(node: _Node, problem: Reduced) -> Ends:
    """Close a node whose state holds exactly one partition."""
    single = single_labels(problem)
    if single is None:
        return ()
    refuse_broken_limits(problem)
    labels = problem.lift(single)
    cost = problem.offset + problem.soft.cost(single)
    if problem.n_clusters == 1:
        mean = problem.weights @ problem.means / problem.weights.sum()
        cost += sum_of_weighted_squares(problem.means - mean, problem.weights)
    if satisfies(problem, single, BEYOND):
        node.incumbent.offer(Found(labels, cost, "U"))
    units = 20.0 * (problem.component.size + problem.means.shape[1]) + 200.0
    error = units * tolerances.EPS * (math.sqrt(cost) * math.sqrt(problem.total) + cost) + tolerances.UNDERFLOW
    error += 2.0 * problem.penalty_error
    bound = max(cost - error, 0.0)
    node.lower_bound = max(node.lower_bound, bound)
    return (Single(bound),)


def _bound(node: _Node, problem: Reduced, channel: Channel) -> tuple[Reduced, Ends]:
    """Run cutting planes until the node is closed, must be branched on, or the run has to end."""
    problem = _harden(node, problem, channel.stop)
    single = _single(node, problem)
    if single:
        return problem, single
    plane = node.plane = _plane(node, problem, node.task.inheritance)
    params = node.options.params.tree
    max_rounds = params.root_rounds if node.task.parent is None else params.node_rounds
    total_rounds = 0
    while True:
        for bound in plane.rounds(channel.stop, lambda: node.cutoff, max(max_rounds - total_rounds, 1)):
            total_rounds += 1
            proves = plane.engine.proves
            if proves:
                node.lower_bound = max(node.lower_bound, bound)
            is_due = total_rounds % params.rounding_every == 1 % params.rounding_every or plane.engine.converged
            if proves and is_due:
                _round(node, problem, plane)
            told = node.proved if proves else bound
            known = channel.send(Round(plane.relaxation.size, len(plane.cuts), told, node.num_fixed, proves))
            node.incumbent.hear_of(math.inf if known is None else known)
            if max(bound, 0.0) >= node.aim(proves):
                closed = _close(node, plane)
                if closed:
                    return problem, closed
            if channel.stop.asked():
                return problem, _leave_open(node)
            fixed = _fix(node, problem, plane) if proves else None
            if fixed is not None:
                plane, problem = fixed
                node.plane = plane
                single = _single(node, problem)
                if single:
                    return problem, single
                break
        else:
            return problem, _leave_open(node) if channel.stop.asked() else _branch(node, plane)


def _harden(node: _Node, problem: Reduced, stop: Stop) -> Reduced:
    """Make hard, at the root, the soft pairs that are too expensive to break, as long as there are more of them.

    What all costs without penalties rises with every pair that is hard, and makes others too expensive to break.
    """
    if node.task.parent is not None or math.isinf(node.incumbent.objective):
        return problem
    while len(problem.soft) and single_labels(problem) is None and not stop.asked():
        step = _too_expensive(node, problem, stop)
        if step is None:
            break
        node.evidence.append(step)
        node.state = node.state.with_decisions(step.decisions)
        node.num_fixed += len(step.decisions)
        node.fixed_bound = min(node.fixed_bound, step.bound)
        problem = _infer(node)
    return problem


def _too_expensive(node: _Node, problem: Reduced, stop: Stop) -> Soft | None:
    """Bound what all costs without the open penalties; return the soft pairs that cannot be broken then, if any."""
    largest = float(np.maximum(problem.soft.apart, problem.soft.together).max())
    plane = _plane(node, replace(problem, soft=PenalisedPairs.none()), node.task.inheritance)
    plane.advance(stop, node.cutoff, node.options.params.tree.root_rounds)
    excess = plane.bound + largest - node.cutoff
    if excess < 0.0:
        return None
    multipliers, bound = _written(plane, node.options.params.tree.fixing_loss * excess)
    decisions, least = expensive_pairs(problem, bound, node.cutoff)
    return Soft(decisions, multipliers, least) if decisions else None


def _round(node: _Node, problem: Reduced, plane: CuttingPlane) -> None:
    """Offer a partition near the current point of the relaxation."""
    swaps_up_to = node.options.params.memetic.swaps_up_to
    solution = round_to_partition(node.root, problem, plane.engine.y, node.rng, node.budget, swaps_up_to)
    if solution is not None:
        node.incumbent.offer(Found(node.root.lift(solution.labels), solution.objective, "S"))


def _plane(node: _Node, problem: Reduced, start: object) -> CuttingPlane:
    """Return the cutting-plane loop of a problem, warm-started from what it inherits."""
    relaxation, params = peng_wei.build(problem), node.options.params
    warm = start.carried_to(problem) if isinstance(start, Inheritance | PartitionStart) else None
    return CuttingPlane(relaxation, engine_factory(node.options.engine, params), warm, params.cuts)


def _close(node: _Node, plane: CuttingPlane) -> Ends:
    """Close the node by its best multipliers, written down as briefly as the cutoff allows."""
    for share in WRITING_LOSSES:
        multipliers, bound = _written(plane, share * (plane.bound - node.cutoff))
        bound = max(bound, 0.0)
        if bound >= node.cutoff:
            node.lower_bound = max(node.task.lower_bound, bound)
            return (Bound(multipliers, bound),)
    return ()


def _leave_open(node: _Node) -> Ends:
    """Write down what is proved of a node that has to be left, unless nothing new is, or it would take too long."""
    plane, params = node.plane, node.options.params.tree
    if plane is None or math.isinf(plane.bound):
        return ()
    if plane.engine.proves and plane.relaxation.size > params.largest_left_open:
        return ()
    multipliers, bound = _written(plane, params.fixing_loss * node.options.gap * abs(plane.bound))
    if min(bound, node.fixed_bound) <= node.task.lower_bound:
        return ()
    node.lower_bound = bound
    return (Open(multipliers, bound),)


def _branch(node: _Node, plane: CuttingPlane) -> Ends:
    """Choose what to branch on, and write down where the children start."""
    missing = abs(plane.bound) if math.isinf(node.cutoff) else max(node.cutoff - plane.bound, 0.0)
    multipliers, bound = _written(plane, node.options.params.tree.fixing_loss * missing)
    node.lower_bound = max(node.task.lower_bound, bound)
    change = branching(plane.relaxation, plane.engine.y, plane.cuts, missing)
    return Bound(multipliers, bound), Branching(change, plane.engine.sigma * plane.relaxation.scale)


def _written(plane: CuttingPlane, loss: float) -> tuple[Multipliers, float]:
    """Return the best multipliers as a run file stores them, losing about ``loss``, and the bound that they prove.

    What only steers is proved once, and may use all threads for that.
    """
    r = plane.relaxation
    multipliers = quantise(
        plane.best_multipliers(), tolerance=loss / r.n_clusters, smallest_weight=float(r.weights.min())
    )
    with blas_threads(1 if plane.engine.proves else threads()[0]):
        return multipliers, prove(r, multipliers, plane.engine.frame)


def _fix(node: _Node, problem: Reduced, plane: CuttingPlane) -> tuple[CuttingPlane, Reduced] | None:
    """Fix pairs by the best multipliers where that is worth while; return the loop on the new problem."""
    params = node.options.params.tree
    if tolerances.relative_gap(node.incumbent.objective, plane.bound) > params.fixing_gap:
        return None
    free = np.count_nonzero(np.triu(plane.relaxation.upper > 0.0, 1))
    least_number = max(1, params.least_fixed_share * free)
    if len(fixable_pairs(plane.relaxation, plane.best_multipliers(), plane.bound, node.cutoff)[0]) < least_number:
        return None
    multipliers, bound = _written(plane, params.fixing_loss * (node.incumbent.objective - plane.bound))
    pairs, least = fixable_pairs(plane.relaxation, multipliers, bound, node.cutoff)
    if len(pairs) < least_number:
        return None
    first, second = np.sort(problem.representative[pairs], axis=1).T.tolist()
    decisions = tuple(Decision("CL", i, j) for i, j in zip(first, second, strict=True))
    node.evidence.append(Fixed(decisions, multipliers, least))
    node.state = node.state.with_decisions(decisions)
    node.num_fixed += len(pairs)
    node.fixed_bound = min(node.fixed_bound, least)
    fixed = _infer(node)
    if fixed.size == fixed.n_clusters:
        return plane, fixed
    start = Inheritance(problem.component, plane.relaxation.masses, plane.warm_start())
    return _plane(node, fixed, start), fixed
