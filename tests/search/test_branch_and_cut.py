"""The tree and its frontier: bounds that never claim too much, limits, interrupts, replay, the optimum in the end."""

import itertools
import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pcsos.base.control.pool import Pool
from pcsos.base.control.stop import Stop
from pcsos.base.events import BoundImproved, Event, IncumbentFound, NodeClosed
from pcsos.base.exceptions import RunFileError
from pcsos.evidence.kinds import Bound, Branching, Fixed, Infeasible, Open, Single
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.evidence.result import Reason
from pcsos.presolve.presolve import Presolved
from pcsos.problem.options import Options
from pcsos.problem.params import Params, TreeParams
from pcsos.search.branch_and_cut import Search
from pcsos.search.frontier import Frontier
from pcsos.search.journal import NullJournal, Writer
from pcsos.search.relaxation.bounder import ByRelaxation
from pcsos.search.role import Context
from pcsos.search.task import Found, State, Task
from tests.bounds.relaxation.samples import Sample, loose_sample

HARD = (0, 1, 6, 13)
NOTHING = Multipliers(np.zeros((1, 1)), Cuts.none(), np.empty(0))
EMPTY = Infeasible(np.empty(0, np.int64))


#: Nodes give up after a single round without cuts, so that trees must grow; without fixing they grow more.
FEW_ROUNDS = TreeParams(root_rounds=1, node_rounds=1)
FEW_ROUNDS_NO_FIXING = replace(FEW_ROUNDS, fixing_gap=-1.0)


class Notebook(NullJournal):
    """A journal in memory."""

    keeps = True

    def __init__(self) -> None:
        self.nodes: list[NodeRecord] = []
        self.incumbents: list[float] = []

    def add_node(self, record: NodeRecord) -> None:
        self.nodes.append(record)

    def add_incumbent(self, labels: NDArray[np.intp], objective: float, source: str, seconds: float) -> None:
        self.incumbents.append(objective)


def search_of(
    sample: Sample,
    workers: Pool | None = None,
    *,
    interrupted: Callable[[], bool] = lambda: False,
    notify: Callable[[Event], None] = lambda event: None,
    journal: Any = None,
    tree: TreeParams = TreeParams(),  # noqa: B008
    **options: Any,
) -> Search:
    workers = Pool(1) if workers is None else workers
    settings = Options(**{"gap": 1e-6, "workers": workers.number, "params": Params(tree=tree)} | options)
    stop = Stop(interrupted, time_limit=settings.time_limit)
    context = Context.of(sample.instance, settings, stop, workers, Writer(journal, notify))
    return Search(Presolved(sample.instance, sample.reduced, sample.reduced, ()), (ByRelaxation(),), context)


def check_finished(sample: Sample, search: Search, reason: Reason) -> None:
    assert reason is Reason.GAP_REACHED
    assert search.context.primal.objective == pytest.approx(sample.truth.optimum, rel=1.1e-6)
    assert search.lower_bound <= sample.truth.optimum * (1 + 1e-12)
    assert search.gap <= 1e-6


@pytest.mark.parametrize("fixing", [True, False])
@pytest.mark.parametrize("seed", HARD)
def test_a_tree_ends_at_the_optimum_of_brute_force(seed: int, fixing: bool) -> None:
    tree = FEW_ROUNDS if fixing else FEW_ROUNDS_NO_FIXING
    sample = loose_sample(seed)
    events: list[Event] = []
    search = search_of(sample, notify=events.append, tree=tree)
    check_finished(sample, search, search.run())
    assert search.nodes >= 3
    check_events(sample, events)


def check_events(sample: Sample, events: list[Event]) -> None:
    """Nodes claim at least what their parents do, and the run never claims more than the optimum."""
    bounds: dict[int, float] = {}
    for event in events:
        if isinstance(event, NodeClosed):
            if event.parent is not None:
                assert event.lower_bound >= bounds[event.parent]
            bounds[event.node] = event.lower_bound
    improved = [event.lower_bound for event in events if isinstance(event, BoundImproved)]
    assert len(improved) > 1
    assert improved == sorted(improved)
    assert improved[-1] <= sample.truth.optimum * (1 + 1e-12)
    objectives = [event.objective for event in events if isinstance(event, IncumbentFound)]
    assert objectives == sorted(objectives, reverse=True)


@pytest.mark.parametrize("limit", [0, 1, 2, 4])
@pytest.mark.parametrize("number", [1, 2])
def test_a_node_limit_is_kept_and_the_bound_stays_true(limit: int, number: int) -> None:
    sample = loose_sample(0)
    with Pool(number) as workers:
        search = search_of(sample, workers, node_limit=limit, tree=FEW_ROUNDS_NO_FIXING)
        assert search.run() is Reason.NODE_LIMIT
    assert search.nodes == limit
    assert search.lower_bound < sample.truth.optimum
    assert (search.lower_bound > 0.0) == (limit > 0)


def test_no_time_leaves_the_root_open() -> None:
    search = search_of(loose_sample(0), time_limit=0.0)
    assert search.run() is Reason.TIME_LIMIT
    assert (search.nodes, search.lower_bound, search.root_lower_bound) == (0, 0.0, None)


def test_an_interrupted_node_stays_open_and_a_second_run_finishes() -> None:
    sample = loose_sample(0)
    calls = itertools.count()
    notebook = Notebook()
    search = search_of(sample, interrupted=lambda: next(calls) >= 150, journal=notebook, tree=FEW_ROUNDS_NO_FIXING)
    assert search.run() is Reason.INTERRUPTED
    nodes, bound = search.nodes, search.lower_bound
    assert 1 <= nodes == len(notebook.nodes) - 1
    assert isinstance(notebook.nodes[-1].end, Open)
    assert 0.0 < bound < sample.truth.optimum
    second = search_of(sample, journal=notebook, tree=FEW_ROUNDS_NO_FIXING)
    for record in notebook.nodes:
        second.replay(record)
    assert (second.nodes, second.lower_bound) == (nodes, bound)
    check_finished(sample, second, second.run())
    assert second.nodes > nodes
    assert len({record.node for record in notebook.nodes}) == second.nodes


def test_an_interrupted_root_keeps_the_bound_it_has() -> None:
    sample = loose_sample(0)
    calls = itertools.count()
    search = search_of(sample, interrupted=lambda: next(calls) > 0, tree=FEW_ROUNDS_NO_FIXING)
    assert search.run() is Reason.INTERRUPTED
    assert search.nodes == 0
    assert 0.0 < search.lower_bound < sample.truth.optimum
    assert search.root_lower_bound == search.lower_bound


@pytest.mark.parametrize("kept", [0, 1, 3, 5])
def test_replayed_records_lead_to_the_same_tree(kept: int) -> None:
    sample = loose_sample(0)
    whole = Notebook()
    first = search_of(sample, journal=whole, tree=FEW_ROUNDS_NO_FIXING)
    first.run()
    rest = Notebook()
    second = search_of(sample, journal=rest, tree=FEW_ROUNDS_NO_FIXING)
    second.context.primal.offer(Found(first.context.primal.partition.labels, 0.0, "K"))
    for record in whole.nodes[:kept]:
        second.replay(record)
    assert second.nodes == kept
    assert second.lower_bound <= sample.truth.optimum
    check_finished(sample, second, second.run())
    assert not {r.node for r in rest.nodes} & {r.node for r in whole.nodes[:kept]}


def test_a_record_without_a_place_in_the_tree_is_refused() -> None:
    search = search_of(loose_sample(0))
    with pytest.raises(RunFileError, match="node 7, which no branching leads to"):
        search.replay(NodeRecord(7, 3, Decision("ML", 0, 1), (EMPTY,)))


class TestBookkeeping:
    """Bounds of a tree that is told node by node."""

    @pytest.fixture
    def search(self) -> Search:
        return search_of(loose_sample(0))

    @staticmethod
    def tell(search: Search, node: int, *evidence: Evidence, parent: int | None = 0) -> None:
        search.replay(NodeRecord(node, parent, None, evidence))

    def branch(self, search: Search, node: int, bound: float, *pair: int, fixed: tuple[Fixed, ...] = ()) -> None:
        branching = Branching(Decision("ML", *pair), 0.0)
        self.tell(search, node, *fixed, Bound(NOTHING, bound), branching, parent=0 if node else None)

    def test_open_children_count_with_the_bound_of_their_parent(self, search: Search) -> None:
        self.branch(search, 0, 3.0, 4, 6)
        assert search.lower_bound == 3.0
        assert search.root_lower_bound == 3.0
        self.tell(search, 1, Bound(NOTHING, 5.0))
        assert search.lower_bound == 3.0
        self.tell(search, 2, Bound(NOTHING, 4.0))
        assert search.lower_bound == 4.0

    def test_closed_nodes_count_for_ever(self, search: Search) -> None:
        self.branch(search, 0, 3.0, 4, 6)
        self.tell(search, 1, Bound(NOTHING, 3.5))
        self.branch(search, 2, 6.0, 5, 7)
        self.tell(search, 3, EMPTY, parent=2)
        self.tell(search, 4, Single(8.0), parent=2)
        assert search.lower_bound == 3.5

    def test_what_fixing_cuts_off_counts_for_ever(self, search: Search) -> None:
        self.branch(search, 0, 3.0, 4, 6, fixed=(Fixed((Decision("CL", 4, 5),), NOTHING, 3.2),))
        self.tell(search, 1, Bound(NOTHING, 9.0))
        assert search.lower_bound == 3.0
        self.tell(search, 2, Bound(NOTHING, 9.0))
        assert search.lower_bound == 3.2

    def test_what_was_left_open_is_gone_on_with_where_it_was_left(self, search: Search) -> None:
        fixed, pair = Fixed((Decision("CL", 4, 5),), NOTHING, 3.2), Decision("ML", 4, 6)
        self.tell(search, 0, fixed, Open(NOTHING, 2.0), parent=None)
        assert (search.nodes, search.lower_bound) == (0, 2.0)
        self.tell(search, 0, Fixed((Decision("CL", 4, 7),), NOTHING, 3.1), Open(NOTHING, 2.5), parent=None)
        assert (search.nodes, search.lower_bound) == (0, 2.5)
        self.tell(search, 0, Bound(NOTHING, 2.4), Branching(pair, 0.0), parent=None)
        assert (search.nodes, search.lower_bound) == (1, 2.5)
        for node, decision in ((1, pair), (2, pair.opposite)):
            task = search._frontier.take(node)
            assert (task.decision, task.lower_bound) == (decision, 2.5)
            assert task.state.cannot_link.tolist()[:2] == [[4, 5], [4, 7]]
            search._frontier.close(node, 9.0)
        assert search.lower_bound == 3.1

    def test_a_node_whose_end_is_lost_is_open(self, search: Search) -> None:
        self.tell(search, 0, Fixed((Decision("CL", 4, 5),), NOTHING, 3.2), parent=None)
        assert (search.nodes, search.lower_bound) == (0, 0.0)

    def test_a_child_is_never_worse_than_its_parent(self, search: Search) -> None:
        self.branch(search, 0, 3.0, 4, 6)
        self.branch(search, 1, 2.0, 5, 7)
        assert search.lower_bound == 3.0

    def test_a_tree_without_any_partition_is_infeasible(self, search: Search) -> None:
        self.branch(search, 0, 3.0, 4, 6)
        self.tell(search, 1, EMPTY)
        self.tell(search, 2, EMPTY)
        assert search.lower_bound == math.inf
        assert search.run() is Reason.INFEASIBLE

    def test_closed_nodes_below_the_gap_are_not_called_optimal(self) -> None:
        """The incumbent costs 10 % more than what the only closed node proves."""
        sample = loose_sample(0)
        search = search_of(sample)
        search.context.primal.offer(Found(sample.truth.best_labels, 0.0, "K"))
        self.tell(search, 0, Bound(NOTHING, 0.9 * sample.truth.optimum), parent=None)
        assert search.run() is Reason.STALLED
        assert search.gap == pytest.approx(0.1)


def test_a_journal_that_fails_ends_the_run_with_its_results() -> None:
    class Broken(Notebook):
        def add_node(self, record: NodeRecord) -> None:
            raise RunFileError("no space left on device")

    sample = loose_sample(0)
    events: list[Event] = []
    search = search_of(sample, journal=Broken(), notify=events.append, gap=1e-9)
    reason = search.run()
    assert reason in {Reason.RUN_FILE_FAILED, Reason.GAP_REACHED}
    assert "no space left" in search.context.writer.failure
    assert search.context.primal.partition is not None
    assert any("no space left" in getattr(event, "message", "") for event in events)


def frontier_of(first: float, *others: float) -> Frontier:
    frontier = Frontier(Task(0, None, None, State(), first))
    for bound in others:
        frontier.push(Task(frontier.new_node(), None, None, State(), bound))
    return frontier


def test_nodes_come_in_the_order_of_their_bounds_and_then_of_their_age() -> None:
    frontier = frontier_of(3.0, 1.0, 2.0, 1.0)
    assert [frontier.pop().node for _ in range(3)] == [1, 3, 2]
    assert frontier.first.node == 0


def test_the_bound_is_the_least_of_what_is_open_and_what_was_closed() -> None:
    frontier = frontier_of(3.0, 2.0)
    assert frontier.lower_bound == 2.0
    frontier.close(frontier.pop().node, math.inf)
    assert (frontier.lower_bound, frontier.closed_bound) == (3.0, math.inf)
    frontier.close(frontier.pop().node, 2.5)
    assert (frontier.lower_bound, frontier.closed_bound, len(frontier)) == (2.5, 2.5, 0)


def test_a_node_that_is_handed_out_stays_open_until_it_is_closed() -> None:
    frontier = frontier_of(3.0, 2.0, 4.0)
    handed_out = frontier.pop()
    assert (len(frontier), frontier.lower_bound, frontier.first_bound) == (3, 2.0, 3.0)
    frontier.close(handed_out.node, 9.0)
    assert (len(frontier), frontier.lower_bound) == (2, 3.0)
    frontier.pop()
    frontier.pop()
    assert (len(frontier), frontier.lower_bound, frontier.first_bound) == (2, 3.0, math.inf)


def test_a_node_that_is_pushed_back_waits_with_what_is_known_of_it_by_then() -> None:
    frontier = frontier_of(3.0, 2.0)
    frontier.push(replace(frontier.pop(), lower_bound=2.5))
    assert (len(frontier), frontier.lower_bound, frontier.first.node) == (2, 2.5, 1)


def test_a_node_is_taken_by_its_number() -> None:
    frontier = frontier_of(1.0, 2.0, 3.0, 4.0)
    taken = frontier.take(0)
    assert taken.node == 0
    assert frontier.take(0) is None
    assert frontier.lower_bound == 1.0
    assert [frontier.pop().node for _ in range(3)] == [1, 2, 3]
