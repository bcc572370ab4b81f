"""Certifications of hard small instances that are stopped and resumed, against the exact truth."""

from collections import Counter

import numpy as np
import pytest

from pcsos.problem.instance import Instance
from pcsos.problem.params import BlockParams
from pcsos.problem.reduction import reduce_instance
from pcsos.search.blocks.distribution import distribute
from pcsos.search.blocks.ladder import parts_of
from tests.judgement import Judgement
from tests.search.blocks.certifying import ENDINGS, judge
from tests.slow import first_few, shares


@pytest.fixture(scope="module", params=shares(12, 60))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


def test_nothing_is_wrong(judgements: list[Judgement]) -> None:
    wrong = [judgement.sentence for judgement in judgements if judgement.wrong]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(judgements)}", *wrong[:5]])


def test_runs_end_in_every_way(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert {ending for ending in ENDINGS if counts[ending]} == set(ENDINGS)
    assert counts["FEASIBLE STALLED"] > 0.1 * len(judgements)
    assert counts["OPTIMAL GAP_REACHED"] > 0.1 * len(judgements)


@pytest.mark.parametrize("seed", first_few(12, range(100)))
def test_no_block_is_empty_however_cannot_links_hold_points_together(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(4, 40)), int(rng.integers(2, 4))
    labels = rng.permutation(np.arange(n) % k)
    share = rng.choice([0.05, 0.2, 1.0])
    pairs = [(i, j) for j in range(n) for i in range(j) if labels[i] != labels[j] and rng.random() < share / n]
    instance = Instance(rng.normal(size=(n, 2)), k, cannot_link=pairs)
    num_blocks = 1 << int(rng.integers(0, max(1, int(np.log2(n / k)) + 1)))
    params = BlockParams(least_members=int(rng.integers(1, 4)))
    distribution = distribute(reduce_instance(instance), labels, num_blocks, rng, params)
    total = np.zeros(n)
    for part in parts_of(distribution, reduce_instance(instance)):
        assert part.size > 0
        total[part.points] += part.shares
    assert (total == 1.0).all()
