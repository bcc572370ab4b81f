"""Block bounds against brute force: whatever the blocks, no bound above the optimum, and the sums that theory gives."""

import itertools
import time

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER, Stop
from pcsos.base.control.subprocess import Here
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import Params, TreeParams
from pcsos.search.blocks.block import bound_block
from pcsos.search.blocks.piece import Part, Piece, sum_of_bounds

OPTIONS = Options(gap=1e-4, workers=1, node_limit=5)


def part_of(points: list[int], shares: list[float] | None = None) -> Part:
    return Part(np.array(points, np.intp), np.ones(len(points)) if shares is None else np.array(shares))


def test_a_block_with_fewer_super_points_than_clusters_proves_nothing() -> None:
    instance = Instance([0.0, 1.0, 5.0, 9.0], 3, must_link=[(0, 1), (1, 2)])
    part = part_of([0, 1, 2])
    found = bound_block(Here(NEVER), part.instance_of(instance), np.zeros(3, np.intp), OPTIONS)
    assert (found.lower_bound, found.records) == (0.0, ())


def test_a_block_that_is_stopped_at_once_still_proves_something() -> None:
    points = np.random.default_rng(0).normal(size=(40, 2)) + 9.0 * np.repeat(np.eye(2), 20, axis=0)
    instance, labels = Instance(points, 2), np.repeat([0, 1], 20)
    found = bound_block(Here(Stop(lambda: True)), instance, labels, OPTIONS)
    assert 0.0 < found.lower_bound <= part_of(list(range(40))).cost_of(instance, labels)
    assert len(found.records) == 1


def test_what_cannot_be_written_of_a_block_that_is_left_counts_where_nothing_has_to_be() -> None:
    rng = np.random.default_rng(0)
    instance, labels = Instance(rng.normal(size=(60, 2)), 4), np.arange(60) % 4
    options = Options(gap=1e-9, workers=1, params=Params(tree=TreeParams(largest_left_open=0)))

    def bounded(keeps: bool) -> float:
        asked = itertools.count()
        return bound_block(Here(Stop(lambda: next(asked) > 100)), instance, labels, options, keeps=keeps).lower_bound

    assert 0.0 <= bounded(True) < bounded(False) <= part_of(list(range(60))).cost_of(instance, labels)


@pytest.mark.parametrize(("gap", "is_branched_on"), [(1e-5, False), (3e-4, True)])
def test_a_block_is_branched_on_only_where_little_is_left(gap: float, is_branched_on: bool) -> None:
    points, labels = np.random.default_rng(0).random((60, 6)), np.arange(60) % 5
    found = bound_block(Here(NEVER), Instance(points, 5), labels, Options(gap=gap, node_limit=5))
    assert (len(found.records) > 1) == is_branched_on
    assert is_branched_on or found.lower_bound < (1.0 - 10.0 * gap) * found.objective


def test_the_union_of_parts_brings_what_they_bring() -> None:
    parts = [part_of([0, 2, 5], [1.0, 0.25, 0.5]), part_of([1, 2, 5], [1.0, 0.5, 0.25])]
    union = Part.union(parts)
    assert union.points.tolist() == [0, 1, 2, 5]
    assert union.shares.tolist() == [1.0, 1.0, 0.75, 0.75]


def test_weights_are_shared_out_rounded_down() -> None:
    instance = Instance(np.arange(3.0), 2, weights=[0.1, 1 / 3, 3.0])
    shares = [0.25, 0.75, 1.0]
    for share, point in itertools.product(shares, range(3)):
        weight = part_of([point], [share]).weights_of(instance)[0]
        assert weight <= instance.weights[point] * share
        assert weight >= instance.weights[point] * share * (1 - 2**-51)


def test_merged_pieces_know_what_their_parts_prove() -> None:
    instance = Instance(np.arange(8.0), 2)
    labels = np.repeat([0, 1], 4)
    pieces = [Piece.of(1 + t, part_of([t, t + 2, t + 4, t + 6]), instance, labels) for t in range(2)]
    found = [
        bound_block(Here(NEVER), piece.part.instance_of(instance), labels[piece.part.points], OPTIONS)
        for piece in pieces
    ]
    bounded = [piece.bounded(own) for piece, own in zip(pieces, found, strict=True)]
    merged = Piece.merged(3, bounded, instance, labels)
    assert merged.proof == (1, 2)
    assert merged.lower_bound == sum_of_bounds(bounded) <= sum(own.lower_bound for own in found)
    assert merged.part.points.tolist() == list(range(8))
    assert not merged.is_bounded
    better = merged.bounded(bound_block(Here(NEVER), instance, labels, OPTIONS))
    assert better.proof == (3,)
    assert better.lower_bound > merged.lower_bound


def test_a_block_takes_the_time_since_it_was_begun_whatever_the_run_took_before() -> None:
    instance = Instance(np.random.default_rng(0).normal(size=(12, 2)), 3)
    stop = Stop()
    time.sleep(0.5)
    begun = stop.seconds
    found = bound_block(Here(stop), instance, np.arange(12) % 3, OPTIONS)
    assert 0.0 < found.seconds <= stop.seconds - begun
