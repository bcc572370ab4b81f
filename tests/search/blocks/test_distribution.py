"""Distribution: every super-point counts just once, clusters are even, and what belongs together stays together."""

import numpy as np
import pytest

from pcsos.base.control.stop import NEVER, Stop
from pcsos.problem.instance import Instance
from pcsos.problem.params import BlockParams
from pcsos.problem.partition import Partition
from pcsos.problem.reduction import reduce_instance
from pcsos.search.blocks import distribution as module
from pcsos.search.blocks.distribution import distribute
from pcsos.search.blocks.ladder import parts_of
from pcsos.search.blocks.piece import Part
from tests.heuristics.problems import blobs


def total_shares(parts: list[Part], n: int) -> np.ndarray:
    total = np.zeros(n)
    for part in parts:
        total[part.points] += part.shares
    return total


@pytest.mark.parametrize("num_blocks", [1, 2, 8, 16])
@pytest.mark.parametrize("seed", range(5))
def test_every_point_is_shared_out_just_once(seed: int, num_blocks: int) -> None:
    instance = blobs(150, 4, constraints=60, seed=seed)
    reduced = reduce_instance(instance)
    rng = np.random.default_rng(seed)
    labels = rng.integers(4, size=reduced.size)
    distribution = distribute(reduced, labels, num_blocks, rng)
    parts = list(parts_of(distribution, reduced))
    assert len(parts) == num_blocks
    assert (total_shares(parts, 150) == 1.0).all()  # powers of two: no rounding
    for part in parts:
        assert (np.diff(part.points) > 0).all()
        inside = np.isin(instance.must_link, part.points)
        assert (inside[:, 0] == inside[:, 1]).all()  # must-links are never cut


def test_clusters_are_even_over_the_blocks() -> None:
    instance = blobs(400, 4, seed=1)
    reduced = reduce_instance(instance)
    labels = np.repeat(np.arange(4), 100)
    distribution = distribute(reduced, labels, 4, np.random.default_rng(0))
    for number in range(4):
        members, shares = distribution.block(number)
        assert np.bincount(labels[members]).tolist() == [25] * 4
        assert (shares == 1.0).all()


def test_exchanges_lower_the_imbalance() -> None:
    instance = blobs(600, 3, seed=2)
    labels = np.random.default_rng(0).integers(3, size=600)
    partition = Partition.of(instance, labels)
    reduced = reduce_instance(instance)

    def imbalance(exchanges: int) -> float:
        params = BlockParams(exchanges=exchanges)
        distribution = distribute(reduced, partition.labels, 8, np.random.default_rng(0), params)
        within = sum(part.cost_of(instance, partition.labels) for part in parts_of(distribution, reduced))
        assert within <= partition.objective * (1 + 1e-12)
        return (partition.objective - within) / partition.objective

    assert imbalance(500) < 0.05 * imbalance(0)


def test_a_small_cluster_is_lent_to_all_blocks() -> None:
    points = np.concatenate([np.random.default_rng(0).normal(size=(256, 2)), [[100.0, 100.0], [101.0, 100.0]]])
    instance = Instance(points, 2)
    labels = np.repeat([0, 1], [256, 2])
    distribution = distribute(
        reduce_instance(instance), labels, 8, np.random.default_rng(0), BlockParams(least_members=16)
    )
    for number in range(8):
        members, shares = distribution.block(number)
        assert set(members[shares < 1.0]) == {256, 257}
        assert (shares[members >= 256] == 1.0 / 8.0).all()


def test_components_of_cannot_links_stay_together_where_they_fit() -> None:
    rng = np.random.default_rng(3)
    pairs = [(3 * i, 3 * i + 1) for i in range(20)] + [(3 * i + 1, 3 * i + 2) for i in range(20)]
    instance = Instance(rng.normal(size=(120, 2)), 3, cannot_link=pairs)
    labels = np.concatenate([np.tile([0, 1, 2], 20), rng.integers(3, size=60)])
    distribution = distribute(reduce_instance(instance), labels, 4, rng, BlockParams(least_members=2))
    inside = [set(distribution.block(number)[0]) for number in range(4)]
    assert all(any({i, j} <= block for block in inside) for i, j in pairs)


def test_the_same_seed_deals_the_same() -> None:
    instance = blobs(200, 3, constraints=40, seed=1)
    reduced = reduce_instance(instance)
    labels = np.random.default_rng(0).integers(3, size=reduced.size)
    first, again = (distribute(reduced, labels, 8, np.random.default_rng(7)) for _ in range(2))
    assert (first.members == again.members).all()
    assert (first.starts == again.starts).all()


def test_exchanges_in_small_steps_are_the_same_and_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    instance = blobs(400, 3, constraints=0, seed=2)
    reduced, labels = reduce_instance(instance), np.random.default_rng(2).integers(3, size=400)

    def members(stop: Stop) -> bytes:
        found = distribute(reduced, labels, 8, np.random.default_rng(7), BlockParams(exchanges=50), stop)
        assert (total_shares(list(parts_of(found, reduced)), 400) == 1.0).all()
        return found.members.tobytes()

    at_once = members(NEVER)
    monkeypatch.setattr(module, "TRIES", 77)
    assert members(NEVER) == at_once
    assert members(Stop(lambda: True)) != at_once
