"""What blocks tell: the best bound of the whole, also where blocks begin anew or the run has to end."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.events import BlockBounded
from pcsos.presolve.presolve import contracted
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import BlockParams, Params
from pcsos.search.blocks.bounder import ByBlocks
from pcsos.search.blocks.ladder import CoverProgress
from pcsos.search.blocks.piece import Part, Piece, sum_of_bounds
from pcsos.search.role import Context
from pcsos.search.task import Found, Task


def told(
    instance: Instance, labels: np.ndarray, known: float, options: Options, stop: Stop
) -> tuple[list[BlockBounded], float, float]:
    """Return what blocks tell where so much is known, what is proved in the end, and the cost."""
    context, heard = Context.of(instance, options, stop), list[object]()
    context.primal.offer(Found(labels, 0.0, "G"))
    context.writer.notify = heard.append  # type: ignore[method-assign, assignment]
    problem = contracted(instance)
    outcomes = ByBlocks().bound(replace(Task.root(problem), lower_bound=known), problem, context)
    found = max((outcome.lower_bound for outcome in outcomes), default=known)
    return [event for event in heard if isinstance(event, BlockBounded)], found, context.primal.objective


def overlapping(known: float) -> tuple[list[BlockBounded], float, float]:
    labels, rng = np.arange(200) % 3, np.random.default_rng(3)
    instance = Instance(2.0 * rng.normal(size=(3, 4))[labels] + rng.normal(size=(200, 4)), 3)
    params = Params(blocks=BlockParams(least_size=8, least_members=2, largest_size=64))
    return told(instance, labels, known, Options(gap=1e-4, params=params), Stop())


def apart(known: float, questions: int) -> tuple[list[BlockBounded], float, float]:
    """The run has to end once so many questions are answered by no."""
    labels, asked = np.arange(400) % 2, iter(range(questions))
    instance = Instance(np.random.default_rng(0).normal(size=(400, 2)) + 9.0 * labels[:, None], 2)
    return told(instance, labels, known, Options(gap=1e-9), Stop(lambda: next(asked, None) is None))


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_the_bound_that_is_told_never_falls(share: float) -> None:
    cost = overlapping(0.0)[2]
    events, found, _ = overlapping(share * cost)
    bounds = [event.lower_bound for event in events]
    assert any(event.num_done < before.num_done for before, event in pairwise(events))
    assert bounds == sorted(bounds)
    assert share * cost <= bounds[0]
    assert bounds[-1] <= found * (1.0 + 1e-12)
    assert all(event.gap == tolerances.relative_gap(cost, event.lower_bound) for event in events)


@pytest.mark.parametrize("questions", range(6))
def test_what_is_proved_is_all_there_is_when_the_run_ends_before_there_are_blocks(questions: int) -> None:
    assert apart(1.0, questions)[:2] == ([], 1.0)


def test_a_run_without_time_ends_with_a_crude_bound_where_nothing_is_proved() -> None:
    events, found, cost = apart(0.0, 0)
    assert len(events) > 1
    assert 0.0 < found <= cost


def test_what_is_told_is_the_sum_of_what_is_proved() -> None:
    bounds = np.random.default_rng(0).uniform(size=50) * 10.0 ** np.arange(-25, 25)
    pieces = [Piece(at, Part(np.arange(2), np.ones(2)), 1.0, 0.0, (at,)) for at in range(50)]
    progress = CoverProgress(pieces)
    for at, bound in enumerate(bounds.tolist()):
        before, pieces[at] = pieces[at], Piece(at, pieces[at].part, 1.0, bound, (at,), is_bounded=True)
        progress.replace(before, pieces[at])
        assert progress.lower_bound == sum_of_bounds(pieces)
