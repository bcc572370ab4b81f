"""The ladder: which rungs are left out, which pieces are merged with which, and what is told on the way."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base import tolerances
from pcsos.base.control.stop import Stop
from pcsos.base.events import BlockBounded, CutRound
from pcsos.presolve.presolve import contracted
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.search.blocks import ladder
from pcsos.search.blocks.bounder import ByBlocks
from pcsos.search.blocks.ladder import CoverProgress
from pcsos.search.blocks.piece import Part, Piece, sum_of_bounds
from pcsos.search.role import Context
from pcsos.search.task import Found, Task
from pcsos.verify import verify
from tests.clouds import clouds

PARAMS = Params(blocks=BlockParams(whole_up_to=100, least_size=16), prices=PriceParams(features_up_to=0))


def sizes_of_blocks(points: np.ndarray, gap: float, params: Params = PARAMS) -> tuple[list[int], pcsos.Result]:
    sizes = []

    def note(event: object) -> None:
        if isinstance(event, BlockBounded):
            sizes.append(event.size)

    return sizes, pcsos.solve(points, 3, gap=gap, workers=1, options=pcsos.Options(params=params, on_event=note))


def mixture(apart: float) -> np.ndarray:
    return clouds(3, 200, 3, 4, apart)[0]


@pytest.mark.slow
def test_blocks_that_do_not_promise_enough_give_way_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    points = mixture(2.0)
    left_out, result = sizes_of_blocks(points, 2e-4)
    assert len(left_out) == 4, "two of each of the first two sizes"
    assert max(left_out) < 70
    assert result.status is pcsos.Status.OPTIMAL
    assert result.nodes >= 1
    monkeypatch.setattr(ladder, "LARGE", 0)
    every, same = sizes_of_blocks(points, 2e-4)
    assert every == [*left_out, 50, 50], "all blocks count until a large whole is bounded"
    assert same.objective == result.objective
    largest = replace(PARAMS, blocks=replace(PARAMS.blocks, largest_size=199))
    assert max(sizes_of_blocks(points, 2e-4, largest)[0]) > 90, "larger blocks are bounded before it"


@pytest.mark.slow
def test_labels_are_certified_on_the_whole_where_blocks_do_not_promise_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    points, events = mixture(2.0), list[object]()
    options = pcsos.Options(params=PARAMS, on_event=events.append)
    labels = pcsos.solve(points, 3).labels
    result = pcsos.certify(points, labels, gap=1e-4, workers=1, options=options)
    sizes = [event.size for event in events if isinstance(event, BlockBounded)]
    assert result.status is pcsos.Status.OPTIMAL
    assert result.n_blocks == 1
    assert max(sizes) < 70
    rounds = [event.lower_bound for event in events if isinstance(event, CutRound)]
    assert len(rounds) > 1, "the rounds of the whole are shown"
    assert max(rounds) <= result.objective
    monkeypatch.setattr(ladder, "WHOLE_GROWTH", 1e9)
    events.clear()
    limited = pcsos.certify(points, labels, gap=1e-4, workers=1, time_limit=1e4, options=options)
    assert limited.status is pcsos.Status.OPTIMAL
    assert any(70 < event.size < 200 for event in events if isinstance(event, BlockBounded)), "it would take too long"


def test_blocks_that_are_enough_are_merged_as_before() -> None:
    sizes, result = sizes_of_blocks(mixture(20.0), 1e-2)
    assert result.nodes == 0
    assert len(sizes) > 2


def piece(number: int, size: int, loss: float) -> Piece:
    return Piece(number, Part(np.arange(size), np.ones(size)), 1.0, 1.0 - loss, (number,), is_bounded=True)


def numbers(pairs: list[list[Piece]]) -> list[tuple[int, ...]]:
    return [tuple(each.number for each in pair) for pair in pairs]


def test_what_lacks_most_is_merged_with_what_lacks_least() -> None:
    losses = [0.1, 0.5, 0.2, 0.4, 0.3, 0.0]
    pieces = [piece(number, 50 + number % 2, loss) for number, loss in enumerate(losses)]
    assert numbers(ladder._worst_with_best(pieces)) == [(1, 5), (3, 0), (4, 2)]


def test_pieces_of_the_same_size_are_merged_first() -> None:
    pieces = [piece(0, 100, 0.9), piece(1, 50, 0.1), piece(2, 51, 0.2), piece(3, 49, 0.3), piece(4, 101, 0.0)]
    assert numbers(ladder._worst_with_best(pieces)) == [(3, 1), (0, 4)]
    assert numbers(ladder._worst_with_best(pieces[:4])) == [(3, 1), (0, 2)], "one of another size beats none"
    assert ladder._worst_with_best(pieces[:1]) == []


def told(
    instance: Instance, labels: np.ndarray, known: float, options: Options, stop: Stop
) -> tuple[list[BlockBounded], float, float]:
    """Return what blocks tell where so much is known, what is proved in the end, and the cost."""
    context, heard = Context.of(instance, options, stop), list[object]()
    context.primal.offer(Found(labels, 0.0, "G"))
    context.writer.notify = heard.append  # type: ignore[method-assign, assignment]
    problem = contracted(instance)
    outcomes = ByBlocks(ends_crudely=True).bound(replace(Task.root(problem), lower_bound=known), problem, context)
    found = max((outcome.lower_bound for outcome in outcomes), default=known)
    return [event for event in heard if isinstance(event, BlockBounded)], found, context.primal.objective


def overlapping(known: float) -> tuple[list[BlockBounded], float, float]:
    points, labels = clouds(3, 200, 3, 4, 2.0)
    params = Params(blocks=BlockParams(least_size=8, least_members=2, largest_size=64))
    return told(Instance(points, 3), labels, known, Options(gap=1e-4, params=params), Stop())


def apart(known: float, questions: int) -> tuple[list[BlockBounded], float, float]:
    """The run has to end once so many questions are answered by no."""
    labels, asked = np.arange(400) % 2, iter(range(questions))
    instance = Instance(np.random.default_rng(0).normal(size=(400, 2)) + 9.0 * labels[:, None], 2)
    return told(instance, labels, known, Options(gap=1e-9), Stop(lambda: next(asked, None) is None))


@pytest.mark.slow
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


@pytest.mark.slow
def test_a_certification_that_is_stopped_on_the_whole_goes_on_there(tmp_path: Path) -> None:
    points, events, path = mixture(2.0), list[object](), tmp_path / "a.run"
    labels = pcsos.solve(points, 3).labels

    def is_on_whole() -> bool:
        return sum(isinstance(event, CutRound) for event in events) > 1

    own = pcsos.Options(params=PARAMS, on_event=events.append, should_stop=is_on_whole)
    first = pcsos.certify(points, labels, gap=1e-6, workers=1, run_file=path, options=own)
    assert (first.reason, first.status) == (pcsos.Reason.INTERRUPTED, pcsos.Status.FEASIBLE)
    assert verify(path, points).lower_bound >= first.lower_bound > 0.0
    events.clear()
    resumed = pcsos.resume(path, workers=1, options=pcsos.Options(on_event=events.append))
    assert resumed.status is pcsos.Status.OPTIMAL
    assert not any(isinstance(event, BlockBounded) for event in events)
    assert verify(path, points).gap <= 1e-6
