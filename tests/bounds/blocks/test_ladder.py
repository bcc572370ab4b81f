"""Rungs of the ladder that are left out where only the whole can be enough."""

import numpy as np
import pytest

import pcsos
from pcsos.bounds.blocks import ladder
from pcsos.events import BlockBounded
from pcsos.params import BlockParams, Params, PriceParams

PARAMS = Params(blocks=BlockParams(whole_up_to=100, least_size=16), prices=PriceParams(features_up_to=0))


def sizes_of_blocks(points: np.ndarray, gap: float) -> tuple[list[int], pcsos.Result]:
    sizes = []

    def note(event: object) -> None:
        if isinstance(event, BlockBounded):
            sizes.append(event.size)

    return sizes, pcsos.solve(points, 3, gap=gap, workers=1, params=PARAMS, on_event=note)


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
