"""The bound in blocks against one of whole matrices, at panel borders, at all scales, and in little memory."""

import itertools
import struct
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from flint import arb, arb_mat, ctx, fmpq
from numpy.typing import NDArray

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.verify import VerificationError
from pcsos.verify.bound import Bound
from pcsos.verify.conditions import Conditions
from pcsos.verify.cuts import OF_A_MEMBER, SPARE_WORK, CutSums
from pcsos.verify.data import Data
from pcsos.verify.doubles import KEPT, Doubles
from pcsos.verify.gram import Gram
from pcsos.verify.line import Line
from pcsos.verify.state import State
from tests.blobs import arrays, plenty
from tests.bounds.relaxation.samples import random_pair_row
from tests.slow import first_few
from tests.verify.work import account

Integers = NDArray[np.int64]


@pytest.fixture(autouse=True)
def precision() -> Iterator[None]:
    with ctx.workprec(128):
        yield


class Case:
    """A state of any size with multipliers of all kinds, written down so that both evaluations can read them."""

    def __init__(self, seed: int, n: int, *, sets: bool = False, soft: bool = False, exponent: int = -9) -> None:
        rng = np.random.default_rng(seed)
        self.k, self.exponent = 3, exponent
        self.points = rng.standard_normal((n, 3))
        self.weights = np.ones(n) if sets or seed % 3 == 0 else rng.integers(1, 9, n) / 4.0
        self.state = State(n)
        for _ in range(n // 10):
            i, j = rng.choice(n, 2, replace=False)
            self.state.add("ML", int(i), int(j))
        names = self.state.names()
        for _ in range(n // 4):
            i, j = rng.choice(names, 2, replace=False)
            self.state.add("CL", int(i), int(j))
        self.groups = self.state.groups()
        s = self.size = len(self.groups)
        box = rng.integers(-900, 900, (s, s)) * (rng.random((s, s)) < 0.5)
        self.box = np.triu(box) + np.triu(box, 1).T
        self.cuts: list[tuple[int, list[int], int]] = []  # centre, members, mu
        for _ in range(2 * s):
            kind = int(rng.choice([0, 0, -1, -2] if sets else [0, 0, -1]))
            chosen = rng.permutation(s)
            q = self.k + 1 if kind == -1 else int(rng.integers(1, min(s, 30)))
            self.cuts.append((int(chosen[-1]) if kind == 0 else kind, chosen[:q].tolist(), int(rng.integers(1, 90))))
        pairs = [[*map(int, rng.choice(n, 2, replace=False)), 0.5, 0.25] for _ in range(n // 3 if soft else 0)]
        self.cuts += [(*random_pair_row(rng, s), int(rng.integers(1, 90))) for _ in range(s if soft else 0)]
        self.stated: dict[str, Any] = {"soft": pairs} | ({"limits": {"size_min": n // 5}} if sets else {})

    def blob(self, cuts: list[tuple[int, list[int], int]] | None = None, more: int = 0) -> bytes:
        """The multipliers, with 2^more times their unit."""
        runs = []
        listed = self.cuts if cuts is None else cuts
        for _, own in itertools.groupby(listed, lambda cut: len(cut[1])):
            same = list(own)
            runs.append(encode_integers(np.array([[c, *members] for c, members, _ in same]).T))
            runs.append(encode_integers([mu for _, _, mu in same]))
        units = struct.pack("<iiI", self.exponent + more, self.exponent + more, len(runs) // 2)
        return units + encode_integers(self.box[np.triu_indices(self.size)]) + b"".join(runs)

    def proof(self, cuts: list[tuple[int, list[int], int]] | None = None) -> Bound:
        weights = Doubles(self.weights)
        conditions = Conditions(weights, self.k, self.stated)
        return Bound(Data(Doubles(self.points), weights), self.state, arrays(self.blob(cuts)), self.k, conditions)


def naive(case: Case) -> tuple[arb, float]:
    """The bound by the formulas of sections 5 and 13 with whole matrices, and the size of what it is made of."""
    ctx.prec = 256
    e = [sum((exact(case.weights[p]) for p in group), fmpq(0)) for group in case.groups]
    s, total, unit = case.size, sum(e, fmpq(0)), arb(2) ** case.exponent
    conditions = Conditions(Doubles(case.weights), case.k, case.stated)
    root = [arb(x).sqrt() for x in e]
    rows = [[exact(x) for x in row] for row in case.points.tolist()]
    w = [exact(x) for x in case.weights]
    mean = [sum((a * x for a, x in zip(w, column, strict=True)), fmpq(0)) / total for column in zip(*rows, strict=True)]
    moved = [[x - c for x, c in zip(row, mean, strict=True)] for row in rows]
    q = arb_mat(
        [
            [arb(sum((w[p] * moved[p][j] for p in group), fmpq(0))) / root[i] for j in range(3)]
            for i, group in enumerate(case.groups)
        ]
    )
    value = arb(sum((a * sum((x * x for x in row), fmpq(0)) for a, row in zip(w, moved, strict=True)), fmpq(0)))
    size = value
    g = -(q * q.transpose())
    apart = [[case.state.apart(a[0], b[0]) for b in case.groups] for a in case.groups]
    largest = []
    for i in range(s):
        others = sorted(e[j] for j in range(s) if j != i and not apart[i][j])
        outside = sum((e[j] for j in range(s) if apart[i][j]), fmpq(0))
        missing = max(0, case.k - 1 - sum(apart[i]))
        largest.append(min(total - outside - sum(others[:missing], fmpq(0)), conditions.ends[1]))
    low = arb(conditions.ends[0])
    for i, j in itertools.product(range(s), repeat=2):
        n = int(case.box[i, j]) * unit
        g[i, j] -= n
        lowest, highest = arb(0), root[i] * root[j] / max(arb(e[i] + e[j]), low) if not apart[i][j] else arb(0)
        if i == j:
            lowest, highest = arb(e[i]) / largest[i], arb(e[i]) / max(arb(e[i]), low)
        value += n * (lowest if n > 0 else highest)
    for centre, members, mu in case.cuts:
        inside = set(members)
        if centre < -3:
            continue
        if centre == -2:
            for i, j in itertools.product(range(s), repeat=2):
                if (i in inside) != (j in inside):
                    g[i, j] -= mu * unit / 2 * root[i] * root[j]
            value += mu * unit * arb(conditions.crossing.least(sum(len(case.groups[i]) for i in members)))
            continue
        for i, j in itertools.permutations(members, 2):
            g[i, j] -= mu * unit / 2 / root[i] / root[j]
        if centre == -1:
            value += mu * unit / arb(max(largest))
            continue
        g[centre, centre] -= mu * unit / arb(e[centre])
        for j in members:
            g[centre, j] += mu * unit / 2 / root[centre] / root[j]
            g[j, centre] += mu * unit / 2 / root[centre] / root[j]
    value += naive_pairs(case, g, e, apart, largest)
    u = arb_mat(s, 1, [arb(x / total).sqrt() for x in e])
    value += (u.transpose() * g * u)[0, 0]
    high = max(x.abs_upper() for x in g.entries()) * s
    product = g * u
    side = (u * (((u.transpose() * product)[0, 0] + high) / 2) - product) * u.transpose()
    values = sorted((x.real for x in (g + side + side.transpose()).mid().eig(algorithm="approx")), key=float)
    ctx.prec = 128
    return value + sum(values[: case.k - 1], arb(0)), float(size + high)


def naive_pairs(case: Case, g: arb_mat, e: list[fmpq], apart: list[list[bool]], largest: list[fmpq]) -> arb:
    """What soft pairs and cuts about pairs bring, by the formulas of section 13; G is changed in place."""
    s, unit, value, root = case.size, arb(2) ** case.exponent, arb(0), [arb(x).sqrt() for x in e]
    low = arb(Conditions(Doubles(case.weights), case.k, case.stated).ends[0])
    index = [next(i for i, group in enumerate(case.groups) if p in group) for p in range(len(case.weights))]
    penalty: dict[tuple[int, int, bool], arb] = {}  # i < j, together
    for p, r, a, t in case.stated["soft"]:
        i, j = sorted((index[p], index[r]))
        if i == j or apart[i][j]:
            value += exact(t if i == j else a)
            continue
        for together, own in ((False, a), (True, t)):
            penalty[i, j, together] = penalty.get((i, j, together), arb(0)) + exact(own)

    def on_z(i: int, j: int, factor: arb) -> None:
        g[i, j] += factor / 2 / root[i] / root[j]
        g[j, i] += factor / 2 / root[i] / root[j]

    def charge(i: int, j: int, together: bool, factor: arb) -> None:
        if together:
            on_z(i, j, factor * max(arb(e[i] + e[j]), low))
            return
        for x in (i, j):
            on_z(x, x, factor * max(arb(e[x]), low) / 2)
            on_z(i, j, -factor * max(arb(e[x]), low) / 2)

    def cut(i: int, j: int, kind: int, inside: set[int], mu: arb) -> arb:
        """Take a cut from G; return its right-hand side."""
        here, there = (i, j) if i in inside else (j, i)
        charge(i, j, kind == 1 and len(inside) == 1, -mu)
        if kind == 0:
            for x in inside:
                on_z(here, x, mu * e[x])
                on_z(there, x, -mu * e[x])
        elif len(inside) == 1:
            on_z(here, here, -mu * largest[here])
            on_z(here, there, mu * largest[here])
        else:
            on_z(i, j, -mu * min(largest[i], largest[j]))
        return mu * kind

    for key, own in penalty.items():
        charge(*key, own)
    left = dict(penalty)
    for centre, members, units in case.cuts:
        if centre < -3:
            number, kind = divmod(-4 - centre, 2)
            key = (*divmod(number, s), kind == 1 and len(members) == 1)
            value += cut(key[0], key[1], kind, set(members), units * unit)
            left[key] = left.get(key, arb(0)) - units * unit
    return value + sum((min(arb(0), own) for own in left.values()), arb(0))


def exact(value: float) -> fmpq:
    return fmpq(*float(value).as_integer_ratio())


@pytest.mark.parametrize(
    ("n", "sets", "soft"),
    [(4, False, False), (12, True, True), (30, False, True), (64, True, True), (70, False, False), (80, True, True)],
)
@pytest.mark.parametrize("seed", first_few(1, range(3)))
def test_the_bound_is_that_of_whole_matrices(seed: int, n: int, sets: bool, soft: bool) -> None:
    case = Case(seed, n, sets=sets, soft=soft)
    proof, (expected, size) = case.proof(), naive(case)
    lost = float(expected - proof.value.mid())
    assert -1e-25 * size < lost < 1e-13 * size
    assert float(proof.value.rad()) < 1e-25 * size


def test_a_residual_that_costs_too_much_is_corrected_in_blocks_that_are_kept_or_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where N is large beside the points, next to nothing may be lost."""
    case = Case(0, 150, exponent=40)
    size = float(np.abs(case.box).sum()) * 2.0**case.exponent
    found = case.proof().value
    monkeypatch.setattr("pcsos.verify.spectral.SMALL", 0)
    assert case.proof().value.mid() == found.mid()
    monkeypatch.setattr("pcsos.verify.spectral.Spectrum.improve", lambda self: None)
    assert float(found - case.proof().value) > 1e-19 * size


@pytest.mark.parametrize("exponent", [-500, -60, 60, 500])
def test_powers_of_two_change_nothing(exponent: int) -> None:
    case = Case(1, 75)
    other = Case(1, 75)
    other.points = np.ldexp(other.points, exponent)
    data = Data(Doubles(other.points), Doubles(other.weights))
    found = Bound(data, other.state, arrays(case.blob(more=2 * exponent)), 3).value
    assert abs(found / arb(2) ** (2 * exponent) - case.proof().value) < 1e-20
    groups = [list(range(start, 75, 3)) for start in range(3)]
    unscaled = Data(Doubles(case.points), Doubles(case.weights)).cost(groups)
    assert fraction(data.cost(groups)) == fraction(unscaled) * Fraction(2) ** (2 * exponent)


@pytest.mark.parametrize("seed", range(12))
def test_garbage_proves_nothing_that_is_false(seed: int) -> None:
    """The best partition that anybody knows of, of three clear groups, and multipliers that are drawn."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([9, 64, 65, 130]))
    labels = np.arange(n) % 3
    points = 100.0 * np.eye(3)[labels] + rng.standard_normal((n, 3))
    data = Data(Doubles(points), Doubles(np.ones(n)))
    cost = data.cost([np.flatnonzero(labels == label).tolist() for label in range(3)])
    case = Case(seed, n)
    case.size, case.exponent = n, int(rng.integers(-80, 400))
    box = rng.integers(-(2**62), 2**62, (n, n)) >> rng.integers(0, 62)
    case.box = np.triu(box) + np.triu(box, 1).T
    chosen = [rng.permutation(n) for _ in range(40)]
    cuts = [(int(own[0]), own[1:3].tolist(), int(rng.integers(0, 2**40))) for own in chosen]
    assert Bound(data, State(n), arrays(case.blob(cuts)), 3).value.lower() <= cost


# Cuts


def test_cuts_that_are_repeated_and_mixed_up_count_as_one() -> None:
    case = Case(3, 20, sets=True)
    rng = np.random.default_rng(3)
    halves = [(c, rng.permutation(own).tolist(), mu) for c, own, mu in case.cuts for _ in range(3)]
    mixed = [halves[i] for i in rng.permutation(len(halves))]
    tripled = [(c, own, 3 * mu) for c, own, mu in case.cuts]
    first, second = case.proof(mixed), case.proof(tripled)
    assert abs(first.value - second.value) < 1e-20
    for i, j in itertools.combinations([group[0] for group in case.groups], 2):
        for kind in ("ML", "CL"):
            assert abs(first.with_pair(kind, i, j) - second.with_pair(kind, i, j)) < 1e-20


def star(s: int, repeated: int) -> tuple[Integers, Integers, Integers]:
    members = np.tile(np.arange(1, s)[:, None], (1, repeated)).T  # as a file gives it: a transposed table
    return np.zeros(repeated, np.int64), members, np.ones(repeated, np.int64)


def test_a_star_that_is_repeated_costs_no_more_than_its_table() -> None:
    many = star(50, 1 << 17)
    tracemalloc.start()
    with account() as own:
        sums = CutSums([many], [1] * 50, 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8 << 20
    once = CutSums([(many[0][:1], many[1][:1], many[2][:1] << 17)], [1] * 50, 2)
    whole = slice(0, 50)
    found, expected = sums.on_z(whole, whole), once.on_z(whole, whole)
    assert found is not None
    assert expected is not None
    assert (found == expected).all()
    assert own.charged < 2 * OF_A_MEMBER * 50 * (1 << 17)  # and not 49 times as much


@pytest.mark.slow
def test_cuts_about_all_pairs_take_no_more_memory_than_their_sums() -> None:
    s = 300
    i, j = np.triu_indices(s, 1)
    number, units = -5 - 2 * (s * i + j), np.ones(i.size, np.int64)
    runs = [np.vstack([number, i]), np.vstack([number, j]), np.vstack([number, i, j])]
    coded = [array for run in runs for array in (encode_integers(run, differences=True), encode_integers(units))]
    blob = struct.pack("<iiI", 0, -9, len(runs)) + encode_integers(np.zeros(s * (s + 1) // 2)) + b"".join(coded)
    points = Doubles(np.arange(float(s))[:, None])
    tracemalloc.start()
    proof = Bound(Data(points, Doubles(np.ones(s))), State(s), arrays(blob), 2)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 500 * s * s
    assert proof.value < 0
    assert np.count_nonzero(proof.cuts.of_pairs.given) == s * (s - 1)


def test_too_many_different_cuts_are_refused() -> None:
    rng = np.random.default_rng(0)
    s, q = 30, 15
    t = (2 * s**3 + SPARE_WORK) // q**2 + 3000
    members = np.argsort(rng.random((t, s)), axis=1)[:, :q]
    cuts = (np.full(t, -2), members, np.ones(t, np.int64))
    with pytest.raises(VerificationError, match="multipliers: too many cuts for 30 super-points"):
        CutSums([cuts], [1] * s, 2)
    assert CutSums([tuple(own[: t // 2] for own in cuts)], [1] * s, 2).sets == {15: t // 2}  # type: ignore[list-item]


def test_the_most_cuts_that_a_solver_may_hold_are_accepted() -> None:
    """More than rounds, new cuts a round and members of the largest star can make, for all sizes."""
    for s in (10, 50, 200, 1000):
        assert 20 * s * 64 * 20 < 2 * s**3 + SPARE_WORK


# Memory


@pytest.mark.slow
def test_a_bound_takes_less_than_100_bytes_an_entry() -> None:
    program = """
import resource
from flint import ctx
from tests.blobs import arrays
from tests.verify.test_blocks import Case, Bound, Data, Doubles
case = Case(0, 660)
blob, data = case.blob(), Data(Doubles(case.points), Doubles(case.weights))
with ctx.workprec(128):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    Bound(data, case.state, arrays(blob), 3)
    print(case.size, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    size, kilobytes = map(int, done.stdout.split())
    assert size > 580
    assert 1024 * kilobytes < 100 * size**2 + (8 << 20)


@pytest.mark.slow
@pytest.mark.parametrize("is_limited", [False, True])
def test_a_line_takes_less_than_250_bytes_a_point(is_limited: bool) -> None:
    n = 10_000
    rng = np.random.default_rng(0)
    column, weights, groups = Doubles(rng.standard_normal(n)), Doubles(np.ones(n)), [[p] for p in range(n)]
    tracemalloc.start()
    Line(column, weights, groups, is_limited).least(1 << 150, 0, n)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 250 * n


# Doubles


def fraction(number: Any) -> Fraction:
    return Fraction(int(number.p), int(number.q))


@pytest.mark.parametrize("size", [5, KEPT + 7])
def test_doubles_are_read_as_what_they_are(size: int) -> None:
    rng = np.random.default_rng(size)
    values = np.ldexp(rng.standard_normal((size, 1)), rng.integers(-1060, 1000, (size, 1)))
    values[:4, 0] = 5e-324, 0.0, -1.7976931348623157e308, -0.0
    own = Doubles(values)
    some = [0, 1, 2, 3, 4, size - 1]
    for p, (whole,) in zip(some, own.integers(some), strict=True):
        assert fraction(own[p][0]) == whole * fraction(own.unit) == Fraction(values[p, 0])
        assert own.balls(p)[0] == arb(own[p][0])
    assert own.exponent == -1074
    assert Doubles(np.array([8.0, 0.0])).exponent == 0
    assert Doubles(np.array([0.75, 0.5])).integers([0, 1]) == [3, 2]
    assert [fraction(x) for x in own.take([2, 4]).column(0)] == [Fraction(values[2, 0]), Fraction(values[4, 0])]
    block = own.block(slice(0, 3), slice(0, 1))
    assert block.entries() == [arb(own[p][0]) for p in range(3)]


def test_super_points_are_in_order_where_rounding_mixes_them_up() -> None:
    """Means that differ by less than doubles can tell, and some that are too large to be added up in doubles."""
    rng = np.random.default_rng(0)
    near = 1.0 + np.ldexp(rng.integers(0, 4, 60).astype(float), -52)
    for values in (near, np.concatenate([near, [1.7e308, 1.6e308, -1.7e308, -1.7e308]])):
        groups = [[p, p + 1] for p in range(0, len(values), 2)]
        weights = rng.integers(1, 4, len(values)) * 0.1
        line = Line(Doubles(values), Doubles(weights), groups, False)
        sums = zip(np.diff(np.array(line.moments, object)), np.diff(np.array(line.weights, object)), strict=True)
        means = [Fraction(moment, weight) for moment, weight in sums]
        assert means == sorted(means)
        exact_means = [
            sum(Fraction(values[p]) * Fraction(weights[p]) for p in group) / sum(Fraction(weights[p]) for p in group)
            for group in groups
        ]
        scale = means[-1] / max(exact_means)
        assert sorted(mean * scale for mean in exact_means) == means


@pytest.mark.parametrize("n", [5, 64, 71])
def test_a_gram_matrix_is_off_by_what_whole_matrices_say(n: int) -> None:
    rng = np.random.default_rng(n)
    points, weights = rng.standard_normal((n, 4)), rng.integers(1, 9, n) / 4.0
    noise = rng.standard_normal((n, n)) * 1e-3
    matrix = points @ points.T + noise + noise.T
    matrix = (matrix + matrix.T) / 2.0
    gram = Gram(encode_floats(matrix), n, plenty())
    found = gram.error(Data(Doubles(points), Doubles(weights)), 3)
    b, total = matrix - points @ points.T, weights.sum()
    a = b @ weights / total - weights @ b @ weights / (2.0 * total**2)
    residual = b - a[:, None] - a
    assert float(found) == pytest.approx(np.sqrt((n - 3) * (weights @ residual**2 @ weights)), rel=1e-9)
    groups = [list(range(start, n, 3)) for start in range(3)]
    expected = sum(
        weights[g] @ np.diag(matrix)[g] - weights[g] @ matrix[np.ix_(g, g)] @ weights[g] / weights[g].sum()
        for g in map(np.array, groups)
    )
    assert float(fraction(gram.cost(Doubles(weights), groups))) == pytest.approx(expected, rel=1e-12)
