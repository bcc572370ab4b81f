"""The certificate that a person can follow, and what the checker says when any rule is broken in it."""

import contextlib
import sqlite3
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from pcsos.base.events import Notice
from pcsos.base.exceptions import RunFileError
from pcsos.evidence.codec import encode_floats, encode_integers, encode_multipliers
from pcsos.evidence.kinds import Bound, Branching, Clique, Fixed, Forced, Infeasible, Single
from pcsos.evidence.multipliers import Cuts, Multipliers
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.evidence.result import Status
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError, verify
from pcsos.verify.reading.database import LEAST_CODE
from tests.verify import certificates
from tests.verify.certificates import HAND_MADE, edit, hand_made, hand_made_records, no_multipliers, write


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hand.run"


def test_the_certificate_proves_the_optimum(path: Path) -> None:
    said: list[str] = []
    verdict = verify(hand_made(path), on_step=said.append)
    assert verdict[:-1] == ("OPTIMAL", 4.0, 4.0, 0.0, 5, 0, 5, 2, 1e-4)
    assert [s for s in said if s.startswith("problem 2")] == ["problem 2: closed (bound)"]
    assert "5 points" in said[0]


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


def replaced(node: int, *evidence: Evidence) -> list[NodeRecord]:
    """The hand-made tree with other evidence of a node."""
    records = hand_made_records()
    records[node] = NodeRecord(node, records[node].parent, records[node].decision, evidence)
    return records


def cut(centre: int, members: list[int], weight: float) -> Multipliers:
    """A single cut without box multipliers, in the state of node 2."""
    cuts = Cuts(np.array([centre], np.int32), np.array([0, len(members)]), np.array(members, np.int32))
    return Multipliers(np.zeros((3, 3)), cuts, np.array([weight]))


def bound(multipliers: Multipliers, value: float = 50.0) -> Bound:
    return Bound(multipliers, value)


def forced(kind: str, i: int, j: int, *witness: int) -> Forced:
    return Forced((Clique(Decision(kind, i, j), witness),))  # type: ignore[arg-type]


ML12 = forced("ML", 1, 2, 0)
#: Evidence of a node of the hand-made tree behind what it knows by forced pairs, and why it is refused.
WRONG_NODES = {
    "bound of a leaf above the truth": (2, (ML12, bound(no_multipliers(3), 56.0 * (1 + 1e-9))), r"only \[?5[56]"),
    "bound that is not a number": (2, (ML12, bound(no_multipliers(3), np.inf)), "not a finite number"),
    "multipliers of another state": (2, (bound(no_multipliers(3)),), "an array of 6 numbers instead of 10"),
    "negative multiplier": (2, (ML12, bound(cut(0, [1], -1.0))), "negative multiplier"),
    "cut with the centre among the members": (2, (ML12, bound(cut(0, [0, 1], 1.0))), "same super-point twice"),
    "cut with a member twice": (2, (ML12, bound(cut(0, [1, 1], 1.0))), "same super-point twice"),
    "cut with an unknown member": (2, (ML12, bound(cut(0, [1, 3], 1.0))), "does not exist"),
    "cut with an unknown centre": (2, (ML12, bound(cut(3, [1], 1.0))), "does not exist"),
    "cut with a centre of another kind": (2, (ML12, bound(cut(LEAST_CODE - 1, [0, 1, 2], 1.0))), "does not exist"),
    "cut about a point with itself": (2, (ML12, bound(cut(-4 - 2 * (3 + 1), [1], 1.0))), "does not exist"),
    "cut about a pair in the wrong order": (2, (ML12, bound(cut(-4 - 2 * 3, [1], 1.0))), "does not exist"),
    "cut about a point that is none": (2, (ML12, bound(cut(-4 - 2 * (3 * 3 + 1), [1], 1.0))), "does not exist"),
    "variation with both ends": (2, (ML12, bound(cut(-4 - 2 * 1, [0, 1], 1.0))), "do not fit"),
    "variation without an end": (2, (ML12, bound(cut(-4 - 2 * 1, [2], 1.0))), "do not fit"),
    "weight with a point that is no end": (2, (ML12, bound(cut(-5 - 2 * 1, [2], 1.0))), "do not fit"),
    "weight with one end and another point": (2, (ML12, bound(cut(-5 - 2 * 1, [0, 2], 1.0))), "do not fit"),
    "weight with three points": (2, (ML12, bound(cut(-5 - 2 * 1, [0, 1, 2], 1.0))), "do not fit"),
    "cut about a pair that is not soft": (2, (ML12, bound(cut(-5 - 2 * 1, [0, 1], 1e3), 57.0)), "only"),
    "set that names a point twice": (2, (ML12, bound(cut(-2, [0, 0], 1.0))), "same super-point twice"),
    "set with a point that is none": (2, (ML12, bound(cut(-2, [0, 3], 1.0))), "does not exist"),
    "clique of k points": (2, (ML12, bound(cut(-1, [0, 1], 1.0))), "clique cut has 2 members"),
    "more than one partition left": (2, (ML12, Single(1.0)), "more than one partition is left"),
    "cost of the single partition": (4, (forced("ML", 2, 4, 0), Single(4.0 * (1 + 1e-9))), "only 4"),
    "must-link closure without reason": (4, (Single(4.0),), "more than one partition is left"),
    "forced by a point that is not apart": (2, (forced("ML", 1, 2, 4),), "does not force ML 1 2"),
    "forced by too small a clique": (2, (forced("ML", 1, 2),), "does not force"),
    "forced by a pair that is no clique": (2, (forced("CL", 1, 2, 0, 4),), "does not force CL"),
    "forced apart without reason": (2, (forced("CL", 3, 4, 0, 3),), "does not force CL"),
    "forced by the same point twice": (2, (forced("CL", 1, 2, 0, 0),), "does not force CL"),
    "infeasible without reason": (2, (ML12, Infeasible(np.array([0, 1, 2]))), "takes point 2 twice"),
    "infeasible without a search": (4, (forced("ML", 2, 4, 0), Infeasible(np.array([], int))), "untried"),
    "closed before a bound that is wrong": (1, (Single(4.0), Branching(Decision("ML", 0, 4))), "more than one"),
    "multipliers where there is nothing": (3, (bound(no_multipliers(3)),), "which holds no partition"),
}


@pytest.mark.parametrize(("node", "evidence", "reason"), WRONG_NODES.values(), ids=WRONG_NODES)
def test_a_broken_rule_of_a_node_is_named(path: Path, node: int, evidence: tuple[Evidence, ...], reason: str) -> None:
    write(path, HAND_MADE, replaced(node, *evidence), certificates.HAND_MADE_LABELS, 4.0)
    with pytest.raises(VerificationError, match=f"^problem {node}: .*({reason})"):
        verify(path)


def fixed(multipliers: Multipliers, lower_bound: float, decision: Decision) -> tuple[Evidence, ...]:
    return ML12, Fixed((decision,), multipliers, lower_bound), bound(no_multipliers(3), 55.9)


def test_fixed_pairs_are_closed_by_their_multipliers(path: Path) -> None:
    # State of node 2: {0}, {1, 2, 3}, {4}; without multipliers every partition costs at least 56.
    box = np.zeros((3, 3))
    box[0, 2] = box[2, 0] = 1.0
    together = Decision("CL", 0, 4)
    plain = write(path, HAND_MADE, replaced(2, *fixed(no_multipliers(3), 55.9, together)), [0, 0, 1, 1, 1], 4.0)
    assert verify(plain).lower_bound == 4.0
    # Y_04 >= 1 / 2 if 0 and 4 are together: N_04 = 1 adds 2 N_04 / 2 = 1 to whatever it proves otherwise.
    state = certificates.Linked(HAND_MADE, [(1, 2)], [(0, 1)])
    proved = certificates.float_bound(HAND_MADE, state, Multipliers(box, Cuts.none(), np.empty(0))) + 1.0
    for value, accepted in ((proved - 1e-9, True), (proved + 1e-9, False)):
        path.unlink()
        records = replaced(2, *fixed(Multipliers(box, Cuts.none(), np.empty(0)), value, together))
        write(path, HAND_MADE, records, [0, 0, 1, 1, 1], 4.0)
        if accepted:
            assert verify(path).lower_bound == 4.0
        else:
            with pytest.raises(VerificationError, match=r"^problem 2: the bound of fixed pairs"):
                verify(path)


def test_fixed_pairs_must_be_two_super_points(path: Path) -> None:
    records = replaced(2, *fixed(no_multipliers(3), 50.0, Decision("CL", 1, 2)))
    with pytest.raises(VerificationError, match="1 and 2 are fixed, but are linked already"):
        verify(write(path, HAND_MADE, records, certificates.HAND_MADE_LABELS, 4.0))


def pair(i: int, j: int) -> str:
    return f"x'{encode_integers([i, j]).hex()}'"


def children(first: int, second: int) -> str:
    return f"x'{(encode_integers([first, second]) + encode_floats([])).hex()}'"


WRONG_TREES = {
    "no evidence": ("DELETE FROM evidence", "the lower bound: 4.0 is claimed, but only 0.0 is proved"),
    "no evidence of the whole": ("DELETE FROM evidence WHERE problem = 0", "4.0 is claimed, but only 0.0 is proved"),
    "no evidence of a child": ("DELETE FROM evidence WHERE problem = 4", "4.0 is claimed, but only 0.0 is proved"),
    "missing child": ("DELETE FROM problems WHERE problem = 4", "problem 1: 0 rows for problem 4"),
    "two children of the same kind": ("UPDATE problems SET change = 'ML' WHERE problem = 4", "not the children of a"),
    "child of another pair": (f"UPDATE problems SET content = {pair(0, 3)} WHERE problem = 4", "not the children of a"),
    "child of a point with itself": (f"UPDATE problems SET content = {pair(4, 4)} WHERE problem = 4", "4 and 4 are"),
    "child of a point that does not exist": (
        f"UPDATE problems SET content = {pair(0, 5)} WHERE problem = 4", "problem 4: 0 and 5 are not two points from 0"
    ),
    "child of a longer pair": (
        "UPDATE problems SET content = CAST(content || x'00' AS BLOB) WHERE problem = 4", "problem 4: longer than what"
    ),
    "child of another kind": ("UPDATE problems SET change = 'XL' WHERE problem = 4", "problems.change is 'XL', not"),
    "child that is a part": ("UPDATE problems SET change = 'part' WHERE problem = 4", "problem 4 is not a child"),
    "child of another problem": ("UPDATE problems SET parent = 2 WHERE problem = 4", "problem 4 is not a child"),
    "child of itself": ("UPDATE problems SET parent = 1 WHERE problem = 1", "problem 0: problem 1 is not a child"),
    "child that does not exist": (
        f"UPDATE evidence SET payload = {children(3, 9)} WHERE problem = 1", "problem 1: 0 rows for problem 9"
    ),
    "child twice": (f"UPDATE evidence SET payload = {children(3, 3)} WHERE problem = 1", "not the children of a"),
    "children of another": (
        f"UPDATE evidence SET payload = {children(3, 4)} WHERE problem = 0", "problem 0: problem 3 is not a child"
    ),
    "children that are the whole": (
        f"UPDATE evidence SET payload = {children(0, 1)} WHERE problem = 0", "problem 0: 0 rows for problem 0"
    ),
    "one child": (
        f"UPDATE evidence SET payload = x'{encode_integers([3]).hex()}' WHERE problem = 1", "1 numbers instead of 2"
    ),
    "branching without a place for a penalty": (
        f"UPDATE evidence SET payload = x'{encode_integers([3, 4]).hex()}' WHERE problem = 1", "too short"
    ),
    "problem with a name that is no number": ("UPDATE problems SET parent = 'x' WHERE problem = 3", "parent is 'x'"),
    "evidence of an unknown kind": ("UPDATE evidence SET kind = 'proved' WHERE problem = 2", "kind is 'proved', not"),
    "bound without multipliers": (
        "UPDATE evidence SET payload = x'' WHERE problem = 2 AND kind = 'bound'", "multipliers: missing"
    ),
    "bound as text": ("UPDATE evidence SET bound = 'x' WHERE problem = 2", "evidence.bound is 'x', not a number"),
    "bound that is infinite": (
        "UPDATE evidence SET bound = 9e999 WHERE problem = 2 AND kind = 'bound'", "the bound is inf, not a finite"
    ),
    "single with a payload": ("UPDATE evidence SET payload = x'00' WHERE kind = 'single'", "single: longer than what"),
    "bound with more than multipliers": (
        "UPDATE evidence SET payload = CAST(payload || x'00' AS BLOB) WHERE kind = 'bound'", "multipliers: longer"
    ),
    "decisions without cliques": (
        f"UPDATE evidence SET payload = x'{encode_integers([[0], [1], [2]]).hex()}' WHERE problem = 2", "too short"
    ),
    "decisions that are none": ("UPDATE evidence SET payload = x'00' WHERE problem = 2", "forced: missing, or too"),
    "decisions of a third kind": (
        f"UPDATE evidence SET payload = x'{(encode_integers([[2], [1], [2]]) + encode_integers([1, 0])).hex()}'"
        " WHERE kind = 'forced'",
        "forced: decisions: of an unknown kind",
    ),
    "search that is none": (
        "UPDATE evidence SET kind = 'infeasible', payload = x'00' WHERE kind = 'bound'", "infeasible: .* too short"
    ),
    "row that is no row": ("UPDATE evidence SET seconds = 9e999 WHERE problem = 4", "evidence.seconds is inf, not"),
}  # fmt: skip


@pytest.mark.parametrize(("statement", "reason"), WRONG_TREES.values(), ids=WRONG_TREES)
def test_a_broken_tree_is_refused(path: Path, statement: str, reason: str) -> None:
    edit(hand_made(path), (statement, ()))
    with pytest.raises(VerificationError, match=reason):
        verify(path)


def test_what_is_not_come_to_is_not_looked_at(path: Path) -> None:
    """A problem that no evidence names, with whatever evidence, and one whose parent there is not."""
    for number, parent in ((8, 77), (9, 9), (10, 2)):
        rows = ("problems VALUES (?, ?, 'ML', x'00', '')", (number, parent))
        evidence = ("evidence VALUES (?, ?, 'single', 100.0, x'00', 0.0, '')", (50 + number, number))
        edit(hand_made(path), *((f"INSERT INTO {sql}", values) for sql, values in (rows, evidence)))
        assert verify(path)[:6] == ("OPTIMAL", 4.0, 4.0, 0.0, 5, 0)


def test_what_was_seen_to_be_infeasible_needs_no_search(path: Path) -> None:
    edit(hand_made(path), ("UPDATE evidence SET payload = x'00' WHERE kind = 'infeasible'", ()))
    assert verify(path).lower_bound == 4.0


def test_rows_that_may_appear_twice_are_refused(path: Path) -> None:
    for table, key in (("evidence", ", UNIQUE (problem, position)"), ("problems", " PRIMARY KEY")):
        hand_made(path)
        with contextlib.closing(sqlite3.connect(path)) as connection:
            (sql,) = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (table,)).fetchone()
        assert key in sql
        loose = sql.replace(key, "").replace(" PRIMARY KEY", "")
        rename = [
            (f"ALTER TABLE {table} RENAME TO old", ()),
            (loose, ()),
            (f"INSERT INTO {table} SELECT * FROM old", ()),
        ]
        copy = f"INSERT INTO {table} SELECT * FROM {table} WHERE problem = 4"
        edit(path, *rename, ("DROP TABLE old", ()), (copy, ()))
        with pytest.raises(VerificationError, match="other keys than those of a run file"):
            verify(path)


WRONG_CLAIMS = {
    "lower bound above the optimum": ("lower_bound = 4.000000004", "4.000000004 is claimed, but only 4"),
    "lower bound missing": ("lower_bound = NULL", "optimal, but without a lower bound"),
    "lower bound of another type": ("lower_bound = 'much'", "claim.lower_bound is 'much', not a finite number"),
    "objective too low": ("objective = 3.999999996", "said to be 3.999999996, but the labels cost 4"),
    "objective too high": ("objective = 4.000000004", "but the labels cost 4"),
    "no objective": ("objective = NULL", "the objective is None"),
    "no labels": ("labels = NULL", "labels: missing"),
    "unknown status": ("status = 'PERFECT'", "claim.status is 'PERFECT', not one of"),
    "infeasible": ("status = 'INFEASIBLE', labels = NULL, objective = NULL", "infinity is claimed"),
}


@pytest.mark.parametrize(("change", "reason"), WRONG_CLAIMS.values(), ids=WRONG_CLAIMS)
def test_a_wrong_claim_is_refused(path: Path, change: str, reason: str) -> None:
    edit(hand_made(path), (f"UPDATE claim SET {change}", ()))
    with pytest.raises(VerificationError, match=reason):
        verify(path)


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        ([0, 0, 1, 0, 1], "break ML 2 3"),
        ([0, 1, 0, 0, 0], "break CL 0 2"),
        ([0, 0, 0, 0, 0], "use 1 clusters instead of 2"),
        ([0, 0, 1, 1, 2], "use 3 clusters instead of 2"),
        ([0, 0, 1, 1], "an array of 4 numbers instead of 5"),
    ],
)
def test_labels_that_break_a_rule_are_refused(path: Path, labels: list[int], reason: str) -> None:
    edit(hand_made(path), ("UPDATE claim SET labels = ?", (encode_integers(labels),)))
    with pytest.raises(VerificationError, match=reason):
        verify(path)


def test_optimal_means_within_the_gap(path: Path) -> None:
    hand_made(path, lower_bound=3.9996, gap=2e-4)
    assert verify(path).gap == 0.0  # what is proved counts, not what is claimed
    path.unlink()
    records = replaced(4, forced("ML", 2, 4, 0), Single(3.0))
    assert verify(write(path, HAND_MADE, records, certificates.HAND_MADE_LABELS, 3.0)).lower_bound == 4.0
    path.unlink()
    root = replaced(0, bound(no_multipliers(4), 1.9))[:1]  # {10, 12} alone costs 2
    write(path, HAND_MADE, root, certificates.HAND_MADE_LABELS, 1.9)
    with pytest.raises(VerificationError, match=r"the gap should be at most 0.0001, but only 0\.5"):
        verify(path)


def test_a_stopped_run_counts_open_children_with_what_is_proved_above_them(path: Path) -> None:
    root = hand_made_records()[:1]
    write(path, HAND_MADE, root, certificates.HAND_MADE_LABELS, 0.0, status=Status.FEASIBLE)
    assert verify(path)[:3] == ("FEASIBLE", 0.0, 4.0)
    assert verify(path)[4:6] == (3, 2)
    path.unlink()
    above = Fixed((), no_multipliers(4), 1.9)  # no pairs: it only says what the multipliers prove, here 2
    root = replaced(0, above, Branching(Decision("ML", 0, 1)))[:1]
    write(path, HAND_MADE, root, certificates.HAND_MADE_LABELS, 1.9, status=Status.FEASIBLE)
    assert 2.0 - 1e-12 < verify(path).lower_bound <= 2.0
    edit(path, ("UPDATE claim SET lower_bound = 2.1", ()))
    with pytest.raises(VerificationError, match=r"the lower bound: 2\.1 is claimed, but only"):
        verify(path)


def test_an_infeasible_instance(path: Path) -> None:
    triangle = Instance([0.0, 1.0, 2.0], 2, [], [(0, 1), (1, 2), (0, 2)])
    root = NodeRecord(0, None, None, (Infeasible(np.array([0, 1, 2])),))
    verdict = verify(write(path, triangle, [root], None, None, status=Status.INFEASIBLE))
    assert verdict[:-1] == ("INFEASIBLE", np.inf, None, None, 1, 0, 3, 2, 1e-4)


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


@pytest.mark.parametrize(
    "statement", ["PRAGMA user_version = 9", "PRAGMA user_version = 11", "PRAGMA application_id = 1"]
)
def test_other_formats_are_refused(path: Path, statement: str) -> None:
    edit(hand_made(path), (statement, ()))
    with pytest.raises(RunFileError, match=r"has format (9|11), but|not a run file of pcsos"):
        verify(path)


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER t AFTER INSERT ON events BEGIN SELECT 1; END",
        "CREATE TABLE more (x)",
        "DROP TABLE events",
        "CREATE INDEX more ON problems (parent)",
    ],
)
def test_nothing_but_the_tables_may_be_in_the_file(path: Path, statement: str) -> None:
    edit(hand_made(path), (statement, ()))
    with pytest.raises(VerificationError, match="does not hold the tables of a run file and nothing else"):
        verify(path)


@pytest.mark.parametrize("share", [0.3, 0.6, 0.9])
def test_truncated_files_are_refused(path: Path, share: float) -> None:
    content = hand_made(path).read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    with pytest.raises((VerificationError, RunFileError), match=r"damaged|not a run file"):
        verify(path)


def test_a_run_that_has_not_ended_makes_no_claim(path: Path) -> None:
    edit(hand_made(path), ("DELETE FROM claim", ()))
    with pytest.raises(VerificationError, match="0 rows for the claim"):
        verify(path)
    edit(path, ("DELETE FROM instance", ()))
    with pytest.raises(VerificationError, match="0 rows for the instance"):
        verify(path)


def block(kind: bytes, width: int, shape: tuple[int, ...], payload: bytes) -> bytes:
    return (
        struct.pack("<cBBI", kind, width, len(shape), len(payload)) + struct.pack(f"<{len(shape)}I", *shape) + payload
    )


WRONG_BLOBS = {
    "not a blob": ("text", "instance.points is 'text', not an array"),
    "empty": (b"", "points: missing, or too short"),
    "cut off": (encode_floats(HAND_MADE.points)[:-3], "points: missing, or too short"),
    "integers": (encode_integers(HAND_MADE.points), "another kind"),
    "one dimension": (encode_floats(HAND_MADE.points.ravel()), "another kind"),
    "huge": (block(b"f", 8, (1 << 31, 1 << 31), b""), "points: takes .* MB, more than a file of this size may take"),
    "zip bomb": (block(b"f", 8, (5, 1), zlib.compress(bytes(10**8))), "another size than stated"),
    "too little inside": (block(b"f", 8, (5, 1), zlib.compress(bytes(39))), "another size than stated"),
    "not compressed": (block(b"f", 8, (5, 1), bytes(40)), "points: cannot be decompressed"),
    "no rows": (encode_floats(np.empty((0, 1))), "empty"),
    "no columns": (encode_floats(np.empty((5, 0))), "empty"),
    "not a number": (encode_floats([[0.0], [1.0], [2.0], [3.0], [np.nan]]), "not all of them are finite"),
    "infinity": (encode_floats([[0.0], [1.0], [2.0], [3.0], [np.inf]]), "not all of them are finite"),
}


@pytest.mark.parametrize(("blob", "reason"), WRONG_BLOBS.values(), ids=WRONG_BLOBS)
def test_spoiled_points_are_refused(path: Path, blob: object, reason: str) -> None:
    edit(hand_made(path), ("UPDATE instance SET points = ?", (blob,)))
    with pytest.raises(VerificationError, match=reason):
        verify(path)


WRONG_INSTANCES = {
    "weight 0": ("weights", encode_floats([1.0, 1.0, 0.0, 1.0, 1.0]), "a weight is not positive"),
    "too few weights": ("weights", encode_floats([1.0, 1.0]), "weights: an array of 2 numbers instead of 5"),
    "no clusters": ("n_clusters", 0, "n_clusters is 0, not a whole number from 1"),
    "more clusters than points": ("n_clusters", 6, "number of clusters is 6"),
    "clusters as text": ("n_clusters", "two", "n_clusters is 'two', not a whole number"),
    "point out of range": ("must_link", encode_integers([[2, 5]]), "not pairs of points"),
    "negative point": ("cannot_link", encode_integers([[-1, 2]]), "not pairs of points"),
    "triples": ("must_link", encode_integers([[1, 2, 3]]), "not pairs of points"),
    "no gap": ("options", "{}", "without a gap"),
    "gap that is no number": ("options", '{"gap": NaN}', "the options: no JSON"),
    "options that are nested": ("options", f'{{"gap": 0.1, "x": {16 * "["}0{16 * "]"}}}', "nested too deeply"),
    "another must-link": ("must_link", encode_integers([[1, 3]]), "the labels break ML 1 3"),
    "one cannot-link less": ("cannot_link", encode_integers([[0, 2]]), "problem 3: an exhaustive colouring leaves"),
    "another k": ("n_clusters", 3, "use 2 clusters instead of 3"),
    "other weights": ("weights", encode_floats([1.0, 1.0, 1.0, 2.0, 1.0]), "the objective is said to be 4.0"),
}


@pytest.mark.parametrize(("column", "value", "reason"), WRONG_INSTANCES.values(), ids=WRONG_INSTANCES)
def test_a_spoiled_instance_is_refused(path: Path, column: str, value: object, reason: str) -> None:
    edit(hand_made(path), (f"UPDATE instance SET {column} = ?", (value,)))
    with pytest.raises(VerificationError, match=reason):
        verify(path)


def spoiled_multipliers(**changes: object) -> bytes:
    """Multipliers of three super-points with the parts of the blob replaced."""
    parts = {"exponents": (0, 0, 0), "triangle": np.zeros(6, int), "runs": []} | changes
    return b"".join([struct.pack("<iiI", *parts["exponents"]), encode_integers(parts["triangle"]), *parts["runs"]])  # type: ignore[misc]


STAR = encode_integers([[0], [1]])
WRONG_MULTIPLIERS = {
    "no matrix": (spoiled_multipliers(triangle=np.zeros(5, int)), "an array of 5 numbers instead of 6"),
    "another size": (spoiled_multipliers(triangle=np.zeros(10, int)), "an array of 10 numbers instead of 6"),
    "exponent": (spoiled_multipliers(exponents=(5000, 0, 0)), "too large an exponent"),
    "cuts that are missing": (spoiled_multipliers(exponents=(0, 0, 1)), "missing, or too short"),
    "fewer multipliers than cuts": (
        spoiled_multipliers(exponents=(0, 0, 1), runs=[STAR, encode_integers([1, 1])]),
        "an array of 2 numbers instead of 1",
    ),
    "cuts without members": (
        spoiled_multipliers(exponents=(0, 0, 1), runs=[encode_integers([[0]]), encode_integers([1])]),
        "impossible size",
    ),
    "too many digits": (
        spoiled_multipliers(exponents=(0, 0, 1), runs=[STAR, encode_integers([2**61])]),
        "too many digits",
    ),
    "huge numbers": (spoiled_multipliers(exponents=(1900, 0, 0), triangle=np.full(6, 2**60)), "only"),
}


@pytest.mark.parametrize(("blob", "reason"), WRONG_MULTIPLIERS.values(), ids=WRONG_MULTIPLIERS)
def test_spoiled_multipliers_are_refused(path: Path, blob: bytes, reason: str) -> None:
    edit(hand_made(path), ("UPDATE evidence SET payload = ? WHERE kind = 'bound'", (blob,)))
    with pytest.raises(VerificationError, match=f"^problem 2: .*{reason}"):
        verify(path)


def test_the_blob_that_the_tests_spoil_is_sound_before() -> None:
    assert spoiled_multipliers() == encode_multipliers(no_multipliers(3))


def test_a_run_in_progress_is_not_read(path: Path) -> None:
    with RunFile.open(hand_made(path)) as file:
        file.add_event(Notice("now it is written to"))
        with pytest.raises(RunFileError, match="in use by another process"):
            verify(path)
