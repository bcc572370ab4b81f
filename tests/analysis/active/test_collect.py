"""Collecting pairs from oracles: honest ones, liars, files and people."""

import io
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.analysis.active import AnswersFile, AskUser, LabelOracle
from pcsos.analysis.active.state import SessionState
from pcsos.analysis.active.strategies import STRATEGIES
from pcsos.base.exceptions import InputError
from pcsos.problem.generate import gaussian_mixture
from pcsos.problem.validation.names import PointNames

POINTS, CLASSES = gaussian_mixture(30, 2, 3, seed=2)


def test_what_is_collected_can_be_solved_and_is_true() -> None:
    got = pcsos.collect(POINTS, LabelOracle(CLASSES), strategy="kmmffqs", budget=15, n_clusters=3)
    assert len(got.questions) == 15 == len(got.must_link) + len(got.cannot_link)
    assert all(CLASSES[i] == CLASSES[j] for i, j in got.must_link)
    assert all(CLASSES[i] != CLASSES[j] for i, j in got.cannot_link)
    assert got.contradictions == ()
    result = pcsos.solve(POINTS, 3, must_link=got.must_link, cannot_link=got.cannot_link)
    assert result.status is pcsos.Status.OPTIMAL


@pytest.mark.slow
def test_a_liar_ends_in_pairs_that_can_be_satisfied() -> None:
    for seed in range(8):
        liar = LabelOracle(CLASSES, error_rate=0.4, seed=seed)
        got = pcsos.collect(POINTS, liar, strategy="random", budget=60, n_clusters=3, seed=seed)
        assert any(same is not None and same != (CLASSES[i] == CLASSES[j]) for i, j, same in got.questions)
        instance = pcsos.Instance(POINTS, 3, got.must_link, got.cannot_link)
        assert pcsos.ActiveSession(instance).standing() is not None


class LastPair:
    """Asks about one pair that nothing implies."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        return (9, 10) if state.is_open(9, 10) else None


def test_an_answer_that_contradicts_others_is_told_and_counts_as_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """No three clusters satisfy all cannot-links of the Groetzsch graph, which has no triangle that would show it."""
    cycle = [(p, (p + 1) % 5) for p in range(5)]
    spokes = [(p + 5, (p + step) % 5) for p in range(5) for step in (1, 4)]
    known = [*cycle, *spokes, *((p + 5, 10) for p in range(4))]
    monkeypatch.setitem(STRATEGIES, "random", lambda instance, seed: LastPair())
    got = pcsos.collect(
        np.arange(11.0), lambda i, j: False, strategy="random", budget=30, n_clusters=3, cannot_link=known
    )
    assert got.questions == ((9, 10, None),)
    assert len(got.contradictions) == 1
    assert "one of these has to go" in got.contradictions[0]
    assert len(got.cannot_link) == 19


def test_errors_come_at_their_rate_and_are_the_same_when_asked_again() -> None:
    liar = LabelOracle(np.zeros(80), error_rate=0.3, seed=1)
    pairs = [(i, j) for i in range(80) for j in range(i)]
    said = [liar(*pair) for pair in pairs]
    assert np.mean(said) == pytest.approx(0.7, abs=0.03)
    assert said == [liar(j, i) for i, j in pairs]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (([], 0.0), "labels have shape"),
        (([0.0, np.nan], 0.0), r"labels\[1\] is not finite"),
        (([0, 1], 1.5), "error_rate is 1.5; give a number from 0 to 1"),
    ],
)
def test_labels_that_cannot_be_used_are_refused(arguments: tuple[list[float], float], words: str) -> None:
    with pytest.raises(InputError, match=words):
        LabelOracle(*arguments)


def test_labels_for_fewer_points_are_refused() -> None:
    with pytest.raises(InputError, match=r"labels are 4, but point \d+ is asked for; give one class a point"):
        pcsos.collect(POINTS, LabelOracle([0, 1, 0, 1]), budget=2, n_clusters=3)


def test_an_oracle_that_is_none_or_says_something_else_is_refused() -> None:
    with pytest.raises(InputError, match="oracle is of type int"):
        pcsos.collect(POINTS, 3, budget=2, n_clusters=3)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"the answer about .* is 'same'"):
        pcsos.collect(POINTS, lambda i, j: "same", budget=2, n_clusters=3)  # type: ignore[arg-type, return-value]


def test_an_interrupt_keeps_what_was_answered() -> None:
    replies = iter([False, True])

    def oracle(i: int, j: int) -> bool:
        for reply in replies:
            return reply
        raise KeyboardInterrupt

    got = pcsos.collect(POINTS, oracle, strategy="random", budget=9, n_clusters=3)
    assert [same for *_, same in got.questions] == [False, True]
    with pytest.raises(KeyboardInterrupt):
        pcsos.collect(POINTS, oracle, strategy="random", budget=9, n_clusters=3)


def test_somebody_at_the_terminal_is_asked_until_the_reply_is_understood(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("what\nY\nno\nu\n"))
    user = AskUser()
    assert [user(3, 4), user(5, 6), user(7, 8)] == [True, False, None]
    shown = capsys.readouterr().out
    assert "points 3 and 4" in shown
    assert shown.count("same cluster?") == 4
    with pytest.raises(KeyboardInterrupt):
        user(1, 2)
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    assert AskUser(lambda i, j: None)(1, 2) is True


def test_answers_come_from_a_file_and_are_unknown_elsewhere(tmp_path: Path) -> None:
    path = tmp_path / "answers.csv"
    path.write_text("i,j,answer\na,b,yes\nb,c,no\nc,a,unknown\n")
    oracle = AnswersFile(path, PointNames(4, ids=["a", "b", "c", "d"]))
    assert [oracle(0, 1), oracle(2, 1), oracle(0, 2), oracle(0, 3)] == [True, False, None, None]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("0,1,yes\n1,0,no\n", "answers the question about 1 and 0 in two ways"),
        ("0,1\n", "line 1 has 2 values"),
        ("0,1,maybe\n", "line 1 has the answer 'maybe'; give yes, no, unknown or undo"),
        ("0,9,yes\n", "line 1 names point 9, but point indices go from 0 to 3"),
        ("1,1,yes\n", "about the point 1 twice"),
        ("0,1,undo\n", "takes an answer back, but there is none"),
        ("", "is empty"),
    ],
)
def test_files_that_cannot_be_used_are_refused(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "answers.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=words):
        AnswersFile(path, 4)
