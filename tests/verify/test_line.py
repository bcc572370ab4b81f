"""What a penalty proves on a line, and files that claim more by it."""

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

from pcsos.bounds.line.intervals import Line, best_intervals
from pcsos.evidence import kinds
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.node import Decision, Evidence, NodeRecord
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError, verify
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.line import line_bound
from pcsos.verify.state import State
from tests.bounds.line.test_intervals import DATA, drawn
from tests.exact_oracle import ExactTruth
from tests.verify.certificates import edit, no_multipliers, write

#: Points 0, 1, 5, 6, 20, 21 on a line, k = 3: three pairs, which cost 1/2 each. One cluster more saves 1/2, one less
#: costs 25: penalties in between prove the optimum.
PAIRS = Instance([0.0, 1.0, 5.0, 6.0, 20.0, 21.0], 3)
LABELS, OPTIMUM, PENALTY = [0, 0, 1, 1, 2, 2], 1.5, 1.0


def root(penalty: float = PENALTY, bound: float = OPTIMUM, *, behind: tuple[Evidence, ...] = ()) -> NodeRecord:
    return NodeRecord(0, None, None, (*behind, kinds.Line(penalty, bound)))


def child(node: int, kind: str, bound: float) -> NodeRecord:
    decision = Decision(kind, 1, 2)  # type: ignore[arg-type]
    return NodeRecord(node, 0, decision, (kinds.Line(6.0, bound),))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "line.run"


def test_the_optimum_is_proved_by_any_penalty_between_the_two_slopes(path: Path) -> None:
    for penalty in (0.5, 0.51, PENALTY, 24.9, 25.0):
        path.unlink(missing_ok=True)
        verdict = verify(write(path, PAIRS, [root(penalty)], LABELS, OPTIMUM), PAIRS.points, ([], []))
        assert verdict[:4] == ("OPTIMAL", OPTIMUM, OPTIMUM, 0.0)


REFUSED = {
    "a bound that is too high by one unit": (
        root(bound=float(np.nextafter(OPTIMUM, 2.0))),
        "is claimed, but only 1.5 is",
    ),
    "a penalty that is too low": (root(0.25), "1.5 is claimed, but only 0.75 is proved"),
    "a penalty that is too high": (root(100.0), "is claimed, but only"),
    "no penalty to speak of": (root(0.0), "is claimed, but only 0.0 is proved"),
    "a negative penalty": (root(-1.0), "is claimed, but only 0.0 is proved"),
    "a huge penalty": (root(1e300), "is claimed, but only"),
    "a huge negative penalty": (root(-1e300), "is claimed, but only"),
    "the least penalty": (root(5e-324), "is claimed, but only"),
}


@pytest.mark.parametrize(("record", "reason"), REFUSED.values(), ids=REFUSED)
def test_what_a_penalty_does_not_prove_is_refused(path: Path, record: NodeRecord, reason: str) -> None:
    claimed = max(OPTIMUM, record.lower_bound)
    with pytest.raises(VerificationError, match=reason):
        verify(write(path, PAIRS, [record], LABELS, claimed, status=Status.FEASIBLE))


NO_PENALTIES = {
    "nothing": b"",
    "text": "1.0",
    "no array": b"1.0",
    "an integer": encode_integers([1]),
    "two": encode_floats([1.0, 1.0]),
    "none": encode_floats([]),
    "a matrix": encode_floats([[1.0]]),
    "infinity": encode_floats([np.inf]),
    "not a number": encode_floats([np.nan]),
    "one and more": encode_floats([1.0]) + b"0",
}


@pytest.mark.parametrize("payload", NO_PENALTIES.values(), ids=NO_PENALTIES)
def test_a_penalty_that_is_no_double_is_refused(path: Path, payload: object) -> None:
    write(path, PAIRS, [root()], LABELS, OPTIMUM)
    edit(path, ("UPDATE evidence SET payload = ?", (payload,)))
    with pytest.raises(VerificationError, match=r"problem 0: (line: |evidence\.payload is)"):
        verify(path)


@pytest.mark.parametrize("bound", ["'x'", "1e999", "x'00'", "1", "'1.0 '"], ids=lambda text: f"bound {text}")
def test_a_bound_that_is_no_double_is_refused(path: Path, bound: str) -> None:
    write(path, PAIRS, [root()], LABELS, 1.0, status=Status.FEASIBLE)
    edit(path, (f"UPDATE evidence SET bound = {bound}", ()))
    if bound in ("1", "'1.0 '"):  # the column makes a double of them, and of the same value
        assert verify(path).lower_bound == OPTIMUM
        return
    with pytest.raises(VerificationError, match=r"problem 0: (the bound is|evidence\.bound is)"):
        verify(path)


def test_cannot_links_are_left_out(path: Path) -> None:
    apart = Instance(PAIRS.points, 3, cannot_link=[(0, 1)])
    assert ExactTruth.of(apart).optimum > OPTIMUM
    labels = [0, 1, 1, 1, 2, 2]
    assert verify(write(path, apart, [root()], labels, OPTIMUM, status=Status.FEASIBLE)).lower_bound == OPTIMUM
    path.unlink()
    with pytest.raises(VerificationError, match="is claimed, but only"):
        verify(write(path, apart, [root(bound=1.75)], labels, 1.75, status=Status.FEASIBLE))


def test_two_features_are_no_line(path: Path) -> None:
    points = np.column_stack([PAIRS.points, np.zeros(6)])
    for value in (0.0, 3.0):
        path.unlink(missing_ok=True)
        points[:, 1] = value
        assert verify(write(path, Instance(points, 3), [root()], LABELS, OPTIMUM), points).lower_bound == OPTIMUM
    path.unlink()
    points[4:, 1] = np.nextafter(3.0, 4.0)
    with pytest.raises(VerificationError, match="two features vary"):
        verify(write(path, Instance(points, 3), [root()], LABELS, OPTIMUM))


def test_another_number_of_clusters_is_another_bound(path: Path) -> None:
    for k, labels in ((2, [0, 0, 0, 0, 1, 1]), (4, [0, 1, 2, 2, 3, 3])):
        write(path, PAIRS, [root(0.5)], LABELS, OPTIMUM)
        cost = float(ExactTruth.of(PAIRS).cost(labels))
        edit(
            path,
            ("UPDATE instance SET n_clusters = ?", (k,)),
            ("UPDATE claim SET labels = ?, objective = ?, lower_bound = ?", (encode_integers(labels), cost, cost)),
            ("UPDATE evidence SET bound = ?", (cost,)),
        )
        if k == 4:  # costs 1, and that is the optimum
            assert verify(path).lower_bound == cost == 1.0
            edit(path, ("UPDATE evidence SET bound = ?", (OPTIMUM,)))
        with pytest.raises(VerificationError, match="is claimed, but only"):
            verify(path)
        with pytest.raises(VerificationError, match="clusters, not 3"):
            verify(path, n_clusters=3)
        path.unlink()


def test_must_links_count_and_cannot_be_left_out(path: Path) -> None:
    linked = Instance(PAIRS.points, 3, [(0, 2)])
    labels, cost = [0, 0, 0, 1, 2, 2], 14.5
    found = best_intervals(linked)
    assert ExactTruth.of(linked).optimum == cost
    assert found.lower_bound == pytest.approx(cost, rel=1e-15)
    record = root(found.penalty, found.lower_bound)
    verdict = verify(write(path, linked, [record], labels, found.lower_bound), PAIRS.points, ([(0, 2)], []))
    assert verdict.lower_bound == found.lower_bound
    with pytest.raises(VerificationError, match="other constraints"):
        verify(path, PAIRS.points, ([], []))
    edit(path, ("UPDATE instance SET must_link = ?", (encode_integers(np.empty((0, 2), np.int64)),)))
    with pytest.raises(VerificationError, match="is claimed, but only"):
        verify(path)


def test_other_points_or_weights_are_another_bound(path: Path) -> None:
    changes = {"points": PAIRS.points * 0.999, "weights": np.full(6, 0.999)}
    for column, values in changes.items():
        write(path, PAIRS, [root()], LABELS, OPTIMUM)
        edit(path, (f"UPDATE instance SET {column} = ?", (encode_floats(values),)))
        edit(path, ("UPDATE claim SET status = 'UNKNOWN', labels = NULL, objective = NULL", ()))
        with pytest.raises(VerificationError, match="is claimed, but only"):
            verify(path)
        path.unlink()


DEDUCTIONS: dict[str, Evidence] = {
    "fixed apart": kinds.Fixed((Decision("CL", 0, 4),), no_multipliers(6), 0.0),
    "forced apart": kinds.Forced((kinds.Clique(Decision("CL", 0, 4), (1, 2, 3)),)),
    "joined": kinds.Equal((Decision("ML", 1, 2),)),
}


@pytest.mark.parametrize("name", DEDUCTIONS)
def test_deductions_before_it_are_checked_as_ever(path: Path, name: str) -> None:
    with pytest.raises(VerificationError, match=r"does not force|only 0.0 is proved|not at one place"):
        verify(write(path, PAIRS, [root(behind=(DEDUCTIONS[name],))], LABELS, OPTIMUM))


def test_below_a_branching_it_proves_what_is_true_of_the_state(path: Path) -> None:
    above = NodeRecord(0, None, None, (kinds.Branching(Decision("ML", 1, 2)),))
    both = [above, child(1, "ML", 14.5), child(2, "CL", OPTIMUM)]
    assert verify(write(path, PAIRS, both, LABELS, OPTIMUM)).lower_bound == OPTIMUM
    path.unlink()
    beyond = [above, child(1, "ML", 14.5), child(2, "CL", float(np.nextafter(OPTIMUM, 2.0)))]
    with pytest.raises(VerificationError, match="problem 2: the bound"):
        verify(write(path, PAIRS, beyond, LABELS, OPTIMUM))
    path.unlink()
    with pytest.raises(VerificationError, match=r"the lower bound: 1\.5 is claimed, but only 0\.0 is proved"):
        verify(write(path, PAIRS, [above, child(1, "ML", OPTIMUM)], LABELS, OPTIMUM))
    path.unlink()
    with pytest.raises(VerificationError, match="problem 1: the bound"):
        verify(
            write(
                path,
                PAIRS,
                [above, child(1, "ML", float(np.nextafter(14.5, 15.0)))],
                LABELS,
                0.0,
                status=Status.FEASIBLE,
            )
        )
    path.unlink()
    closed = NodeRecord(2, 0, Decision("CL", 1, 2), (kinds.Bound(no_multipliers(6), 0.0),))
    records = [above, child(1, "ML", 14.5), closed]
    assert verify(write(path, PAIRS, records, LABELS, 0.0, status=Status.FEASIBLE)).num_open == 0


def test_it_stands_beside_other_evidence_and_has_no_twin(path: Path) -> None:
    branching = kinds.Branching(Decision("ML", 1, 2))
    beside = NodeRecord(0, None, None, (kinds.Line(PENALTY, OPTIMUM), branching))
    assert verify(write(path, PAIRS, [beside], LABELS, OPTIMUM))[4:6] == (3, 2)
    path.unlink()
    write(path, PAIRS, [root()], LABELS, OPTIMUM)
    edit(path, ("UPDATE evidence SET kind = 'Line'", ()))
    with pytest.raises(VerificationError, match=r"evidence\.kind is 'Line', not one of"):
        verify(path)


@pytest.mark.parametrize("first", range(0, 400, 50))
def test_no_penalty_proves_more_than_is_true(first: int) -> None:
    judged = 0
    for seed in range(first, first + 50):
        instance = drawn(seed)
        if instance is None:
            continue
        rng, truth, k = np.random.default_rng(seed), ExactTruth.of(instance), instance.n_clusters
        data = Data(Doubles(instance.points), Doubles(instance.weights))
        state = State(instance.n_points)
        for i, j in instance.must_link.tolist():
            state.add("ML", i, j)
        best = best_intervals(instance)
        drawn_ones = [float(truth.optimum) * 10.0 ** rng.uniform(-3, 3) * rng.choice([-1, 1]) for _ in range(6)]
        for penalty in [best.penalty, 0.0, *drawn_ones, float(10.0 ** rng.uniform(-300, 300))]:
            found = line_bound(data, state, fmpq(*penalty.as_integer_ratio()), k)
            assert Fraction(int(found.p), int(found.q)) <= truth.optimum, (seed, penalty)
            if penalty == best.penalty:
                assert Fraction(int(found.p), int(found.q)) >= Fraction(best.lower_bound)
        judged += 1
    assert judged > 30


@pytest.mark.parametrize("kind", DATA)
def test_it_finds_to_the_last_unit_what_the_plain_recursion_finds(kind: str) -> None:
    rng = np.random.default_rng(6)
    points, weights, state = DATA[kind](rng), rng.choice([1.0, 0.5, 3.0], 60), State(60)
    for i, j in ((0, 1), (2, 3), (3, 4)):
        state.add("ML", i, j)
    own = Line.of(points, weights, np.array([0, 0, 1, 1, 1, *range(2, 57)]))[0]
    w, m, q = own.weights, own.moments, own.squares
    data = Data(Doubles(points[:, None]), Doubles(weights))
    for penalty in (0.0, *(float(own.cost([0, own.size]) / own.unit) * 10.0 ** rng.uniform(-6, 0, 8))):
        price, values = int(Fraction(penalty) * own.unit // 1), [0]
        for j in range(1, own.size + 1):
            pays = [values[i] + price + q[j] - q[i] + -((m[j] - m[i]) ** 2) // (w[j] - w[i]) for i in range(j)]
            values.append(min(pays))
        found = line_bound(data, state, fmpq(*penalty.as_integer_ratio()), 7)
        assert Fraction(int(found.p), int(found.q)) == Fraction(values[-1] - 7 * price, own.unit)
