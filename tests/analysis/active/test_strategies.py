"""Strategies: each asks only what is open, and in the order that it promises."""

import itertools
import math
from dataclasses import replace

import numpy as np
import pytest

from pcsos import Instance
from pcsos.analysis.active import ActiveSession, LabelOracle, relaxed
from pcsos.analysis.active.farthest_first import FarthestFirst, SkeletonFirst
from pcsos.analysis.active.relaxed import LargestDrop, entropy, loop_of, probabilities
from pcsos.analysis.active.strategies import STRATEGIES, SharedNeighbours
from pcsos.analysis.certainty.flips import flips
from pcsos.base.control.stop import Stop
from pcsos.cli import options
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.reduction import reduce_instance
from tests.analysis.answering import answered
from tests.slow import slow_where

POINTS, CLASSES = gaussian_mixture(40, 2, 3, separation=4.0, seed=3)


def asked(strategy: str, budget: int = 12, **options: object) -> list[tuple[int, int]]:
    session, answer = ActiveSession(POINTS, 3, strategy=strategy, budget=budget, **options), LabelOracle(CLASSES)
    pairs = []
    while (pair := session.ask()) is not None:
        assert session.knowledge.relation(*pair) is None
        pairs.append(pair)
        session.tell(pair, answer(*pair))
    return pairs


@pytest.mark.parametrize("strategy", slow_where(lambda name: name.startswith("sdp"), STRATEGIES))
def test_questions_are_open_different_and_the_same_with_the_same_seed(strategy: str) -> None:
    pairs = asked(strategy)
    assert len({(*sorted(pair),) for pair in pairs}) == len(pairs)
    assert pairs == asked(strategy)
    assert len(pairs) == 12 or strategy == "certified"


@pytest.mark.parametrize("strategy", sorted({*STRATEGIES} - {"asc", "certified"}))
def test_without_a_limit_all_pairs_get_known(strategy: str) -> None:
    points, classes = gaussian_mixture(14, 2, 3, seed=1)
    session = answered(ActiveSession(points, 3, strategy=strategy), classes)
    assert session.knowledge.num_open == 0
    assert len(session.answers) <= 14 * 3


@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("n_clusters", [1, 2, 5])
def test_points_at_one_place_are_no_obstacle(strategy: str, n_clusters: int) -> None:
    session = ActiveSession(np.repeat([[1.0], [1.0], [4.0]], [3, 1, 1], axis=0), n_clusters, strategy=strategy)
    for _ in range(20):
        pair = session.ask()
        if pair is None:
            break
        session.tell(pair, None)
    assert session.ask() is None


def test_one_point_leaves_nothing_to_ask() -> None:
    assert [ActiveSession([3.0], 1, strategy=name).ask() for name in STRATEGIES] == [None] * len(STRATEGIES)


@pytest.mark.slow
def test_random_pairs_are_uniform_over_those_that_are_open() -> None:
    known = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)]
    counts = dict.fromkeys([(0, 4), (1, 4), (2, 3), (2, 4), (3, 4)], 0)
    for seed in range(300):
        session = ActiveSession([0.0, 1.0, 2.0, 3.0, 4.0], 5 - 1, strategy="random", seed=seed, cannot_link=known)
        pair = session.ask()
        assert pair is not None
        counts[pair] += 1
    assert min(counts.values()) > 35


def test_the_traversal_goes_to_the_farthest_point_each_time() -> None:
    strategy = FarthestFirst(Instance(POINTS, 3), seed=4)
    while strategy._go_on():
        pass
    order = strategy.visited
    assert sorted(order) == list(range(40))
    distances = np.linalg.norm(POINTS[:, None] - POINTS[None], axis=2)
    for position in range(1, 40):
        nearest = distances[:, order[:position]].min(axis=1)
        assert nearest[order[position]] == nearest.max()


def test_a_point_is_compared_with_the_nearest_neighbourhood_first() -> None:
    session, answer = ActiveSession(POINTS, 3, strategy="mmffqs", seed=5), LabelOracle(CLASSES)
    strategy = FarthestFirst(Instance(POINTS, 3), seed=5)
    for _ in range(25):
        pair = session.ask()
        assert pair is not None
        point, other = pair
        while point not in strategy.visited:
            strategy._go_on()
        before = strategy.visited[: strategy.visited.index(point)]
        unknown = [own for own in before if session.knowledge.relation(point, own) is None]
        assert other == min(unknown, key=lambda own: float(np.linalg.norm(POINTS[own] - POINTS[point])))
        assert not any(session.knowledge.relation(point, own) for own in before)
        session.tell(pair, answer(*pair))


def test_a_skeleton_has_about_as_many_points_as_the_root_of_their_number() -> None:
    strategy = SkeletonFirst(Instance(POINTS, 3), seed=0)
    skeleton = strategy._skeleton()
    assert math.ceil(math.sqrt(40) - 3) <= len(skeleton) <= 6
    while strategy._go_on():
        pass
    assert sorted(strategy.visited) == list(range(40))
    assert strategy.n_skeletons > 1


def test_asc_begins_with_weak_edges_of_largest_utility() -> None:
    strategy, n = SharedNeighbours(Instance(POINTS, 3)), len(POINTS)
    order = np.argsort(np.linalg.norm(POINTS[:, None] - POINTS[None], axis=2), axis=1, kind="stable")[:, 1:11]
    lists = [set(row) for row in order.tolist()]
    weight = {
        (i, j): len(lists[i] & lists[j])
        for i, j in itertools.combinations(range(n), 2)
        if i in lists[j] and j in lists[i]
    }
    density = [sum(w for pair, w in weight.items() if i in pair) / 10 for i in range(n)]

    def key(pair: tuple[int, int]) -> tuple[bool, float, tuple[int, int]]:
        w = weight[pair]
        return w >= 5, -(10 - w + 1 + min(density[pair[0]], density[pair[1]])), pair

    assert [(*pair,) for pair in strategy.edges.tolist()] == sorted(weight, key=key)
    assert weight[tuple(strategy.edges[0].tolist())] < 5


def test_asc_takes_equally_near_points_by_index() -> None:
    """On a lattice each point has four neighbours at one distance."""
    lattice = np.array([(x, y) for x in range(6) for y in range(6)], np.float64)
    found = SharedNeighbours(Instance(lattice, 2)).edges
    assert np.array_equal(found, SharedNeighbours(Instance(lattice + 1024.0, 2)).edges)


def test_every_fifth_question_of_the_relaxation_is_one_about_the_data() -> None:
    answer, hedged = LabelOracle(CLASSES), ActiveSession(POINTS, 3, strategy="sdp-branch", seed=1)
    for _ in range(4):
        pair = hedged.ask()
        assert pair is not None
        hedged.tell(pair, answer(*pair))
    known = hedged.constraints
    plain = ActiveSession(POINTS, 3, must_link=known.must_link, cannot_link=known.cannot_link, seed=1)
    assert hedged.ask() == plain.ask()


def test_a_relaxation_that_is_a_partition_leaves_the_questions_to_the_data() -> None:
    points = np.repeat([0.0, 100.0, 1000.0], 4) + np.tile([0.0, 0.1, 0.3, 0.4], 3)
    pairs = [ActiveSession(points, 3, strategy=name, seed=2).ask() for name in ("sdp-branch", "sdp-entropy", "kmmffqs")]
    assert pairs[0] == pairs[1] == pairs[2]


def test_flips_cost_what_the_partition_costs_with_that_point_elsewhere() -> None:
    instance = Instance(POINTS, 3, [(0, 1)], [(2, 3)])
    reduced = reduce_instance(instance)
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, reduced.size)
    labels[:3] = range(3)

    def cost(own: np.ndarray) -> float:
        lifted = own[reduced.component]
        return sum(float(((POINTS[lifted == h] - POINTS[lifted == h].mean(axis=0)) ** 2).sum()) for h in range(3))

    found = flips(reduced, labels, cost(labels))
    assert [flip.cost for flip in found] == sorted(flip.cost for flip in found)
    assert len(found) == reduced.size - 3
    a, b = reduced.cannot_link[0]
    for flip in found:
        i, core = flip.pair
        assert labels[i] == labels[core] != -1
        ways = []
        for h in {0, 1, 2} - {int(labels[i])}:
            if (i == a and labels[b] == h) or (i == b and labels[a] == h):
                continue
            ways.append(cost(np.where(np.arange(reduced.size) == i, h, labels)))
        assert flip.cost == pytest.approx(min(ways))


def test_entropy_is_largest_in_the_middle_and_nothing_at_the_ends() -> None:
    assert entropy(np.array([0.5]))[0] == pytest.approx(1.0)
    assert entropy(np.array([0.0, 1.0])).max() < 1e-9


def test_the_command_line_knows_all_strategies() -> None:
    assert tuple(STRATEGIES) == options.STRATEGIES


@pytest.mark.slow
def test_the_pair_is_asked_about_whose_answer_leaves_little_doubt(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked at much longer, the pair that was chosen is among the best three of 24 candidates."""
    points = np.random.default_rng(0).standard_normal((50, 6))
    state = ActiveSession(points, 4, strategy="sdp-entropy")._state()
    plane = loop_of(state)
    assert plane is not None
    together, group = probabilities(plane), state.knowledge.problem.component
    pairs = relaxed._open_pairs(state, state.knowledge.problem, np.triu(entropy(together), 1), 0.01, most=24)
    pair = LargestDrop().next_pair(state)
    assert pair in pairs
    monkeypatch.setattr(relaxed, "ITERATIONS", 60)
    groups = [(int(i), int(j)) for i, j in group[np.array(pairs)]]
    left = [relaxed._expected(state, plane, own, together[own]) for own in groups]
    assert len(pairs) > 15
    assert np.sum(np.array(left) < left[pairs.index(pair)]) < 3


def test_looking_at_answers_beforehand_ends_with_the_time() -> None:
    points = np.random.default_rng(2).standard_normal((120, 4))
    session = ActiveSession(points, 4, strategy="sdp-entropy")
    state = session._state()
    assert loop_of(state) is not None
    looked: list[object] = []

    class Late(Stop):
        def asked(self) -> bool:
            looked.append(None)
            return len(looked) > 20

    assert LargestDrop().next_pair(replace(state, stop=Late())) is not None
    assert 20 < len(looked) < 40  # of some seven hundred
