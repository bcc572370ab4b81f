"""Pairs to give up against brute force: what every partition into k clusters breaks at least, is the smallest set."""

import itertools
from pathlib import Path

import numpy as np
import pytest

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.cli import main
from pcsos.presolve import giving_up
from pcsos.presolve.deletion_filter import Filter
from tests.oracle import all_partitions, enumerate_feasible
from tests.slow import shares

Pairs = list[tuple[int, int]]


def drawn(rng: np.random.Generator, n: int) -> tuple[Pairs, Pairs]:
    pairs = list(itertools.combinations(range(n), 2))
    share = rng.uniform(0.05, 0.5), rng.uniform(0.1, 0.9)
    must, cannot = ([pair for pair in pairs if rng.random() < own] for own in share)
    return must, cannot


def least_broken(n: int, k: int, trusted: dict[tuple[bool, tuple[int, int]], float]) -> float:
    """What the best of all partitions breaks."""
    labels = all_partitions(n, k)
    costs = np.zeros(len(labels))
    for (is_must, (i, j)), trust in trusted.items():
        costs += trust * ((labels[:, i] == labels[:, j]) != is_must)
    return float(costs.min())


def is_feasible(n: int, k: int, must: object, cannot: object) -> bool:
    return enumerate_feasible(pcsos.Instance(np.zeros((n, 1)), k, must, cannot)).feasible  # type: ignore[arg-type]


@pytest.mark.parametrize("seeds", shares(10, 40))
@pytest.mark.parametrize("k", [1, 2, 3, 4])
def test_the_set_is_smallest_and_enough(k: int, seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the search for labels is of little help, so that the rounds of contradictions have to find it."""
    num_rounds = 0
    for seed in seeds:
        rng = np.random.default_rng([k, seed])
        monkeypatch.setattr(giving_up, "SWEEPS", 1 if seed % 2 else 50)
        n = int(rng.integers(max(k, 4), 9))
        must, cannot = drawn(rng, n)
        found = pcsos.conflicts(np.zeros((n, 1)), k, must_link=must, cannot_link=cannot)
        truth = least_broken(n, k, {(True, own): 1.0 for own in must} | {(False, own): 1.0 for own in cannot})
        assert found.is_smallest
        assert found.cost == found.at_least == truth
        assert is_feasible(n, k, found.left.must_link, found.left.cannot_link)
        assert sorted([*found.given_up.must_link.tolist(), *found.left.must_link.tolist()]) == list(map(list, must))
        assert sorted([*found.given_up.cannot_link.tolist(), *found.left.cannot_link.tolist()]) == list(
            map(list, cannot)
        )
        named = [(kind, pair) for own in found.contradictions for kind in (0, 1) for pair in _pairs(own)[kind]]
        assert len(named) == len(set(named))
        for conflict in found.contradictions:
            assert conflict.is_irreducible
            assert not is_feasible(n, k, conflict.must_link, conflict.cannot_link)
        assert bool(found.contradictions) == (truth > 0)
        num_rounds += truth > len(found.contradictions)
    assert num_rounds > 0 or k == 1


def _pairs(conflict: pcsos.Conflict) -> tuple[tuple[tuple[int, int], ...], ...]:
    return conflict.must_link, conflict.cannot_link


@pytest.mark.parametrize("seeds", shares(10, 40))
def test_the_cheapest_set_by_trust(seeds: range, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(giving_up, "SWEEPS", 30)
    for rng in map(np.random.default_rng, seeds):
        n = int(rng.integers(4, 8))
        must, cannot = drawn(rng, n)
        trusted = {(True, own): float(rng.uniform(0.01, 9.0)) for own in must}
        trusted |= {(False, own): float(rng.uniform(0.01, 9.0)) for own in cannot}
        rows = [[(*pair, trust) for (kind, pair), trust in trusted.items() if kind is own] for own in (True, False)]
        found = pcsos.conflicts(np.zeros((n, 1)), 3, conditions=[pcsos.SoftPairs(*rows)])
        assert found.is_smallest
        assert found.cost == pytest.approx(least_broken(n, 3, trusted), rel=1e-6)
        assert is_feasible(n, 3, found.left.must_link, found.left.cannot_link)


@pytest.mark.parametrize("seeds", shares(4, 20))
def test_trust_of_all_magnitudes(seeds: range) -> None:
    """What is called smallest is so, though no solver tells costs so far apart from one another."""
    num_proved = 0
    for seed in seeds:
        rng, most = np.random.default_rng(seed), 9 if seed % 2 else 3
        must, cannot = drawn(rng, 7)
        trusted = {(True, own): 10.0 ** rng.integers(-most, most) for own in must}
        trusted |= {(False, own): 10.0 ** rng.integers(-most, most) for own in cannot}
        rows = [[(*pair, trust) for (kind, pair), trust in trusted.items() if kind is own] for own in (True, False)]
        found = pcsos.conflicts(np.zeros((7, 1)), 3, conditions=[pcsos.SoftPairs(*rows)])
        truth = least_broken(7, 3, trusted)
        assert is_feasible(7, 3, found.left.must_link, found.left.cannot_link)
        assert found.at_least <= truth * (1.0 + 1e-6)
        assert found.cost >= truth * (1.0 - 1e-6)
        assert not found.is_smallest or found.cost == pytest.approx(truth, rel=1e-6)
        num_proved += found.is_smallest and truth > 0.0
    assert num_proved > 0


def test_pairs_that_must_hold_go_last() -> None:
    soft = pcsos.SoftPairs(must_link=[(0, 2, 5.0), (1, 3, 4.0)])
    found = pcsos.conflicts(np.zeros((4, 1)), 2, cannot_link=[(0, 2), (1, 3)], conditions=[soft])
    assert found.given_up.must_link.tolist() == [[0, 2], [1, 3]]
    assert (found.given_up.cannot_link.size, found.cost) == (0, 9.0)


@pytest.mark.parametrize("seed", range(5))
def test_what_time_is_left_for_is_true(seed: int) -> None:
    """Without time for a proof, what is given up is enough and the bound holds."""
    rng = np.random.default_rng(seed)
    must, cannot = drawn(rng, 8)
    found = pcsos.conflicts(np.zeros((8, 1)), 3, must_link=must, cannot_link=cannot, time_limit=0.0)
    truth = least_broken(8, 3, {(True, own): 1.0 for own in must} | {(False, own): 1.0 for own in cannot})
    assert is_feasible(8, 3, found.left.must_link, found.left.cannot_link)
    assert found.at_least <= truth <= found.cost
    assert found.is_smallest == (found.cost == found.at_least)


def test_clusters_that_must_links_leave_empty() -> None:
    found = pcsos.conflicts(np.zeros((4, 1)), 3, must_link=[(0, 1), (1, 2), (2, 3)])
    assert (found.cost, found.is_smallest, len(found.contradictions)) == (2.0, True, 1)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="time_limit is -1; give a number of seconds"):
        pcsos.conflicts([0.0, 1.0], 2, time_limit=-1)
    with pytest.raises(InputError, match="outliers is 1, but conflicts leaves no point out"):
        pcsos.conflicts([0.0, 1.0, 2.0], 2, conditions=[pcsos.Outliers(1)])


@pytest.fixture
def noisy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two contradictions that share no pair."""
    monkeypatch.chdir(tmp_path)
    Path("points.csv").write_text("x\n0\n1\n2\n5\n6\n7\n")
    Path("pairs.txt").write_text("ML 0 1\nML 1 2\nCL 0 2\nML 3 4\nSML 4 5 2\nCL 3 5\nSCL 0 5 1\n")
    return tmp_path


def test_on_the_command_line(noisy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["info", "points.csv", "-k", "2", "--constraints", "pairs.txt"]
    assert main([*arguments, "--out", "left.txt"]) == 3
    shown = capsys.readouterr().out.splitlines()
    assert shown[0].split()[1:5] == ["2", "contradictions", "without", "a"]
    assert [line.split()[0] for line in shown[1:3]] == ["contradiction"] * 2
    assert ["give", "up", "ML", "4", "5", "pairs.txt", "line", "5"] in [line.split() for line in shown]
    left = Path("left.txt").read_text()
    assert "ML 4 5" not in left
    assert "CL 0 5" in left
    assert main([*arguments[:-1], "left.txt", "--conflicts"]) == 0
    first, *rest = capsys.readouterr().out.splitlines()
    assert first.endswith("  the pairs do not contradict one another")
    assert [line.split()[:5] for line in rest if line.startswith("looks wrong")] == [
        ["looks", "wrong", "CL", "0", "2"],
        ["looks", "wrong", "CL", "3", "5"],
    ]


def test_left_over_on_standard_output(noisy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["info", "points.csv", "-k", "2", "--constraints", "pairs.txt", "--conflicts", "--quiet"]
    assert main([*arguments, "--out", "-", "--time-limit", "30"]) == 3
    assert all(line[:2] in {"ML", "CL"} for line in capsys.readouterr().out.splitlines())


def test_what_is_given_up_without_a_contradiction_proves_nothing(
    noisy: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def undecided(search: Filter, rest: object) -> None:
        search.is_sure = False

    monkeypatch.setattr(Filter, "conflicting", undecided)
    assert main(["info", "points.csv", "-k", "2", "--constraints", "pairs.txt", "--conflicts"]) == 4
    assert "(at least 0 have to go)" in capsys.readouterr().out
