"""Files that were built to deceive the checker, and claims that it must not leave open."""

import sqlite3
import struct
import subprocess
import sys
from itertools import chain, repeat
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from flint import fmpq

import pcsos
from pcsos.base.exceptions import InputError
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.kinds import Bound, Infeasible, Single
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.result import Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError, verify
from tests.verify.certificates import HAND_MADE, HAND_MADE_LABELS, edit, hand_made, no_multipliers, write

#: Five points, four clusters, optimum 0.5: together are the first two. The worst partition costs 450.
FIVE = Instance([[0.0], [1.0], [10.0], [40.0], [70.0]], 4)
WORST = [0, 1, 2, 3, 3]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "forged.run"


@pytest.mark.parametrize("exponent", range(0, 95, 5))
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_no_multiple_of_the_identity_buys_a_bound(path: Path, exponent: int, sign: float) -> None:
    """With as many super-points as clusters N = c I costs nothing, so that any rounding of c counts in full."""
    pairs = Instance(FIVE.points, 5)
    for instance, truth in ((FIVE, 0.5), (pairs, 0.0)):
        box = sign * 2.0**exponent * 1.1 * np.eye(5)
        root = NodeRecord(0, None, None, (Bound(Multipliers(box, Cuts.none(), np.empty(0)), 0.0),))
        labels = WORST if instance is FIVE else [0, 1, 2, 3, 4]
        path.unlink(missing_ok=True)
        write(path, instance, [root], labels, 0.0, status=Status.FEASIBLE)
        assert verify(path).lower_bound <= truth


@pytest.mark.slow
def test_the_worst_partition_is_not_called_optimal(path: Path) -> None:
    for exponent in range(40, 70):
        for factor in (1.0, 1.1, 1.3, 1.7):
            box = factor * 2.0**exponent * np.eye(5)
            root = NodeRecord(0, None, None, (Bound(Multipliers(box, Cuts.none(), np.empty(0)), 450.0),))
            path.unlink(missing_ok=True)
            write(path, FIVE, [root], WORST, 450.0, gap=1e-9)
            with pytest.raises(VerificationError, match=r"450\.0 is claimed, but only"):
                verify(path)


def test_a_bound_above_the_cost_of_the_labels_is_a_contradiction(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    answers = chain([fmpq(4)], repeat(fmpq(4000)))  # a checker gone wrong: right about the labels, not about the leaf
    monkeypatch.setattr("pcsos.verify.data.Data.cost", lambda data, groups: next(answers))
    with pytest.raises(VerificationError, match="contradicts the labels, which cost less"):
        verify(hand_made(path))


@pytest.mark.parametrize("gap", ["5.0", "1.0", "-0.1", "1", "1e999", "true", '"0.1"', "null"])
def test_a_gap_that_is_none_is_refused(path: Path, gap: str) -> None:
    edit(hand_made(path), ("UPDATE instance SET options = ?", (f'{{"gap": {gap}}}',)))
    with pytest.raises(VerificationError, match="the gap asked for is"):
        verify(path)


def test_a_gap_may_be_a_whole_number(path: Path) -> None:
    edit(hand_made(path), ("UPDATE instance SET options = ?", ('{"gap": 0}',)))
    assert verify(path).gap_asked == 0.0


def test_k_and_gap_can_be_bound(path: Path) -> None:
    assert verify(hand_made(path), n_clusters=2, gap=0.0).gap_asked == 1e-4
    with pytest.raises(VerificationError, match="about 2 clusters, not 3"):
        verify(path, n_clusters=3)
    with pytest.raises(InputError, match=r"gap is 1\.0"):
        verify(path, gap=1.0)
    with pytest.raises(InputError, match="weights say nothing without points"):
        verify(path, weights=[1.0] * 5)
    path.unlink()
    root = NodeRecord(0, None, None, (Bound(no_multipliers(4), 1.9),))
    write(path, HAND_MADE, [root], HAND_MADE_LABELS, 1.9, status=Status.FEASIBLE)
    assert verify(path).gap == pytest.approx(0.5)
    assert verify(path, gap=0.51).status == "FEASIBLE"
    with pytest.raises(VerificationError, match=r"the gap should be at most 0\.49, but only 0\.5"):
        verify(path, gap=0.49)


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


def test_a_search_that_leaves_something_out_is_refused(path: Path) -> None:
    edges = mycielski(5)
    points = np.random.default_rng(0).standard_normal((23, 2))
    pcsos.solve(points, 4, cannot_link=edges, run_file=path)
    with RunFile.open(path) as file:
        end = next(file.records()).end
    assert isinstance(end, Infeasible)
    search = end.search
    assert len(search) > 50
    for wrong in (search[:-1], np.delete(search, len(search) // 2), np.append(search, 0), search[::-1]):
        edit(path, ("UPDATE evidence SET payload = ? WHERE kind = 'infeasible'", (encode_integers(wrong),)))
        with pytest.raises(VerificationError, match="an exhaustive colouring"):
            verify(path)


def test_infeasible_needs_a_search(path: Path) -> None:
    root = NodeRecord(0, None, None, (Infeasible(np.arange(5)),))
    with pytest.raises(VerificationError, match="leaves colours untried"):
        verify(write(path, FIVE, [root], None, None, status=Status.INFEASIBLE))


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIRTUAL TABLE events USING dbstat",
        "CREATE TABLE events (position INTEGER PRIMARY KEY, name TEXT, time REAL, data TEXT AS (name))",
        "CREATE TABLE events AS SELECT 1; CREATE VIEW problems2 AS SELECT 1",
    ],
)
def test_tables_that_compute_are_refused(path: Path, statement: str) -> None:
    try:
        edit(hand_made(path), ("DROP TABLE events", ()), *((part, ()) for part in statement.split(";")))
    except sqlite3.OperationalError:
        pytest.skip("this SQLite has no such module")
    with pytest.raises(VerificationError, match=r"more than a table of columns|nothing else"):
        verify(path)


def test_a_few_bytes_do_not_take_gigabytes(path: Path) -> None:
    """An upper triangle of 2^27 zeros has no content at all, and a hundred runs of cuts could have as much each."""
    zeros = struct.pack("<cBBI", b"i", 0, 1, 8) + struct.pack("<I", 1 << 27) + b"x\x9c\x03\x00\x00\x00\x00\x01"
    table = struct.pack("<cBBI", b"i", 0, 2, 8) + struct.pack("<II", 2, 1 << 24) + b"x\x9c\x03\x00\x00\x00\x00\x01"
    weights = struct.pack("<cBBI", b"i", 0, 1, 8) + struct.pack("<I", 1 << 24) + b"x\x9c\x03\x00\x00\x00\x00\x01"
    six = encode_integers(np.zeros(6, int))
    for blob in (struct.pack("<iiI", 0, 0, 0) + zeros, struct.pack("<iiI", 0, 0, 99) + six + 99 * (table + weights)):
        edit(hand_made(path), ("UPDATE evidence SET payload = ? WHERE kind = 'bound'", (blob,)))
        program = (
            "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30));"
            "from pcsos.verify import verify, VerificationError\n"
            "try: verify(sys.argv[1])\n"
            "except VerificationError as error: print(error)"
        )
        found = subprocess.run([sys.executable, "-c", program, str(path)], capture_output=True, text=True, check=False)
        assert "multipliers: " in found.stdout, found.stderr
        path.unlink()


def test_a_file_that_fails_the_checker_is_refused_in_its_own_words(path: Path) -> None:
    spoiled = {
        "deductions": (
            "UPDATE evidence SET payload = x'696400' WHERE kind = 'forced'",
            "forced: missing, or too short",
        ),
        "content": ("UPDATE problems SET content = x'00'", "problem 1: missing, or too short"),
        "kind": ("UPDATE evidence SET kind = x'00' WHERE kind = 'bound'", "evidence.kind is bytes, not one of"),
        "options": ("UPDATE instance SET options = '[]'", "the options: without a gap"),
    }
    for statement, words in spoiled.values():
        edit(hand_made(path), (statement, ()))
        with pytest.raises(VerificationError, match=words) as caught:
            verify(path)
        assert "Error" not in str(caught.value)
        path.unlink()


def test_a_single_partition_of_a_state_without_any_is_refused(path: Path) -> None:
    triangle = Instance([0.0, 1.0, 2.0], 3, [(0, 1)], [(0, 1), (1, 2)])
    root = NodeRecord(0, None, None, (Single(0.0),))
    with pytest.raises(VerificationError, match="more than one partition is left, or none"):
        verify(write(path, triangle, [root], None, 0.0, status=Status.UNKNOWN))


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


@pytest.mark.parametrize("objective", [5e-324, 1e-300])
def test_a_cost_of_zero_is_stated_as_zero(path: Path, objective: float) -> None:
    root = NodeRecord(0, None, None, (Single(0.0),))
    write(path, Instance([1.0, 1.0], 1), [root], [0, 0], 0.0)
    assert verify(path).objective == 0.0
    edit(path, ("UPDATE claim SET objective = ?", (objective,)))
    with pytest.raises(VerificationError, match="but the labels cost 0"):
        verify(path)
