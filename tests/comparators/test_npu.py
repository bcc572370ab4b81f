"""Normalised point-based uncertainty: points are placed one after the other, the most uncertain ones first."""

import itertools

import numpy as np
import pytest

from benchmarks.comparators import npu
from pcsos.analysis.active import ActiveSession, LabelOracle
from pcsos.problem.generate import gaussian_mixture

POINTS, CLASSES = gaussian_mixture(36, 2, 3, separation=3.0, seed=3)


def answered(session: ActiveSession, number: int) -> ActiveSession:
    while len(session.answers) < number and (pair := session.ask()) is not None:
        session.tell(pair, LabelOracle(CLASSES)(*pair))
    return session


def test_a_value_is_the_entropy_for_each_expected_question() -> None:
    likely = np.array([[0.5, 0.5, 0.0], [0.0, 0.25, 0.75], [1.0, 0.0, 0.0]])
    expected = [1.0 / 1.5, (0.25 * 2.0 + 0.75 * np.log2(4 / 3)) / (0.75 + 0.5), 0.0]
    assert npu._value(likely) == pytest.approx(expected)


def test_points_are_placed_one_after_the_other() -> None:
    session = answered(ActiveSession(POINTS, 3, strategy=npu.PointUncertainty(), seed=1), 14)
    asked = [i for i, *_ in session.answers]
    changes = sum(i != j for i, j in itertools.pairwise(asked))
    assert changes == len(set(asked)) - 1, "no point is left before it is placed"
    members, _ = npu._neighbourhoods(session._state())
    assert len(members) == 3
    assert all(np.unique(CLASSES[group]).size == 1 for group in members)
    assert sum(map(len, members)) >= len(set(asked))


def test_the_last_neighbourhood_is_implied_and_the_likeliest_comes_first() -> None:
    session = answered(ActiveSession(POINTS, 3, strategy=npu.PointUncertainty(), seed=1), 12)
    state = session._state()
    members, waiting = npu._neighbourhoods(state)
    likely = npu._likely(state, members)
    assert likely is not None
    assert likely.shape == (36, 3)
    assert likely.sum(axis=1) == pytest.approx(np.ones(36))
    pair = session.ask()
    assert pair is not None
    if waiting is None:
        assert pair[1] == members[int(np.argmax(likely[pair[0]]))][0]
    assert max(np.unique([i for i, *_ in session.answers], return_counts=True)[1]) <= 2


@pytest.mark.slow
def test_a_session_that_goes_on_from_a_log_asks_the_same(tmp_path: object) -> None:
    options = {"strategy": npu.PointUncertainty(), "seed": 2, "log": f"{tmp_path}/log.csv"}
    session = answered(ActiveSession(POINTS, 3, **options), 9)
    assert ActiveSession(POINTS, 3, **options).ask() == session.ask()


def test_what_nobody_knows_does_not_stop_it() -> None:
    session = ActiveSession(POINTS[:8], 3, strategy=npu.PointUncertainty())
    while (pair := session.ask()) is not None:
        session.tell(pair, None)
    assert len(session.answers) == 7


def test_without_a_limit_all_pairs_get_known() -> None:
    session = ActiveSession(POINTS[:14], 3, strategy=npu.PointUncertainty())
    assert answered(session, 99).knowledge.num_open == 0
    assert len(session.answers) <= 14 * 2
