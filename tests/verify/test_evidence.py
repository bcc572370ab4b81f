"""Evidence of any problem: covers below branchings, parts of parts, several branchings, and what deductions change."""

import math
import pickle
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flint import arb, fmpq

from pcsos.evidence import kinds
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.node import Decision, Evidence
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify import Verdict, VerificationError, verify
from pcsos.verify.conditions import Conditions
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.evidence import RULES, STATED, Proof, Run, concluded
from pcsos.verify.file import File
from pcsos.verify.reading.columns import EVIDENCE
from pcsos.verify.state import State
from tests.verify.certificates import edit, hand_made, no_multipliers, write

#: Three pairs, which cost 1/2 each. Points 1 and 2 together cost 14.5.
PAIRS, LABELS, OPTIMUM = Instance([0.0, 1.0, 5.0, 6.0, 20.0, 21.0], 3), [0, 0, 1, 1, 2, 2], 1.5
#: Penalties that prove these costs.
WHOLE, JOINED = (1.0, OPTIMUM), (6.0, 14.5)


class Rows:
    """Problems and evidence in the order in which they are added."""

    def __init__(self) -> None:
        self.problems: list[tuple[int, str, bytes]] = []
        self.evidence: list[tuple[int, str, float, bytes]] = []

    def problem(self, parent: int, change: str, content: bytes) -> int:
        self.problems.append((parent, change, content))
        return len(self.problems)

    def add(self, problem: int, *evidence: Evidence) -> None:
        self.evidence += [(problem, each.kind, each.bound, each.payload()) for each in evidence]

    def branch(self, problem: int, i: int, j: int) -> tuple[int, int]:
        children = [self.problem(problem, kind, encode_integers([i, j])) for kind in ("ML", "CL")]
        self.add(problem, kinds.Branching(Decision("ML", i, j), None, tuple(children)))
        return children[0], children[1]

    def part(self, problem: int, points: Any, weights: Any) -> int:
        return self.problem(problem, "part", encode_integers(points, differences=True) + encode_floats(weights))

    def halves(self, problem: int, share: float, cost: tuple[float, float] = WHOLE) -> list[int]:
        """Two parts that share out equal weights, each with the penalty that proves its share of a cost."""
        parts = [self.part(problem, np.arange(6), np.full(6, share)) for _ in range(2)]
        for part in parts:
            self.add(part, kinds.Line(share * cost[0], share * cost[1]))
        self.add(problem, kinds.Cover(tuple(parts)))
        return parts

    def write(self, path: Path, instance: Instance = PAIRS, labels: Any = LABELS, bound: float | None = None) -> Path:
        path.unlink(missing_ok=True)
        write(path, instance, [], labels, bound, status=Status.FEASIBLE)
        problems = [(number, *row) for number, row in enumerate(self.problems, 1)]
        evidence = [(position, *row) for position, row in enumerate(self.evidence, 1)]
        edit(
            path,
            *(("INSERT INTO problems VALUES (?, ?, ?, ?, '')", row) for row in problems),
            *(("INSERT INTO evidence VALUES (?, ?, ?, ?, ?, 0.0, '')", row) for row in evidence),
        )
        return path

    def proves(self, path: Path, **given: Any) -> tuple[float, int, int]:
        """What the checker says: the bound, and the numbers of problems and of open ones."""
        verdict: Verdict = verify(self.write(path, **given))
        return verdict.lower_bound, verdict.num_nodes, verdict.num_open


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.run"


@pytest.fixture
def rows() -> Rows:
    return Rows()


def test_there_is_a_rule_for_each_kind() -> None:
    assert set(RULES) == set(EVIDENCE) == set(kinds.KINDS)
    assert set(STATED) < set(RULES)


# Branchings


def test_of_two_branchings_the_better_one_counts(path: Path, rows: Rows) -> None:
    for pair, together, apart in (((1, 2), JOINED, (1.0, 1.0)), ((1, 3), (6.0, 14.5), WHOLE)):
        first, second = rows.branch(0, *pair)
        rows.add(first, kinds.Line(*together))
        rows.add(second, kinds.Line(*apart))
    assert rows.proves(path) == (OPTIMUM, 5, 0)
    rows.branch(0, 0, 5)  # and one that proves nothing takes nothing away
    assert rows.proves(path) == (OPTIMUM, 7, 2)


def test_a_child_of_two_branchings_is_come_to_twice(path: Path, rows: Rows) -> None:
    children = rows.branch(0, 1, 2)
    for child in children:
        rows.add(child, kinds.Line(*WHOLE))
    rows.add(0, kinds.Branching(Decision("ML", 1, 2), None, children))
    with pytest.raises(VerificationError, match=r"^problem 1: it is come to twice"):
        verify(rows.write(path))


def test_children_inherit_what_is_proved_before_them_and_not_after(path: Path, rows: Rows) -> None:
    rows.branch(0, 1, 2)
    rows.add(0, kinds.Line(*WHOLE))
    assert rows.proves(path) == (OPTIMUM, 3, 2)
    rows.add(1, kinds.Line(100.0, -math.inf))
    with pytest.raises(VerificationError, match=r"^problem 1: the bound is -inf, not a finite number"):
        verify(rows.write(path))
    rows.evidence.pop()
    rows.add(1, kinds.Line(100.0, 0.1))  # proves nothing by itself, and what was inherited is 0, not 1.5
    with pytest.raises(VerificationError, match=r"^problem 1: the bound: 0\.1 is claimed, but only 0\.0 is proved"):
        verify(rows.write(path))


def test_deductions_hold_for_what_comes_behind_them_and_below(path: Path, rows: Rows) -> None:
    """Pairs that are fixed apart let a clique force another pair, but only below a branching that completes it."""
    given = {"instance": Instance(PAIRS.points, 3, [(0, 1), (2, 3)])}
    apart = tuple(Decision("CL", i, j) for i in (0, 2) for j in (4, 5))
    forced = kinds.Forced((kinds.Clique(Decision("ML", 4, 5), (0, 2)),))
    rows.add(0, kinds.Fixed(apart, no_multipliers(4), 0.0))
    together, away = rows.branch(0, 0, 2)
    rows.add(away, forced, kinds.Single(OPTIMUM))
    bound, *counts = rows.proves(path, **given)
    assert (counts, bound) == ([3, 1], pytest.approx(1.0, rel=1e-9))  # of all: the cost within super-points
    for problem in (together, 0):
        rows.add(problem, forced)
        with pytest.raises(VerificationError, match=rf"^problem {problem}: the clique \[0, 2\] does not force ML 4 5"):
            verify(rows.write(path, **given))
        rows.evidence.pop()


def test_the_state_is_the_same_again_behind_a_branching(path: Path, rows: Rows) -> None:
    for child in rows.branch(0, 1, 2):
        rows.add(child, kinds.Fixed((Decision("CL", 0, 5),), no_multipliers(6 if child == 2 else 5), 0.0))
    rows.add(0, kinds.Prices(np.ones(6), OPTIMUM * (1 - 1e-6)))  # six super-points, and not five
    assert rows.proves(path)[0] == OPTIMUM * (1 - 1e-6)
    rows.add(1, kinds.Prices(np.ones(6), 0.1))
    with pytest.raises(VerificationError, match="problem 1: prices: an array of 6 numbers instead of 5"):
        verify(rows.write(path))


def test_what_is_set_aside_bounds_what_is_proved(path: Path, rows: Rows) -> None:
    """A pair that is fixed apart for 0 leaves a bound of 0, whatever is proved of the rest."""
    rows.add(0, kinds.Fixed((Decision("CL", 0, 1),), no_multipliers(6), 0.0), kinds.Line(*WHOLE))
    assert rows.proves(path)[0] == 0.0
    rows = Rows()
    rows.add(0, kinds.Line(*WHOLE), kinds.Fixed((Decision("CL", 0, 1),), no_multipliers(6), OPTIMUM))
    assert rows.proves(path)[0] == OPTIMUM  # the other way round it is inherited


def test_thousands_of_problems_are_below_one_another(path: Path, rows: Rows) -> None:
    problem, depth = 0, 3 * sys.getrecursionlimit()
    for _ in range(depth):
        together, problem = rows.branch(problem, 0, 1)
        rows.add(together, kinds.Infeasible(np.array([], int)))
    rows.add(problem, kinds.Single(0.0))
    given = {"instance": Instance([0.0, 1.0], 2), "labels": [0, 1]}
    assert rows.proves(path, **given) == (0.0, 2 * depth + 1, 0)


# Covers


@pytest.mark.parametrize("workers", [1, 2])
def test_parts_have_parts(path: Path, rows: Rows, workers: int) -> None:
    first, second = rows.halves(0, 0.5)
    rows.evidence = [row for row in rows.evidence if row[0] != second]
    rows.halves(second, 0.25)
    verdict = verify(rows.write(path), workers=workers)
    assert (verdict.lower_bound, verdict.num_nodes, verdict.num_open) == (OPTIMUM, 5, 0)
    rows.halves(first, 0.25, (1.0, OPTIMUM * (1 + 1e-9)))
    with pytest.raises(VerificationError, match="problem 5: the bound"):
        verify(rows.write(path), workers=workers)


def test_a_cover_below_a_branching_knows_the_pair(path: Path, rows: Rows) -> None:
    together, apart = rows.branch(0, 1, 2)
    rows.halves(together, 0.5, JOINED)
    rows.add(apart, kinds.Line(*WHOLE))
    assert rows.proves(path) == (OPTIMUM, 5, 0)
    rows.halves(apart, 0.5, JOINED)
    with pytest.raises(VerificationError, match=r"problem 5: the bound: 7\.25 is claimed"):
        verify(rows.write(path))


@pytest.mark.parametrize("workers", [1, 2])
def test_a_cover_behind_deductions_knows_them(path: Path, rows: Rows, workers: int) -> None:
    """Two points at one place are put together first: the parts have a super-point less."""
    points = Instance([0.0, 0.0, 5.0, 6.0, 20.0, 21.0], 3)
    rows.add(0, kinds.Equal((Decision("ML", 0, 1),)))
    parts = [rows.part(0, np.arange(6), np.full(6, 0.5)) for _ in range(2)]
    for part in parts:
        rows.add(part, kinds.Prices(np.full(5, 0.5), 0.0))
    rows.add(0, kinds.Cover(tuple(parts)))
    assert verify(rows.write(path, points), workers=workers).lower_bound == 0.0
    rows.evidence = rows.evidence[1:]
    with pytest.raises(VerificationError, match="problem 1: prices: an array of 5 numbers instead of 6"):
        verify(rows.write(path, points), workers=workers)


def test_points_of_a_part_are_together_by_one_that_is_elsewhere(path: Path, rows: Rows) -> None:
    linked = Instance([0.0, 4.0, 100.0, 50.0], 2, [(0, 2), (1, 2)])
    given = {"instance": linked, "labels": [0, 0, 0, 1]}
    rows.add(rows.part(0, [0, 1, 3], np.ones(3)), kinds.Single(8.0))
    rows.part(0, [2], [1.0])
    rows.add(0, kinds.Cover((1, 2)))
    assert rows.proves(path, **given) == (8.0, 3, 0)
    given["instance"] = Instance(linked.points, 2, [(0, 2)])
    with pytest.raises(VerificationError, match="problem 1: more than one partition is left"):
        verify(rows.write(path, **given))


def test_points_of_a_part_are_apart_where_their_super_points_are(path: Path, rows: Rows) -> None:
    apart = Instance([0.0, 1.0, 2.0, 3.0], 2, [(0, 2)], [(2, 1)])
    given = {"instance": apart, "labels": [0, 1, 0, 1]}
    rows.add(rows.part(0, [0, 1, 3], np.ones(3)), kinds.Forced((kinds.Clique(Decision("CL", 0, 1), (0, 1)),)))
    rows.part(0, [2], [1.0])
    rows.add(0, kinds.Cover((1, 2)))
    assert rows.proves(path, **given)[1:] == (3, 0)
    given["instance"] = Instance(apart.points, 2, [(0, 2)])
    with pytest.raises(VerificationError, match="problem 1: the clique"):
        verify(rows.write(path, **given))


def test_only_the_last_cover_of_a_problem_is_looked_at(path: Path, rows: Rows) -> None:
    rows.add(0, kinds.Cover((77, 77)))
    rows.halves(0, 0.5)
    assert rows.proves(path) == (OPTIMUM, 3, 0)
    rows.add(0, kinds.Line(0.25, 0.75))  # evidence of other kinds may follow
    assert rows.proves(path) == (OPTIMUM, 3, 0)
    rows.halves(0, 0.75)
    with pytest.raises(VerificationError, match="problem 0: part 4: brings more of point 0 than there is"):
        verify(rows.write(path))
    rows.add(0, kinds.Cover((1, 2)))
    assert rows.proves(path) == (OPTIMUM, 3, 0)


def test_parts_inherit_nothing_and_give_what_they_prove(path: Path, rows: Rows) -> None:
    rows.add(0, kinds.Line(*WHOLE))
    first, second = rows.halves(0, 0.5)
    rows.evidence = [row for row in rows.evidence if row[0] not in (first, second)]
    assert rows.proves(path) == (OPTIMUM, 3, 2)
    rows.add(first, kinds.Line(100.0, 0.1))
    with pytest.raises(VerificationError, match=r"problem 1: the bound: 0\.1 is claimed, but only 0\.0 is proved"):
        verify(rows.write(path))


def test_a_part_with_few_super_points_counts_nothing(path: Path, rows: Rows) -> None:
    rows.add(rows.part(0, [0, 1], np.ones(2)), kinds.Infeasible(np.array([], int)))
    rows.add(rows.part(0, [2, 3, 4, 5], np.ones(4)), kinds.Line(0.25, 0.25))
    rows.add(0, kinds.Cover((1, 2)))
    assert rows.proves(path)[1:] == (3, 0)
    assert rows.proves(path)[0] < OPTIMUM


def test_a_part_without_any_partition_leaves_none_of_the_whole(path: Path, rows: Rows) -> None:
    """Three points that are all apart, and two clusters."""
    apart = Instance(np.arange(5.0), 2, [], [(0, 1), (1, 2), (0, 2)])
    rows.add(rows.part(0, [0, 1, 2], np.ones(3)), kinds.Infeasible(np.arange(3)))
    rows.part(0, [3, 4], np.ones(2))
    rows.add(0, kinds.Cover((1, 2)))
    rows.write(path, apart, None)
    edit(path, ("UPDATE claim SET status = 'INFEASIBLE'", ()))
    assert verify(path).lower_bound == math.inf
    assert verify(path, workers=2).lower_bound == math.inf


NO_COVERS = {
    "a child of a branching": ("UPDATE problems SET change = 'ML' WHERE problem = 2", "problem 2 is not a part of"),
    "a part of another problem": ("UPDATE problems SET parent = 1 WHERE problem = 2", "not a part of problem 0"),
    "a part of itself": ("UPDATE problems SET parent = 2 WHERE problem = 2", "problem 2 is not a part of problem 0"),
    "a part of no problem": ("UPDATE problems SET parent = 99 WHERE problem = 2", "not a part of problem 0"),
    "a part that is not there": ("DELETE FROM problems WHERE problem = 2", "0 rows for part 2"),
    "no array": ("UPDATE evidence SET payload = x'00' WHERE kind = 'cover'", "cover: missing, or too short"),
    "more than an array": (
        "UPDATE evidence SET payload = CAST(payload || x'00' AS BLOB) WHERE kind = 'cover'", "cover: longer than"
    ),
    "a part with more than weights": (
        "UPDATE problems SET content = CAST(content || x'00' AS BLOB) WHERE problem = 2", "part 2: longer than what"
    ),
    "no weights": (f"UPDATE problems SET content = x'{encode_integers([0]).hex()}'", "part 1: missing, or too short"),
    "children": ("UPDATE evidence SET kind = 'branching' WHERE kind = 'cover'", "branching: missing, or too"),
}  # fmt: skip


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(("statement", "reason"), NO_COVERS.values(), ids=NO_COVERS)
def test_what_is_no_cover_is_refused(path: Path, rows: Rows, statement: str, reason: str, workers: int) -> None:
    rows.halves(0, 0.5)
    edit(rows.write(path), (statement, ()))
    with pytest.raises(VerificationError, match=f"^problem 0: .*{reason}"):
        verify(path, workers=workers)


@pytest.mark.parametrize("wrong", [(1, 1), (1, 2, 2), (1,), (2,), (), (0, 1), (-1, 1), (1, 2, 3)])
def test_other_parts_are_no_cover(path: Path, rows: Rows, wrong: tuple[int, ...]) -> None:
    rows.halves(0, 0.5)
    rows.evidence[-1] = 0, "cover", 0.0, encode_integers(np.array(wrong, int))
    with pytest.raises(VerificationError, match=r"there twice|0 rows for part|point 0 is missing, or a share of it"):
        verify(rows.write(path))


# What goes with it


def test_a_bound_that_no_partition_exceeds_counts_as_infinity(path: Path) -> None:
    weights = Doubles(np.ones(2))
    for limits, counted in (({"size_max": 1}, arb.pos_inf()), ({}, arb(1))):
        conditions = Conditions(weights, 2, {"limits": limits})
        run = Run(File.open(hand_made(path)), lambda sentence: None)
        proof = Proof(run, Data(Doubles(np.array([[0.0], [1.0]])), weights), State(2), conditions)
        assert proof._counted(arb(1)) == counted  # all points in one cluster cost 1/2
        assert proof._counted(arb(fmpq(1, 2))) == fmpq(1, 2)


def test_visits_that_depend_on_one_another_are_gone_through() -> None:
    def visit(depth: int) -> Any:
        if depth == 0:
            return arb(1)
        left = yield visit(depth - 1)
        right = yield visit(0)
        return left + right

    assert concluded(visit(5000)) == 5001


def test_what_processes_are_given_can_be_sent_to_them() -> None:
    data, state = Doubles(np.arange(6.0).reshape(3, 2)), State(3)
    state.add("ML", 0, 2)
    state.add("CL", 0, 1)
    assert data[1] == [fmpq(2), fmpq(3)]
    assert data.balls(1)[0] == 2
    other, same = pickle.loads(pickle.dumps((data, state)))
    assert other.image() == data.image()
    assert other[1] == data[1]
    assert same.apart(1, 2)
    assert same.groups()[0] == [0, 2]
