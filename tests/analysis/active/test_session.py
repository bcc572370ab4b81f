"""Sessions: what follows is free, contradictions are refused with their chain, and answers can be taken back."""

import itertools
from pathlib import Path

import numpy as np
import pytest

from pcsos import InfeasibleError, InputError, Instance, Sizes, SoftPairs, Split
from pcsos.analysis.active import ActiveSession, LabelOracle
from pcsos.analysis.active.state import SessionState
from pcsos.analysis.active.strategies import STRATEGIES

POINTS = np.random.default_rng(0).standard_normal((12, 2))


def told(session: ActiveSession, *answers: tuple[int, int, bool | None]) -> ActiveSession:
    for i, j, same in answers:
        session.tell((i, j), same)
    return session


def test_what_follows_is_known_and_costs_nothing() -> None:
    session = told(ActiveSession(POINTS, 3, budget=4), (0, 1, True), (1, 2, True), (2, 3, False))
    know = session.knowledge
    assert (know.relation(0, 2), know.relation(0, 3), know.relation(3, 4)) == (True, False, None)
    assert know.row(0)[:5].tolist() == [1, 1, 1, -1, 0]
    assert know.num_open == 66 - 3 - 3
    told(session, (0, 2, True), (3, 1, False))
    assert (len(session.answers), session.questions_left) == (3, 1)


def test_the_number_of_clusters_implies_pairs() -> None:
    session = told(ActiveSession(POINTS, 2), (0, 1, False), (1, 2, False))
    assert session.knowledge.relation(0, 2) is True
    assert ActiveSession(POINTS, 1).knowledge.num_open == ActiveSession(POINTS, 12).knowledge.num_open == 0
    assert ActiveSession(POINTS, 1).knowledge.relation(3, 4) is True
    assert ActiveSession(POINTS, 12).knowledge.relation(3, 4) is False


def test_the_last_groups_are_apart_when_as_many_are_left_as_clusters() -> None:
    session = told(ActiveSession([0.0, 1.0, 2.0, 3.0], 3), (0, 1, True))
    assert session.knowledge.relation(2, 3) is False
    assert session.ask() is None


def test_a_contradiction_is_refused_with_its_chain_and_changes_nothing() -> None:
    session = told(ActiveSession(POINTS, 3), (0, 1, True), (1, 2, True), (2, 3, True))
    with pytest.raises(InfeasibleError, match="0 - 1 - 2 - 3") as found:
        session.tell((3, 0), False)
    assert found.value.conflict.cannot_link == ((0, 3),)
    assert len(session.answers) == 3
    assert session.knowledge.relation(0, 3) is True


def test_a_pair_that_cannot_be_linked_is_named_when_it_is_said_to_be_together() -> None:
    session = told(ActiveSession(POINTS, 4), (0, 1, True), (1, 2, False), (2, 3, True))
    with pytest.raises(InfeasibleError, match="points 1 and 2 cannot be linked, but must-links connect them"):
        session.tell((3, 0), True)


def test_more_classes_than_clusters_contradict_the_number() -> None:
    session = ActiveSession(POINTS, 3, cannot_link=[(0, 1), (1, 2), (0, 2), (3, 0), (3, 1)])
    assert session.knowledge.relation(3, 2) is True
    with pytest.raises(InfeasibleError, match="one of these has to go"):
        session.tell((3, 2), False)


def test_must_links_that_leave_too_few_groups_are_refused() -> None:
    with pytest.raises(InfeasibleError, match="one of these has to go"):
        told(ActiveSession([0.0, 1.0, 2.0], 2), (0, 1, True), (1, 2, True))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_taking_answers_back_leads_to_the_same_questions(strategy: str) -> None:
    session, answer = ActiveSession(POINTS, 3, strategy=strategy, seed=2), LabelOracle(np.arange(12) % 3)
    asked = []
    for _ in range(6):
        pair = session.ask()
        if pair is None:
            break
        assert session.ask() == pair
        asked.append(pair)
        session.tell(pair, answer(*pair))
    for pair in asked[::-1]:
        taken = session.undo()
        assert taken[:2] == session.ask() == pair
    assert session.undo() is None
    assert session.knowledge.num_open == 66


def test_a_budget_of_nothing_asks_nothing() -> None:
    session = ActiveSession(POINTS, 3, budget=0)
    assert session.ask() is None
    with pytest.raises(InputError, match="the budget of 0 answers is spent"):
        session.tell((0, 1), True)


def test_a_pair_that_nobody_knows_is_not_asked_again_and_counts() -> None:
    session = ActiveSession([0.0, 1.0, 5.0], 2, strategy="random", budget=9)
    asked = set()
    while (pair := session.ask()) is not None:
        asked.add(pair)
        session.tell(pair, None)
    assert asked == {(0, 1), (0, 2), (1, 2)}
    assert session.questions_left == 6


def test_groups_about_which_nobody_knew_are_not_asked_about_again() -> None:
    session = told(ActiveSession([0.0, 1.0, 5.0, 6.0], 3, strategy="random"), (0, 2, None))
    told(session, (0, 1, None), (0, 3, None), (2, 3, None))
    assert session.ask() in {(1, 2), (1, 3)}


def test_pairs_that_are_given_are_known_and_cannot_be_taken_back() -> None:
    session = ActiveSession(Instance(POINTS, 3, [(0, 1)], [(1, 2)]))
    assert session.knowledge.relation(0, 2) is False
    assert session.undo() is None
    assert session.constraints.must_link.tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"budget": -1}, "budget is -1; give a whole number of at least 0"),
        ({"budget": 2.5}, "budget is 2.5"),
        ({"epsilon": -0.1}, "epsilon is -0.1; give a share of the cost from 0 to"),
        ({"epsilon": float("nan")}, "epsilon is nan"),
        ({"strategy": "best"}, "strategy is 'best'; give one of 'random', 'mmffqs'"),
        ({"seed": -3}, "seed is -3"),
        ({"time_limit": -1.0}, "time_limit is -1.0"),
        ({"n_clusters": 13}, "n_clusters is 13 for 12 points"),
        ({"points": []}, "points are empty"),
        ({"points": [[0.0], [np.nan]]}, r"points\[1, 0\] is nan"),
        ({"must_link": [(0, 99)]}, r"must_link\[0\] is \(0, 99\)"),
    ],
)
def test_what_cannot_be_used_is_refused_in_a_sentence(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ActiveSession(**({"points": POINTS, "n_clusters": 3} | arguments))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pair", "same", "words"),
    [
        ((0, 12), True, "point indices go from 0 to 11"),
        ((3, 3), True, "one point twice"),
        ((1, 2, 3), True, "give two point indices"),
        (7, True, "give two point indices"),
        ((0, 1), "yes", "the answer about .* is 'yes'; give True, False or None"),
        ((0, 1), 1, "give True, False or None"),
    ],
)
def test_answers_that_are_none_are_refused(pair: object, same: object, words: str) -> None:
    session = ActiveSession(POINTS, 3)
    with pytest.raises(InputError, match=words):
        session.tell(pair, same)  # type: ignore[arg-type]
    assert session.answers == ()


def test_given_pairs_that_contradict_one_another_are_refused_with_their_chain() -> None:
    with pytest.raises(InfeasibleError, match="0 - 1 - 2"):
        ActiveSession(POINTS, 3, must_link=[(0, 1), (1, 2)], cannot_link=[(0, 2)])


def test_conditions_are_those_of_an_instance() -> None:
    conditions = [Sizes(3), SoftPairs(cannot_link=[(0, 1, 0.5)]), Split(0.2)]
    session = ActiveSession(POINTS, 3, conditions=conditions, strategy="certified", seed=1)
    whole = ActiveSession(Instance(POINTS, 3, conditions=conditions), strategy="certified", seed=1)
    assert session.instance.asked.to_dict() == whole.instance.asked.to_dict() == {
        "limits": {"size_min": 3}, "soft": [[0, 1, 0.0, 0.5]],
    }  # fmt: skip
    assert session.ask() == whole.ask()
    with pytest.raises(InputError, match="conditions is given beside an Instance"):
        ActiveSession(whole.instance, conditions=[Sizes(2)])


def test_weights_are_refused() -> None:
    with pytest.raises(InputError, match="points have weights"):
        ActiveSession(Instance(POINTS, 3, weights=np.full(12, 2.0)))


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["sdp-branch", "sdp-entropy", "certified"])
@pytest.mark.parametrize("time_limit", [0.0, 0.3])
def test_a_time_limit_ends_the_choice_of_a_question_and_still_asks(strategy: str, time_limit: float) -> None:
    points = np.random.default_rng(1).standard_normal((200, 3))
    session = ActiveSession(points, 4, strategy=strategy, time_limit=time_limit, epsilon=0.0)
    session.tell(session.ask() or (0, 0), None)
    assert session.ask() is not None
    assert not session.is_settled  # as it is where there is time


def test_the_rows_of_a_table_are_called_by_its_index(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(POINTS, index=[f"row {i}" for i in range(12)])
    plain, named = (
        ActiveSession(points, 3, strategy="mmffqs", log=tmp_path / f"{number}.csv")
        for number, points in enumerate((POINTS, table))
    )
    for _ in range(3):
        pair = plain.ask()
        assert named.ask() == (f"row {pair[0]}", f"row {pair[1]}")
        plain.tell(pair, False)
        named.tell((f"row {pair[0]}", f"row {pair[1]}"), False)
    assert plain.answers == named.answers
    with pytest.raises(InputError, match="'row 12', which is not in the index"):
        named.tell(("row 1", "row 12"), True)
    with pytest.raises(InputError, match="one point twice"):
        named.tell(("row 1", "row 1"), True)
    again = ActiveSession(table, 3, strategy="mmffqs", log=tmp_path / "1.csv")
    assert again.answers == named.answers
    assert again.ask() == named.ask()
    with pytest.raises(InputError, match="labels that occur twice"):
        ActiveSession(table.set_axis(["a"] * 12), 3)


class Neighbours:
    """Asks about each point and the next one."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        pairs = itertools.pairwise(range(state.knowledge.instance.n_points))
        return next(((i, j) for i, j in pairs if state.is_open(i, j)), None)


class Stubborn:
    """Asks about one pair for ever."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        return 3, 4


def test_a_strategy_may_be_an_object_with_a_method() -> None:
    session = ActiveSession(POINTS, 3, strategy=Neighbours())
    assert session.ask() == (0, 1)
    assert told(session, (0, 1, True)).ask() == (1, 2)
    with pytest.raises(InputError, match="or an object with a method next_pair"):
        ActiveSession(POINTS, 3, strategy=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("same", [None, True])
def test_a_strategy_that_asks_again_is_stopped(same: bool | None) -> None:
    session = ActiveSession(POINTS, 3, strategy=Stubborn())
    assert session.ask() == (3, 4)
    session.tell((3, 4), same)
    with pytest.raises(InputError, match=r"the strategy asks about \(3, 4\), which is answered"):
        session.ask()
