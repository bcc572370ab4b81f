"""What questions and proofs share: one partition and one relaxation of what is known, the same after every detour."""

from pathlib import Path

import numpy as np
import pytest

from pcsos.analysis.active import ActiveSession
from pcsos.analysis.certainty import relaxed
from pcsos.problem.generate import gaussian_mixture
from tests.analysis.answering import answered

POINTS, CLASSES = gaussian_mixture(40, 2, 3, separation=3.0, seed=3)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the costly functions in the order in which they are called."""
    called: list[str] = []
    for name in ("good_partition", "relax", "carried"):

        def counting(*arguments: object, name: str = name, original: object = getattr(relaxed, name)) -> object:
            called.append(name)
            return original(*arguments)  # type: ignore[operator]

        monkeypatch.setattr(relaxed, name, counting)
    return called


def test_what_a_question_has_computed_is_what_is_proved(calls: list[str]) -> None:
    session = answered(ActiveSession(POINTS, 3, strategy="certified", epsilon=0.3), CLASSES, 4)
    pair, before = session.ask(), len(calls)
    standing = session.standing()
    assert standing is session.standing()
    assert not session.is_settled
    assert standing.pair == pair
    assert len(calls) == before


@pytest.mark.parametrize("strategy", ["sdp-branch", "sdp-entropy"])
def test_the_relaxation_of_a_question_is_that_of_the_proof(calls: list[str], strategy: str) -> None:
    session = ActiveSession(POINTS, 3, strategy=strategy, epsilon=1e-3)
    session.ask()
    assert session.standing() is not None
    assert calls == ["good_partition", "relax"]


def test_one_relaxation_is_begun_anew_and_the_others_from_it(calls: list[str]) -> None:
    session = answered(ActiveSession(POINTS, 3, strategy="sdp-branch"), CLASSES, 2)
    session.tell(session.ask() or (0, 0), None)
    assert (calls.count("relax"), calls.count("carried")) == (1, 2)
    before = len(calls)
    assert session.ask() is not None
    assert len(calls) == before, "nothing was learnt, so there is nothing to compute"


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["sdp-branch", "certified"])
def test_proofs_are_the_same_after_answers_were_taken_back_or_read_from_a_log(tmp_path: Path, strategy: str) -> None:
    options = {"strategy": strategy, "epsilon": 0.1, "log": tmp_path / "log.csv"}
    session = ActiveSession(POINTS, 3, **options)
    bounds = []
    for _ in range(4):
        standing = session.standing()
        bounds.append((standing.lower_bound, standing.decided.cannot_link.tolist(), session.ask()))
        answered(session, CLASSES, len(session.answers) + 1)
    for bound in bounds[::-1]:
        session.undo()
        resumed = ActiveSession(POINTS, 3, **options)
        for one in (session, resumed):
            found = one.standing()
            assert (found.lower_bound, found.decided.cannot_link.tolist(), one.ask()) == bound


def test_the_epsilon_of_a_session_stays() -> None:
    session = ActiveSession(POINTS, 3, epsilon=0.2)
    with pytest.raises(AttributeError):
        session.epsilon = 0.5  # type: ignore[misc]
    assert session.epsilon == 0.2


def test_a_relaxation_that_answers_made_small_enough_needs_no_larger_one(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("relaxed", "deciding"):
        monkeypatch.setattr(
            f"pcsos.analysis.certainty.{module}.shortage", lambda size: "too large" if size > 38 else ""
        )
    session = ActiveSession(POINTS, 3, strategy="certified", epsilon=1e-3)
    assert not session.is_settled
    same = np.flatnonzero(CLASSES == 0)[:4].tolist()
    for other in same[1:]:
        session.tell((same[0], other), True)
    assert session.standing() is not None
