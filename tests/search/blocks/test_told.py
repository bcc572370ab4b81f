"""What blocks tell: the best bound of the whole, also where blocks begin anew, and never more than is proved."""

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

PARAMS = Params(blocks=BlockParams(least_size=8, least_members=2, largest_size=64))


def told(known: float) -> tuple[list[BlockBounded], float, float]:
    """Return what blocks of overlapping clusters tell, what they prove, and the cost."""
    labels = np.arange(200) % 3
    rng = np.random.default_rng(3)
    points = 2.0 * rng.normal(size=(3, 4))[labels] + rng.normal(size=(200, 4))
    instance, heard = Instance(points, 3), list[object]()
    context = Context.of(instance, Options(gap=1e-4, params=PARAMS), Stop())
    context.primal.offer(Found(labels, 0.0, "G"))
    context.writer.notify = heard.append  # type: ignore[method-assign, assignment]
    problem = contracted(instance)
    outcomes = list(ByBlocks().bound(replace(Task.root(problem), lower_bound=known), problem, context))
    found = max(outcome.lower_bound for outcome in outcomes)
    return [event for event in heard if isinstance(event, BlockBounded)], found, context.primal.objective


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_the_bound_that_is_told_never_falls(share: float) -> None:
    cost = told(0.0)[2]
    events, found, _ = told(share * cost)
    bounds = [event.lower_bound for event in events]
    assert any(event.num_done < before.num_done for before, event in pairwise(events))
    assert bounds == sorted(bounds)
    assert share * cost <= bounds[0]
    assert bounds[-1] <= found * (1.0 + 1e-12)
    assert all(event.gap == tolerances.relative_gap(cost, event.lower_bound) for event in events)


def test_what_is_told_is_the_sum_of_what_is_proved() -> None:
    bounds = np.random.default_rng(0).uniform(size=50) * 10.0 ** np.arange(-25, 25)
    pieces = [Piece(at, Part(np.arange(2), np.ones(2)), 1.0, 0.0, (at,)) for at in range(50)]
    progress = CoverProgress(pieces)
    for at, bound in enumerate(bounds.tolist()):
        before, pieces[at] = pieces[at], Piece(at, pieces[at].part, 1.0, bound, (at,), is_bounded=True)
        progress.replace(before, pieces[at])
        assert progress.lower_bound == sum_of_bounds(pieces)
