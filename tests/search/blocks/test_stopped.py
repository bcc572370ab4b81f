"""Blocks of a run that has to end: left alone where something is proved already, and otherwise bounded crudely."""

from dataclasses import replace

import numpy as np
import pytest

from pcsos.base.control.stop import Stop
from pcsos.base.events import BlockBounded
from pcsos.presolve.presolve import contracted
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.search.blocks.bounder import ByBlocks
from pcsos.search.role import Context
from pcsos.search.task import Found, Task


def bounded(known: float, questions: int) -> tuple[float, int, Context]:
    """Return what blocks prove of an instance if so many questions are answered by no, and how many were bounded."""
    asked = iter(range(questions))
    labels = np.arange(400) % 2
    instance = Instance(np.random.default_rng(0).normal(size=(400, 2)) + 9.0 * labels[:, None], 2)
    context = Context.of(instance, Options(gap=1e-9), Stop(lambda: next(asked, None) is None))
    context.primal.offer(Found(labels, 0.0, "G"))
    events: list[object] = []
    context.writer.notify = events.append  # type: ignore[method-assign, assignment]
    problem = contracted(instance)
    outcomes = ByBlocks().bound(replace(Task.root(problem), lower_bound=known), problem, context)
    found = max((outcome.lower_bound for outcome in outcomes), default=known)
    return found, sum(isinstance(event, BlockBounded) for event in events), context


@pytest.mark.parametrize("questions", range(6))
def test_what_is_proved_is_all_there_is_when_the_run_ends_before_there_are_blocks(questions: int) -> None:
    assert bounded(1.0, questions)[:2] == (1.0, 0)


def test_a_run_without_time_ends_with_a_crude_bound_where_nothing_is_proved() -> None:
    found, number, context = bounded(0.0, 0)
    assert number > 1
    assert 0.0 < found <= context.primal.objective
