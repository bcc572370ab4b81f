"""The fast paths give what the loops give, as the methods are told: 1,000 problems each."""

import warnings
from collections import Counter
from typing import Any

import networkx as nx
import numpy as np
import pytest

from pcsos.clusterers import MCSSDBS, MCSSGC, SSGC
from tests.clusterers.graph import oracle
from tests.clusterers.graph.as_published import mcssgc_as_published
from tests.clusterers.graph.oracle import draw_problem
from tests.slow import shares


def fit(model: Any, problem: oracle.Problem) -> Any:
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="cannot-links keep points out of all clusters")
        return model.fit(problem.points, problem.seeds, **problem.pairs)


@pytest.mark.parametrize("numbers", shares(100, 1000))
def test_mcssgc_is_the_loops(numbers: range) -> None:
    seen: Counter[str] = Counter()
    for number in numbers:
        problem, rng = draw_problem(number), np.random.default_rng(number)
        count = int(rng.integers(1, len(problem.points)))
        split, leftovers = str(rng.choice(["offending", "literal"])), str(rng.choice(["nearest", "noise"]))
        labels, principal, threshold = oracle.mcssgc(problem, count, split, leftovers)
        model = fit(MCSSGC(count, split=split, leftovers=leftovers), problem)  # type: ignore[arg-type]
        assert model.threshold_ == threshold, number
        assert model.principal_labels_.tolist() == principal, number
        assert model.labels_.tolist() == labels, number
        assert model.n_violations_ == 0, number
        seen["theta > 0"] += threshold > 0
        seen["noise"] += -1 in labels
        seen["new label"] += max(labels) > max(problem.seeds) >= 0
        seen["placed"] += labels != principal
    assert all(seen[kind] > 0.04 * len(numbers) for kind in ("theta > 0", "noise", "new label", "placed")), seen


@pytest.mark.parametrize("numbers", shares(100, 1000))
def test_mcssgc_with_must_links_as_neighbours_is_the_printed_algorithm(numbers: range) -> None:
    seen: Counter[str] = Counter()
    for number in numbers:
        problem, rng = draw_problem(number), np.random.default_rng(number)
        count = int(rng.integers(1, len(problem.points)))
        split, leftovers = str(rng.choice(["offending", "literal"])), str(rng.choice(["nearest", "noise"]))
        labels, principal, threshold, n_broken = mcssgc_as_published(problem, count, split, leftovers)
        model = fit(MCSSGC(count, must_link="neighbours", split=split, leftovers=leftovers), problem)  # type: ignore[arg-type]
        assert model.threshold_ == threshold, number
        assert model.principal_labels_.tolist() == principal, number
        assert model.labels_.tolist() == labels, number
        assert model.n_violations_ == n_broken, number
        contracted = fit(MCSSGC(count, split=split, leftovers=leftovers), problem)  # type: ignore[arg-type]
        seen["otherwise than contracted"] += contracted.labels_.tolist() != labels
        seen["broken pairs"] += n_broken > 0
        seen["theta > 0"] += threshold > 0
        seen["noise"] += -1 in labels
        seen["new label"] += max(labels) > max(problem.seeds) >= 0
    assert all(
        seen[kind] > 0.04 * len(numbers) for kind in ("otherwise than contracted", "broken pairs", "theta > 0", "noise")
    ), seen
    assert seen["new label"] > 0.02 * len(numbers), seen


@pytest.mark.slow
def test_ssgc_is_the_loops_without_pairs() -> None:
    for number in range(1000, 1200):
        drawn = draw_problem(number)
        problem = oracle.Problem(drawn.points, drawn.seeds, [], [])
        labels, principal, threshold = oracle.mcssgc(problem, 3, "offending", "nearest")
        model = fit(SSGC(3), problem)
        assert (model.labels_.tolist(), model.principal_labels_.tolist()) == (labels, principal), number
        assert model.threshold_ == threshold, number


@pytest.mark.parametrize("numbers", shares(200, 1000))
def test_mcssdbs_is_prim_on_the_complete_graph(numbers: range) -> None:
    cut_at_pairs = 0
    for number in numbers:
        problem = draw_problem(number)
        if (problem.seeds < 0).all():
            continue
        count = 1 + number % 3
        model = fit(MCSSDBS(count), problem)
        found = model.principal_labels_.tolist()
        assert found == oracle.mcssdbs(problem, count), number
        assert all(model.labels_[i] == model.labels_[j] for i, j in problem.must_link), number
        without = oracle.Problem(problem.points, problem.seeds, problem.must_link, [])
        cut_at_pairs += found != oracle.mcssdbs(without, count)
    assert cut_at_pairs > 0.04 * len(numbers)


def test_without_pairs_a_tree_is_a_component_below_the_least_bottleneck_to_a_rival() -> None:
    for number in range(200):
        drawn = draw_problem(number)
        problem = oracle.Problem(drawn.points, drawn.seeds, [], [])
        labels = set(problem.seeds) - {-1}
        if len(labels) < 2:
            continue
        lengths = oracle.reachability(problem, 2)
        model = fit(MCSSDBS(2, leftovers="noise"), problem)
        claimed: dict[int, int] = {}
        for order, seed in enumerate(np.flatnonzero(problem.seeds >= 0)):
            rivals = np.flatnonzero((problem.seeds >= 0) & (problem.seeds != problem.seeds[seed]))
            bottleneck = minimax(lengths)[seed, rivals].min()
            assert model.threshold_[order] ** 2 == pytest.approx(bottleneck, rel=1e-12, abs=0.0)
            below = nx.from_numpy_array(lengths < bottleneck)
            for point in nx.node_connected_component(below, seed):
                assert claimed.setdefault(point, problem.seeds[seed]) == problem.seeds[seed]  # parts are disjoint
        expected = [claimed.get(point, problem.seeds[point]) for point in range(len(lengths))]
        assert model.labels_.tolist() == expected, number


def minimax(lengths: np.ndarray) -> np.ndarray:
    """Return the least longest edge of a path between each two points."""
    longest = lengths.copy()
    for via in range(len(longest)):
        longest = np.minimum(longest, np.maximum(longest[:, [via]], longest[via]))
    return longest
