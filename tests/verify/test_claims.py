"""The certificate that a person can follow, claims that the checker must not leave open, and files that are none."""

import sqlite3
import sys
from fractions import Fraction
from itertools import chain, repeat
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from flint import arb, ctx, fmpq

import pcsos
from pcsos.base.events import Notice
from pcsos.base.exceptions import InputError, RunFileError
from pcsos.evidence.codec import encode_floats
from pcsos.evidence.kinds import Bound, Single
from pcsos.evidence.multipliers import Multipliers
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.verify import Verdict, VerificationError, verify
from tests.verify.certificates import HAND_MADE, HAND_MADE_LABELS, edit, hand_made, write

#: Five points, four clusters, optimum 0.5: together are the first two.
FIVE = Instance([[0.0], [1.0], [10.0], [40.0], [70.0]], 4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.run"


def test_the_certificate_proves_the_optimum(path: Path) -> None:
    said: list[str] = []
    verdict = verify(hand_made(path), on_step=said.append)
    assert verdict[:-1] == ("OPTIMAL", 4.0, 4.0, 0.0, 5, 0, 5, 2, 1e-4)
    assert [s for s in said if s.startswith("problem 2")] == ["problem 2: closed (bound)"]
    assert "5 points" in said[0]


def test_a_bound_above_the_cost_of_the_labels_is_a_contradiction(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = chain([fmpq(4)], repeat(fmpq(4000)))  # a checker gone wrong: right about the labels, not about the leaf
    monkeypatch.setattr("pcsos.verify.data.Data.cost", lambda data, groups: next(answers))
    with pytest.raises(VerificationError, match="contradicts the labels, which cost less"):
        verify(hand_made(path))


def test_k_and_gap_can_be_bound(path: Path) -> None:
    assert verify(hand_made(path), n_clusters=2, gap=0.0).gap_asked == 1e-4
    with pytest.raises(VerificationError, match="about 2 clusters, not 3"):
        verify(path, n_clusters=3)
    with pytest.raises(InputError, match=r"gap is 1\.0"):
        verify(path, gap=1.0)
    with pytest.raises(InputError, match="weights say nothing without points"):
        verify(path, weights=[1.0] * 5)
    path.unlink()
    root = NodeRecord(0, None, None, (Bound(Multipliers.none(4), 1.9),))
    write(path, HAND_MADE, [root], HAND_MADE_LABELS, 1.9, status=Status.FEASIBLE)
    assert verify(path).gap == pytest.approx(0.5)
    assert verify(path, gap=0.51).status == "FEASIBLE"
    with pytest.raises(VerificationError, match=r"the gap should be at most 0\.49, but only 0\.5"):
        verify(path, gap=0.49)


# What is given to compare with


def test_the_instance_can_be_given(path: Path) -> None:
    pairs = (HAND_MADE.must_link, HAND_MADE.cannot_link)
    assert verify(hand_made(path), HAND_MADE.points, pairs).lower_bound == 4.0
    assert verify(path, HAND_MADE.points.ravel(), ([(3, 2), (1, 1)], [(4, 1), (2, 0), (0, 2)])).lower_bound == 4.0


def test_another_instance_is_noticed(path: Path) -> None:
    hand_made(path)
    points = HAND_MADE.points.copy()
    points[3, 0] = np.nextafter(12.0, 13.0)
    with pytest.raises(VerificationError, match="other points"):
        verify(path, points)
    with pytest.raises(VerificationError, match="other points"):
        verify(path, HAND_MADE.points[:4])
    with pytest.raises(VerificationError, match="other points or weights"):
        verify(path, HAND_MADE.points, weights=[1, 1, 1, 1, 2])
    for pairs in (([], [(0, 2), (1, 4)]), ([(2, 3)], [(0, 2)]), ([(2, 3), (0, 1)], [(0, 2), (1, 4)])):
        with pytest.raises(VerificationError, match="other constraints"):
            verify(path, constraints=pairs)


@pytest.mark.parametrize("off", [1e-3, 0.1])
def test_points_that_stand_for_others_prove_less(path: Path, off: float) -> None:
    """Both clusters shrink, or grow, where their outermost points are moved by that."""
    edit(hand_made(path), ("UPDATE claim SET status = 'FEASIBLE'", ()))
    verdict = verify(path, HAND_MADE.points, off=off)
    least, most = 4.0 * (1.0 - off) ** 2, 4.0 * (1.0 + off) ** 2
    assert 4.0 - 10.0 * off < verdict.lower_bound <= least
    assert verdict.gap is not None
    assert verdict.gap >= 1.0 - verdict.lower_bound / most


def test_points_without_constraints_leave_them_unchecked(path: Path) -> None:
    said: list[str] = []
    verify(hand_made(path), HAND_MADE.points, on_step=said.append)
    assert "the constraints are those in the file, unchecked: none were given to compare with" in said


def mycielski(n: int) -> list[tuple[int, int]]:
    return list(nx.mycielski_graph(n).edges())


@pytest.mark.slow
def test_infeasibility_found_by_a_long_search_is_verified(path: Path) -> None:
    edges = mycielski(6)  # 47 nodes without a triangle that need six colours
    points = np.random.default_rng(0).standard_normal((47, 2))
    result = pcsos.solve(points, 5, cannot_link=edges, run_file=path)
    assert result.status is Status.INFEASIBLE
    assert verify(path, points, ((), edges), n_clusters=5).status == "INFEASIBLE"


def test_an_empty_file_does_not_meet_a_gap(path: Path) -> None:
    write(path, FIVE, [], None, None, status=Status.UNKNOWN)
    verdict = verify(path, FIVE.points, ((), ()), n_clusters=4)
    assert (verdict.lower_bound, verdict.num_nodes, verdict.num_open) == (0.0, 1, 1)
    with pytest.raises(VerificationError, match="the gap should be at most 1e-09, but only none is proved"):
        verify(path, gap=1e-9)


def test_a_bound_beyond_all_doubles_is_not_called_infinite(path: Path) -> None:
    root = NodeRecord(0, None, None, (Single(0.0),))
    write(path, Instance([0.0, 1.0], 1), [root], None, 0.0, status=Status.UNKNOWN)
    edit(path, ("UPDATE instance SET points = ?", (encode_floats([[0.0], [1e200]]),)))
    assert verify(path).lower_bound == sys.float_info.max


def test_a_verdict_is_rounded_to_the_safe_side() -> None:
    third = fmpq(1, 3)
    with ctx.workprec(128):
        found = Verdict.of("FEASIBLE", arb(third), third, arb(third).upper(), (1, 0, 2, 1), third, "")
    assert Fraction(found.lower_bound) < Fraction(1, 3)
    assert min(map(Fraction, (found.objective, found.gap, found.gap_asked))) > Fraction(1, 3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "points",
    [
        HAND_MADE.points * (1 + 1j),
        np.ma.masked_equal(HAND_MADE.points, 2.0),
        HAND_MADE.points.astype(str),
        HAND_MADE.points[:, :, None],
        [[0.0], [2.0], [10.0], [12.0], [np.nan]],
        [],
    ],
)
def test_points_that_would_have_to_be_changed_are_no_comparison(path: Path, points: object) -> None:
    with pytest.raises(InputError, match="to compare with"):
        verify(hand_made(path), points)


def test_integers_are_compared_exactly(path: Path) -> None:
    root = NodeRecord(0, None, None, (Single(0.0),))
    write(path, Instance([0.0, 2.0**53], 1), [root], None, 0.0, status=Status.UNKNOWN)
    assert verify(path, [0, 2**53]).status == "UNKNOWN"
    with pytest.raises(VerificationError, match="other points"):
        verify(path, [0, 2**53 + 1])


# The file


def test_other_files_are_refused_in_one_sentence(path: Path) -> None:
    with pytest.raises(RunFileError, match="there is no run file"):
        verify(path)
    path.write_bytes(b"")
    with pytest.raises(RunFileError, match="a database, but not a run file"):
        verify(path)
    path.write_bytes(b"points\n" * 1000)
    with pytest.raises(RunFileError, match=r"is not a run file, or it is damaged"):
        verify(path)
    path.unlink()
    sqlite3.connect(path).execute("CREATE TABLE nodes (x)").connection.close()
    with pytest.raises(RunFileError, match="a database, but not a run file"):
        verify(path)


def test_a_run_in_progress_is_not_read(path: Path) -> None:
    with RunFile.open(hand_made(path)) as file:
        file.add_event(Notice("now it is written to"))
        with pytest.raises(RunFileError, match="in use by another process"):
            verify(path)
