"""The ladder: rungs that are left out where only the whole can be enough, and which pieces are merged with which."""

import numpy as np
import pytest

import pcsos
from pcsos.base.events import BlockBounded
from pcsos.problem.params import BlockParams, Params, PriceParams
from pcsos.search.blocks import ladder
from pcsos.search.blocks.piece import Part, Piece

PARAMS = Params(blocks=BlockParams(whole_up_to=100, least_size=16), prices=PriceParams(features_up_to=0))


def sizes_of_blocks(points: np.ndarray, gap: float) -> tuple[list[int], pcsos.Result]:
    sizes = []

    def note(event: object) -> None:
        if isinstance(event, BlockBounded):
            sizes.append(event.size)

    return sizes, pcsos.solve(points, 3, gap=gap, workers=1, options=pcsos.Options(params=PARAMS, on_event=note))


def mixture(apart: float) -> np.ndarray:
    rng = np.random.default_rng(3)
    return apart * rng.normal(size=(3, 4))[np.arange(200) % 3] + rng.normal(size=(200, 4))


def test_blocks_that_do_not_promise_enough_give_way_to_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    points = mixture(2.0)
    left_out, result = sizes_of_blocks(points, 1e-4)
    assert len(left_out) == 4, "two of each of the first two sizes"
    assert max(left_out) < 70
    assert result.status is pcsos.Status.OPTIMAL
    assert result.nodes >= 1
    monkeypatch.setattr(ladder, "LARGE", 0)
    every, same = sizes_of_blocks(points, 1e-4)
    assert max(every) > 90
    assert same.objective == result.objective


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
