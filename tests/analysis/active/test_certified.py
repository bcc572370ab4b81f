"""The strategy that asks what is not proved, and tries now and then whether the expert agrees with what is."""

import numpy as np
import pytest

import pcsos
from pcsos.analysis.active import ActiveSession, LabelOracle, Standing, strategies
from pcsos.analysis.active.farthest_first import FarthestFirst
from pcsos.base.control.stop import NEVER
from pcsos.base.rand_index import adjusted_rand_index
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.reduction import contract
from tests.analysis.answering import answered

POINTS, CLASSES = gaussian_mixture(36, 2, 3, separation=3.0, seed=3)
CLEAR = [0.0, 1.0, 10.0, 11.0, 30.0, 31.0, 50.0, 51.5]


def test_the_first_questions_are_those_of_points_far_apart() -> None:
    session = answered(ActiveSession(POINTS, 3, strategy="certified", seed=4), CLASSES, 4)
    assert session.answers == answered(ActiveSession(POINTS, 3, strategy="mmffqs", seed=4), CLASSES, 4).answers


def test_later_questions_are_what_is_undecided_but_for_a_share() -> None:
    session, told = ActiveSession(POINTS, 3, strategy="certified", epsilon=0.5, budget=30), LabelOracle(CLASSES)
    for number in range(1, 31):
        pair = session.ask()
        if pair is None or session.is_settled:
            break
        standing = session.standing()
        assert standing is not None
        if number > 4 and number not in (25, 30) and number % strategies.AUDIT != strategies.AUDIT_TURN:
            assert pair == standing.pair
        session.tell(pair, told(*pair))
    assert number > 10


@pytest.mark.parametrize("is_decided", [True, False])
@pytest.mark.parametrize("number", [6, 7, 8, 17])
def test_one_question_in_ten_is_about_a_pair_that_is_decided(number: int, is_decided: bool) -> None:
    """All points but one are together: the seventh question is about them, unless hardly anything is decided."""
    session = ActiveSession(POINTS, 3, strategy="random")
    while len(session.answers) < number - 1:
        session.tell(session.ask() or (0, 0), None)
    state = session._state()
    problem, partition = state.knowledge.problem, state.shared.partition(NEVER)
    assert partition is not None
    decided = contract(problem, [(0, point) for point in range(1, 30)] if is_decided else (), ())
    standing = Standing(partition, 0.1, 9.0, decided, (0, 35))
    state.shared.standings[state._unknown] = standing
    pair = strategies.Certified(FarthestFirst(session.instance, 0)).next_pair(state)
    assert pair is not None
    is_audit = is_decided and number in {7, 17}
    assert (standing.relation(*pair) is True) == is_audit
    assert (pair == (0, 35)) != is_audit


def test_where_all_is_decided_five_answers_have_to_be_foretold() -> None:
    points, classes = np.array(CLEAR), np.repeat(range(4), 2)
    session = ActiveSession(points, 4, strategy="certified", epsilon=0.01)
    assert session.is_settled
    answered(session, classes, 99)
    assert session.ask() is None
    assert session.is_settled
    assert len(session.answers) == strategies.FORETOLD
    assert session.surprises == ()


@pytest.mark.slow
def test_answers_against_what_is_proved_are_told_and_the_questions_go_on() -> None:
    """Two long groups, which least squares cuts across."""
    classes = np.arange(40) % 2
    points = np.random.default_rng(1).normal(size=(40, 2)) * [3.0, 0.2] + np.outer(classes, [0.0, 2.0])
    got = pcsos.collect(points, LabelOracle(classes), strategy="certified", epsilon=1e-3, budget=30, n_clusters=2)
    found = pcsos.solve(points, 2, must_link=got.must_link, cannot_link=got.cannot_link)
    before = pcsos.solve(points, 2)
    assert adjusted_rand_index(before.labels, classes) < 0.2
    assert adjusted_rand_index(found.labels, classes) > 0.6
    assert got.surprises
    assert set(got.surprises) < set(got.questions)


def test_an_answer_is_a_surprise_only_against_a_proof() -> None:
    session = ActiveSession(CLEAR, 4, strategy="mmffqs", epsilon=0.01)
    session.tell((0, 1), False)
    assert session.surprises == (), "nothing was proved yet"
    session.undo()
    assert session.is_settled
    session.tell((0, 1), False)
    assert session.surprises == ((0, 1, False),)
    assert session.is_settled
    session.tell((2, 3), None)
    session.undo()
    session.tell((2, 3), True)
    session.undo()
    assert session.surprises == ((0, 1, False),)
    session.undo()
    assert session.surprises == ()


@pytest.mark.parametrize("turn", [5, 25])
def test_a_standing_that_is_not_found_leaves_the_question_to_the_other(
    turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pcsos.analysis.certainty.relaxed.good_partition", lambda knowledge, seed, stop: None)
    session = answered(ActiveSession(POINTS, 3, strategy="certified", seed=4), CLASSES, turn)
    assert session.answers == answered(ActiveSession(POINTS, 3, strategy="mmffqs", seed=4), CLASSES, turn).answers
