"""Work is charged where it is done: whatever a file makes the checker do, it is charged in proportion."""

import contextlib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.exceptions import FormatError
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.verify import VerificationError, effort, evidence, file, verify
from pcsos.verify.data import LONG, Data, sum_below, sum_of
from pcsos.verify.doubles import Doubles
from pcsos.verify.reading import memory
from tests import announcements
from tests.announcements import KINDS
from tests.conformance import texts
from tests.drafts import Draft, decisions, draft, multipliers, size, write, zeros
from tests.slow import first_few, slow_where
from tests.verify.certificates import hand_made
from tests.verify.work import Account, Work, account, work_of

#: Work that a line of Python has to be charged with, at least, and lines beside those: the file is opened.
OF_A_LINE, FREE = 50, 2000
HONEST = {own.name: own for own in texts.expected() if own.answer == "accepted"}


def work_on(path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Return what it takes to check a file, and what it is charged with."""
    own = Account()

    def check() -> None:
        with contextlib.suppress(VerificationError, FormatError):
            verify(path)

    with monkeypatch.context() as patch:
        patch.setattr(effort, "begin", lambda _: effort._left.set(own))
        return work_of(check)._replace(charged=own.charged)


def is_charged(work: Work) -> bool:
    return work.lines <= work.charged / OF_A_LINE + FREE


def announced(path: Path, kind: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a small file of a kind."""
    with monkeypatch.context() as patch:
        patch.setattr(announcements, "size", lambda rng, least, most: size(rng, min(least, 9), min(most, 9)))
        write(path, KINDS[kind](np.random.default_rng(seed)))
    return path


@pytest.mark.parametrize("name", first_few(12, list(HONEST)[::9] + list(HONEST)[1::9]))
def test_honest_files_are_charged_with_all_that_is_done(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = work_on(texts.write_file(tmp_path / "some.run", HONEST[name]), monkeypatch)
    assert is_charged(work), work
    assert work.charged < effort.FIXED / 20


@pytest.mark.parametrize("kind", slow_where(lambda kind: kind in ("matrices", "parts"), KINDS))
def test_announcements_are_charged_with_all_that_is_done(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for seed in range(4):
        work = work_on(announced(tmp_path / f"{seed}.run", kind, seed, monkeypatch), monkeypatch)
        assert is_charged(work), (seed, work)


@pytest.mark.parametrize(
    ("charge", "kind"), [("soft_pairs.charged", "penalties"), ("doubles.spend", "points"), ("state.spend", "search")]
)
def test_a_place_that_is_forgotten_is_found(
    charge: str, kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"pcsos.verify.{charge}", lambda items, *_: items)
    paths = (announced(tmp_path / f"{seed}.run", kind, seed, monkeypatch) for seed in range(4))
    assert not all(is_charged(work_on(path, monkeypatch)) for path in paths)


def test_a_file_that_asks_for_more_than_it_may_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = hand_made(tmp_path / "run")
    work = work_on(path, monkeypatch).charged
    monkeypatch.setattr(effort, "SHARE", 0)
    monkeypatch.setattr(effort, "FIXED", work)
    assert verify(path).status == "OPTIMAL"
    monkeypatch.setattr(effort, "FIXED", work - 1)
    with pytest.raises(VerificationError, match="more work than a file of this size may ask for"):
        verify(path)


def test_what_is_done_outside_of_a_file_is_charged_to_none() -> None:
    with account() as own:
        Data(Doubles(np.ones((9, 2))), Doubles(np.ones(9))).cost([range(9)])
    assert own.charged > 9 * 2 * effort.OF_A_NUMBER
    Data(Doubles(np.ones((9, 2))), Doubles(np.ones(9))).cost([range(9)])


# What hostile files asked for in a few bytes


def charged(path: Path, found: Draft, monkeypatch: pytest.MonkeyPatch) -> int:
    write(path.with_suffix(".new"), found)
    path.with_suffix(".new").replace(path)
    return work_on(path, monkeypatch).charged


def soft_pairs(number: int, pairs: int) -> Draft:
    """Return a file with so many soft pairs and so many that become hard."""
    conditions = '{"soft": [' + ", ".join(["[0, 39, 1, 0]"] * number) + "]}"
    found = draft(40, 2, encode_floats(np.arange(40.0)[:, None]), conditions=conditions)
    found.add(0, "soft", decisions(1, 0, 1 + np.arange(pairs) % 38), multipliers(40))
    found.branch(0, 0, 1)
    return found


def forced_pairs(n: int, pairs: int) -> Draft:
    """Return a file with two super-points of n points together, and so many pairs that a limit forces."""
    half = np.arange(n // 2 - 1)
    joined = np.concatenate([np.stack([half, half + 1], 1), np.stack([half, half + 1], 1) + n // 2])
    found = draft(
        n, 2, encode_floats(np.zeros((n, 1))),
        must_link=encode_integers(joined), conditions=f'{{"limits": {{"size_max": {n // 2}}}}}',
    )  # fmt: skip
    found.add(0, "forced", decisions(np.ones(pairs, np.int64), 0, n - 1), zeros(pairs))
    found.add(0, "single")
    return found


@pytest.mark.parametrize("build", [soft_pairs, forced_pairs])
def test_what_pairs_cost_does_not_go_with_all_else_beside_them(
    build: Callable[[int, int], Draft], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few, many = (40, 400) if build is forced_pairs else (4, 400)
    path, costs = tmp_path / "some.run", {}
    for number in (few, many):
        for pairs in (1, 200):
            costs[number, pairs] = charged(path, build(number, pairs), monkeypatch)
    for_pairs = costs[few, 200] - costs[few, 1]
    assert 0 < costs[many, 200] - costs[many, 1] < 1.5 * for_pairs


def test_far_pairs_do_not_cost_the_digits_of_all_super_points() -> None:
    rng = np.random.default_rng(0)
    weights = np.concatenate([(1 + 2 * rng.permutation(200)) * 2.0**-1000, 2.0**900 * (1 + np.arange(200) / 1024)])
    data = Data(Doubles(np.repeat([0.0, 1.0], 200)[:, None]), Doubles(weights))
    groups = [[i, i + 200] for i in range(200)]
    exact, below = data.cost(groups), data.cost_below(groups)
    assert int(exact.q).bit_length() > 100_000
    assert int(below.q).bit_length() < 12_000
    assert 0 <= exact - below < exact / 2**1000


# Sums of fractions


@pytest.mark.parametrize("seed", range(5))
def test_fractions_are_added_up(seed: int) -> None:
    rng = np.random.default_rng(seed)
    number = int(rng.integers(0, 300))
    fractions = [(int(rng.integers(0, 9)), int(rng.integers(1, 2**61))) for _ in range(number)]
    expected = sum((Fraction(a, b) for a, b in fractions), Fraction(0))
    exact, below = (Fraction(int(own.p), int(own.q)) for own in (sum_of(fractions), sum_below(fractions)))
    assert exact == expected
    assert expected - Fraction(300, 2**LONG) <= below <= expected
    assert below == expected or number > LONG // 61
    assert sum_of([*fractions, *fractions]) == 2 * sum_of(fractions)


def test_fractions_of_too_many_digits_are_not_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pcsos.verify.data.MOST_WORDS", 3)
    assert sum_of([(1, 3), (1, 7), (1, 7), (1, 9)]) == sum_of([(1, 3), (2, 7), (1, 9)])
    with pytest.raises(VerificationError, match="the weights of clusters are too different"):
        sum_of([(1, 3), (1, 7), (1, 9), (1, 11)])


# Memory of matrices


def test_a_small_file_may_have_one_matrix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    s = 60
    found = draft(s, 2, encode_floats(np.arange(float(s))[:, None]))
    found.add(0, "open", multipliers(s))
    write(tmp_path / "run", found)
    monkeypatch.setattr(file, "OF_MATRICES", 0)
    monkeypatch.setattr(memory, "FIXED", 0)
    assert verify(tmp_path / "run").status == "UNKNOWN"
    monkeypatch.setattr(evidence, "LARGEST", s - 1)
    with pytest.raises(VerificationError, match="multipliers: takes 0 MB, more than a file of this size may take"):
        verify(tmp_path / "run")


def test_it_says_how_long_large_multipliers_take(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    found = draft(60, 2, encode_floats(np.arange(60.0)[:, None]))
    found.add(0, "open", multipliers(60))
    write(tmp_path / "run", found)
    monkeypatch.setattr(evidence, "LARGE", 60)
    monkeypatch.setattr(evidence, "OF_A_BLOCK", 10**6)
    verify(tmp_path / "run", on_step=said.append)
    assert "multipliers of 60 super-points, which take about 3 s" in said
