"""Small instances dealt into blocks in every way. The benchmark ``dealings`` takes many more."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from pcsos.problem.instance import Instance
from tests import oracle
from tests.exact_oracle import ExactTruth
from tests.judgement import Judgement
from tests.search.blocks import dealings
from tests.search.blocks.dealings import Table, bound_of, draw, judge, least_cost
from tests.slow import first_few, shares


@pytest.fixture(scope="module", params=shares(8, 30))
def judgements(request: pytest.FixtureRequest) -> list[Judgement]:
    return [judge(seed) for seed in request.param]


@pytest.mark.slow
def test_no_dealing_proves_more_than_the_optimum(judgements: list[Judgement]) -> None:
    wrong = [judgement.sentence for judgement in judgements if judgement.wrong]
    assert not wrong, "\n".join([f"{len(wrong)} of {len(judgements)}", *wrong[:5]])


def test_dealings_prove_something(judgements: list[Judgement]) -> None:
    counts = sum((Counter(j.counts) for j in judgements), Counter())
    assert counts["blocks that prove something"] > 0.25 * counts["blocks"]
    assert counts["dealings that lose nothing"] > 0.5 * len(judgements)  # one block is the whole
    assert counts["instances with shares"] > 0.2 * len(judgements)
    assert counts["verified"] > 0


# The judge


def table_of(seed: int) -> Table:
    return draw(np.random.default_rng([seed, 70]))[0]


@pytest.mark.parametrize("seed", first_few(16, range(40)))
def test_the_least_cost_is_that_of_the_oracle(seed: int) -> None:
    rng = np.random.default_rng(seed)
    instance = oracle.random_instance(rng, max_points=6)
    k = instance.n_clusters
    truths = [
        ExactTruth(instance.points, instance.weights, m, instance.must_link, instance.cannot_link)
        for m in range(1, k + 1)
    ]
    least = min((truth.optimum for truth in truths if truth.feasible), default=None)
    if least is None:
        with pytest.raises(ValueError, match="no partition"):
            least_cost(instance, k)
    else:
        assert least_cost(instance, k) == least


@pytest.mark.slow
def test_a_bound_that_is_too_high_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def exaggerated(table: Table, hand: int) -> dealings.Bounded:
        found = bound_of(table, hand)
        return replace(found, lower_bound=found.lower_bound * (1.0 + 3e-4))

    monkeypatch.setattr(dealings, "bound_of", exaggerated)
    kinds = {kind for seed in range(8) for kind, _ in judge(seed).wrong}
    assert {"block", "sum"} <= kinds


def test_a_part_without_points_is_no_instance() -> None:
    """Nobody deals it, and whoever did would be told in a sentence."""
    instance = Instance([0.0, 1.0, 5.0], 2, [(0, 1)], [(1, 2)])
    with pytest.raises(dealings.InputError, match="empty"):
        dealings.Part(np.empty(0, np.intp), np.empty(0)).instance_of(instance)
