"""Conflicts against brute force: what is named contradicts itself, and does not without any one of its constraints."""

import itertools
import signal
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pcsos import Conflict, Instance, resume, solve
from pcsos.base.control.stop import Stop
from pcsos.base.exceptions import InfeasibleError, RunFileError
from pcsos.cli import main
from pcsos.evidence.run_file import RunFile
from pcsos.heuristics import run as run_heuristic
from pcsos.presolve.deletion_filter import Filter, refuse_false_conflict
from pcsos.presolve.presolve import presolve
from pcsos.problem.options import Budget
from tests.oracle import enumerate_feasible
from tests.slow import slow_where

Pairs = list[tuple[int, int]]


def conflict_of(n: int, k: int, must: Pairs, cannot: Pairs, budget: Budget | None = None) -> Conflict:
    with pytest.raises(InfeasibleError) as caught:
        presolve(Instance(np.zeros((n, 1)), k, must, cannot), budget or Budget())
    conflict = caught.value.conflict
    assert conflict is not None
    assert str(caught.value).endswith(f"; {conflict}")
    return conflict


def is_feasible(n: int, k: int, must: Pairs, cannot: Pairs) -> bool:
    return enumerate_feasible(Instance(np.zeros((n, 1)), k, must, cannot)).feasible


def assert_irreducible(conflict: Conflict, n: int, k: int, must: Pairs, cannot: Pairs) -> None:
    assert set(conflict.must_link) <= {(min(pair), max(pair)) for pair in must}
    assert set(conflict.cannot_link) <= {(min(pair), max(pair)) for pair in cannot}
    assert conflict.is_irreducible
    own_must, own_cannot = list(conflict.must_link), list(conflict.cannot_link)
    assert not is_feasible(n, k, own_must, own_cannot)
    for pair in own_must:
        assert is_feasible(n, k, [other for other in own_must if other != pair], own_cannot)
    for pair in own_cannot:
        assert is_feasible(n, k, own_must, [other for other in own_cannot if other != pair])


@pytest.mark.parametrize("k", slow_where(lambda k: k != 3, [1, 2, 3, 4]))
def test_random_instances(k: int) -> None:
    rng = np.random.default_rng(k)
    num_infeasible = 0
    kinds = set()
    for _ in range(150):
        n = int(rng.integers(max(k, 4), 9))
        pairs = list(itertools.combinations(range(n), 2))
        density = rng.uniform(0.05, 0.4), rng.uniform(0.1, 0.9)
        must = [pair for pair in pairs if rng.random() < density[0]]
        cannot = [pair for pair in pairs if rng.random() < density[1] and pair not in must]
        if is_feasible(n, k, must, cannot):
            continue
        num_infeasible += 1
        conflict = conflict_of(n, k, must, cannot)
        assert_irreducible(conflict, n, k, must, cannot)
        kinds.add((bool(conflict.must_link), bool(conflict.cannot_link)))
    assert num_infeasible > 60
    assert len(kinds) >= (1 if k == 1 else 2)


def test_chain_and_detour() -> None:
    """Of two ways around, the shorter is named."""
    conflict = conflict_of(9, 3, [(0, 1), (1, 2), (0, 3), (3, 4), (4, 5), (5, 2), (6, 7)], [(0, 2), (6, 8)])
    assert (conflict.must_link, conflict.cannot_link) == (((0, 1), (1, 2)), ((0, 2),))
    assert str(conflict) == "one of these has to go: ML 0 1, ML 1 2, CL 0 2"


def test_clique_of_groups() -> None:
    """Points 0 to 3 and what is linked to them exclude one another; the other pairs say nothing."""
    must = [(3, 4), (4, 5), (4, 6), (7, 8)]
    cannot = [(0, 1), (0, 2), (1, 2), (0, 3), (1, 5), (2, 4), (7, 0), (8, 1)]
    conflict = conflict_of(9, 3, must, cannot)
    assert conflict.must_link == ((3, 4), (4, 5))
    assert conflict.cannot_link == ((0, 1), (0, 2), (0, 3), (1, 2), (1, 5), (2, 4))


def test_too_many_must_links_for_the_clusters() -> None:
    must = [(0, 1), (1, 2), (0, 2), (2, 3), (4, 5)]
    with pytest.raises(InfeasibleError, match="leave 2 groups of points, too few for 3 non-empty clusters") as caught:
        presolve(Instance(np.zeros((6, 1)), 3, must))
    conflict = caught.value.conflict
    assert len(conflict.must_link) == 4
    assert_irreducible(conflict, 6, 3, must, [])


def grotzsch() -> tuple[int, Pairs]:
    """The Mycielskian of the cycle of five: four colours are needed, though there is no triangle; all edges count."""
    cycle = [(v, (v + 1) % 5) for v in range(5)]
    copies = [edge for i, j in cycle for edge in ((i, j + 5), (j, i + 5))]
    return 11, cycle + copies + [(v, 10) for v in range(5, 10)]


def test_what_only_a_search_refutes_among_other_constraints() -> None:
    n, cannot = grotzsch()
    others = [(11, 12), (12, 13), (13, 14), (3, 11), (14, 9)]
    conflict = conflict_of(17, 3, [(15, 16)], cannot + others)
    assert conflict.is_irreducible
    assert set(conflict.cannot_link) == {(min(pair), max(pair)) for pair in cannot}
    assert conflict.must_link == ()
    assert n == 11


def test_what_the_budget_leaves_open_is_said() -> None:
    _, cannot = grotzsch()
    hurried = Budget(Stop(time_limit=0.0))
    conflict = conflict_of(12, 3, [], [*cannot, (0, 11), (1, 11), (5, 11)], hurried)
    assert not conflict.is_irreducible
    assert {(min(pair), max(pair)) for pair in cannot} <= set(conflict.cannot_link)
    assert "not all of them may be needed" in str(conflict)


def test_long_conflicts_are_cut_in_words_only() -> None:
    cycle = [(v, (v + 1) % 45) for v in range(45)]
    conflict = conflict_of(45, 2, [], cycle)
    assert len(conflict) == len(conflict.cannot_link) == 45
    assert str(conflict).endswith(" and 25 more")
    assert str(conflict).count("CL ") == 20


def test_large_instances_take_no_long() -> None:
    """A contradiction among 3,000 points, with must-links and cannot-links of a solution all around."""
    rng = np.random.default_rng(0)
    labels = rng.integers(5, size=3000)
    i, j = rng.integers(3000, size=(2, 6000))
    together, apart = labels[i] == labels[j], labels[i] != labels[j]
    must = [*zip(i[together].tolist(), j[together].tolist(), strict=True), (0, 1), (1, 2)]
    cannot = [*zip(i[apart].tolist(), j[apart].tolist(), strict=True), (0, 2)]
    conflict = conflict_of(3000, 5, must, cannot)
    assert conflict.is_irreducible
    assert len(conflict.cannot_link) == 1


def test_results_and_errors_carry_it() -> None:
    points = np.arange(12.0).reshape(6, 2)
    cannot = [(0, 1), (1, 2), (0, 2), (3, 4)]
    result = solve(points, 2, cannot_link=cannot)
    assert result.conflict == Conflict((), ((0, 1), (0, 2), (1, 2)))
    assert result.message.endswith("; one of these has to go: CL 0 1, CL 0 2, CL 1 2")
    assert result.to_dict()["conflict"] == {
        "must_link": [],
        "cannot_link": [[0, 1], [0, 2], [1, 2]],
        "is_irreducible": True,
    }
    with pytest.raises(InfeasibleError) as caught:
        run_heuristic(Instance(points, 2, cannot_link=cannot))
    assert caught.value.conflict == result.conflict
    assert solve(points, 3, cannot_link=cannot, time_limit=30.0).to_dict()["conflict"] is None


@pytest.mark.parametrize("k", slow_where(lambda k: k != 3, [1, 2, 3]))
def test_only_true_conflicts_are_taken_from_a_file(k: int) -> None:
    rng = np.random.default_rng(100 + k)
    pairs, num_refused = list(itertools.combinations(range(7), 2)), 0
    for _ in range(30):
        drawn = [pairs[at] for at in rng.choice(len(pairs), 12, replace=False)]
        must, cannot = drawn[:5], drawn[5:]
        result = solve(np.arange(7.0), k, must_link=must, cannot_link=cannot, workers=1)
        if result.conflict is None:
            continue
        refuse_false_conflict(result, "a file")
        own = [(True, pair) for pair in result.conflict.must_link] + [(False, p) for p in result.conflict.cannot_link]
        for left_out in own:
            rest = [
                tuple(pair for is_must, pair in own if is_must is kind and (kind, pair) != left_out)
                for kind in (True, False)
            ]
            with pytest.raises(RunFileError, match="a file names constraints that cannot hold together, but these can"):
                refuse_false_conflict(replace(result, conflict=Conflict(*rest)), "a file")
            num_refused += 1
        more = Conflict(tuple(sorted(set(must))), tuple(sorted(set(cannot))))
        if len(more) > len(own):
            with pytest.raises(RunFileError, match=r"a file says that 12 constraints are all needed; they are not"):
                refuse_false_conflict(replace(result, conflict=more), "a file")
            refuse_false_conflict(replace(result, conflict=replace(more, is_irreducible=False)), "a file")
    assert num_refused >= 30


def test_an_interrupt_while_a_conflict_is_looked_at_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    result, asked = solve([0.0, 1.0, 5.0], 2, must_link=[(0, 1)], cannot_link=[(0, 1)], workers=1), []

    def interrupted(*given: object) -> bool:
        asked.append(given)
        signal.raise_signal(signal.SIGINT)  # as if in a callback of the compiler, which would swallow an exception
        return True

    monkeypatch.setattr(Filter, "contradicts", interrupted)
    with pytest.raises(KeyboardInterrupt):
        refuse_false_conflict(result, "a file")
    assert len(asked) == 1


def test_a_forged_conflict_in_a_run_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run"
    points, cannot = [0.0, 1.0, 5.0, 6.0, 9.0, 10.0], [(0, 1), (1, 2), (0, 2), (3, 4)]
    assert solve(points, 2, must_link=[(4, 5)], cannot_link=cannot, workers=1, run_file=path).conflict is not None
    with RunFile.open(path) as file:
        claim = file.claim()
        assert claim is not None
        file.set_claim(replace(claim, conflict=Conflict(((4, 5),), ((3, 4),))))
    with pytest.raises(RunFileError, match="names constraints that cannot hold together, but these can"):
        resume(path)
    for command in (["info"], ["report", "-o", str(tmp_path / "page.html")], ["resume"]):
        assert main([command[0], str(path), *command[1:]]) == 2
