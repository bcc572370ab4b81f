"""Axes beside prices: places are mapped so that no distance grows, which the file has to show exactly."""

import contextlib
import itertools
import sqlite3
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from flint import fmpq

import pcsos
from pcsos.base.exceptions import FormatError
from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.evidence.result import Status
from pcsos.problem.instance import Instance
from pcsos.verify import VerificationError, verify
from pcsos.verify.data import Data
from pcsos.verify.doubles import Doubles
from pcsos.verify.effort import OF_AN_ITEM
from pcsos.verify.prices import Axes, check_prices
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.payloads import AXIS_BITS, read_prices
from tests.blobs import arrays
from tests.exact_oracle import ExactTruth
from tests.slow import first_few
from tests.verify.certificates import edit
from tests.verify.test_prices import LOSS, TOO_MUCH, Case, fraction
from tests.verify.work import account

ONE = 1 << AXIS_BITS


def most_along(case: Case, rows: list[list[int]]) -> Fraction:
    """The most that a cluster of the mapped super-points earns: of all sets, each at its mean."""
    merged = []
    for group in case.groups:
        weight, mean = case.data.super_point(group)
        place = [
            sum((Fraction(u, ONE) * fraction(x) for u, x in zip(row, mean, strict=True)), Fraction(0)) for row in rows
        ]
        merged.append((fraction(weight), place))
    best = Fraction(0)
    for size in range(1, len(merged) + 1):
        for members in itertools.combinations(range(len(merged)), size):
            weight = sum(merged[i][0] for i in members)
            cost = Fraction(0)
            for axis in range(len(rows)):
                products = [merged[i][0] * merged[i][1][axis] for i in members]
                cost += (
                    sum(p * merged[i][1][axis] for i, p in zip(members, products, strict=True))
                    - sum(products) ** 2 / weight
                )
            best = max(best, sum(Fraction(case.prices[i]) for i in members) - cost)
    return best


def proves(case: Case, rows: list[list[int]], bound: Fraction, k: int) -> bool:
    payload = case.payload(axes=np.array(rows, np.int64))
    try:
        check_prices(case.data, case.state, payload, fmpq(bound.numerator, bound.denominator), k)
    except VerificationError:
        return False
    return True


def drawn_rows(rng: np.random.Generator, d: int) -> list[list[int]]:
    """Rows of a matrix that lengthens no distance: nearly orthogonal ones, or short ones in any direction."""
    number = int(rng.integers(1, d + 1))
    if rng.random() < 0.6:
        turn = np.linalg.qr(rng.normal(size=(d, d)))[0][:number] * (1.0 - 2.0**-20)
    else:
        turn = rng.normal(size=(number, d))
        turn *= rng.uniform(0.05, 0.99) / np.sqrt(np.abs(turn @ turn.T).sum(axis=1).max())
    return np.rint(turn * ONE).astype(np.int64).tolist()


def drawn_case(rng: np.random.Generator) -> tuple[Case, Instance]:
    n, d = int(rng.integers(2, 9)), int(rng.integers(2, 7))
    points = rng.normal(size=(n, d)) * rng.choice([1.0, 0.1], d) + rng.choice([0.0, 1e3])
    weights = np.ones(n) if rng.random() < 0.5 else rng.uniform(0.1, 5.0, n)
    pairs = [(0, 1)] if rng.random() < 0.4 else []
    size = n - len(pairs)
    prices = rng.uniform(-0.2, 1.5, size) * 10.0 ** rng.uniform(-1, 1)
    return Case(points, prices, weights, pairs), Instance(points, int(rng.integers(1, size + 1)), pairs, [], weights)


@pytest.mark.parametrize("seed", first_few(12, range(100)))
def test_what_is_proved_along_axes_is_what_the_mapped_points_earn(seed: int) -> None:
    rng = np.random.default_rng([seed, 1])
    case, instance = drawn_case(rng)
    k, rows = instance.n_clusters, drawn_rows(rng, case.points.shape[1])
    most = most_along(case, rows)
    assert most >= case.most()
    truth = case.inside + case.total - k * most
    assert proves(case, rows, truth - LOSS * case.paid, k)
    for share in (Fraction(1, 2**90), Fraction(1, 10**9), Fraction(1, 10)):
        assert not proves(case, rows, truth + share * max(case.paid, Fraction(1, 10**300)), k)
    optimum = ExactTruth.of(instance).optimum
    assert truth <= optimum
    assert not proves(case, rows, optimum + max(optimum, case.paid) / 10**6, k)


def test_axes_that_are_the_features_change_nothing() -> None:
    rng = np.random.default_rng(0)
    case = Case(rng.normal(size=(7, 3)), [1.0, 0.5, 2.0, 0.1, 0.3, 0.7, 1.1])
    truth = case.total - 2 * case.most()
    for order in itertools.permutations(range(3)):
        rows = (np.eye(3, dtype=np.int64)[list(order)] * ONE).tolist()
        assert proves(case, rows, truth - LOSS * case.paid, 2)
        assert not proves(case, rows, truth + Fraction(1, 10**9), 2)


# What is refused

POINTS = np.array(
    [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [5.0, 1.0, 0.0], [6.0, 1.0, 0.0], [20.0, 0.0, 1.0], [21.0, 0.0, 1.0]]
)
EYE = np.eye(3, dtype=np.int64) * ONE


LONGER = "axes along which distances may grow"


def row_sums_are_too_large(rows: np.ndarray) -> bool:
    listed = rows.tolist()
    return max(sum(abs(sum(map(int.__mul__, own, other))) for other in listed) for own in listed) > ONE**2


@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_the_norm_is_checked_to_the_last_digit_by_whole_arrays(seed: int) -> None:
    """Rows as long as they may be, and a unit or two beside that; entries whose products wrap around."""
    rng = np.random.default_rng([seed, 2])
    d = int(rng.integers(1, 40))
    data = Data(Doubles(np.zeros((2, d))), Doubles(np.ones(2)))
    refused = 0
    for _ in range(40):
        r = int(rng.integers(1, min(d, 16) + 1))
        rows = np.zeros((r, d), np.int64)
        if rng.random() < 0.5:
            rows[range(r), rng.permutation(d)[:r]] = ONE * rng.choice([-1, 1], r)
        else:
            rows = np.rint(ONE * np.linalg.qr(rng.normal(size=(d, d)))[0][:r]).astype(np.int64)
        rows.flat[int(rng.integers(rows.size))] += int(rng.choice([-(2**31), -(2**30), -2, -1, 0, 1, 2**31, 2**62]))
        is_long = row_sums_are_too_large(rows)
        refused += is_long
        with pytest.raises(VerificationError, match=LONGER) if is_long else contextlib.nullcontext():
            Axes(data, rows)
    assert refused > 5


def test_what_axes_take_is_asked_for_before() -> None:
    """Work that goes with axes, features and digits, and memory that goes with the digits that coordinates share."""
    points = np.vstack([np.random.default_rng(0).normal(size=(4, 3)), [1e120, 0.0, 0.0], [5e-324, 0.0, 0.0]])
    case = Case(points, [1.0] * 6)
    with account() as own, pytest.raises(VerificationError, match=TOO_MUCH):
        check_prices(case.data, case.state, case.payload(axes=EYE), fmpq(0), 2)
    assert own.charged > 6 * 9 * OF_AN_ITEM * case.data.points.bits // 64
    memory = Memory(6 * 5 * 300)
    check_prices(case.data, case.state, case.payload(axes=EYE), fmpq(-10), 2, memory)  # needs no search
    with pytest.raises(FormatError, match="axes: takes"):
        check_prices(case.data, case.state, case.payload(axes=EYE), fmpq(0), 2, memory)


# From points to proof


def flat(n: int, d: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Clusters in a plane that lies askew in many features, with a little noise around it."""
    rng = np.random.default_rng(seed)
    labels = np.arange(n) % 3
    inside = np.array([[0.0, 0.0], [30.0, 0.0], [0.0, 30.0]])[labels] + rng.normal(size=(n, 2))
    turn = np.linalg.qr(rng.normal(size=(d, d)))[0]
    return np.hstack([inside, 0.002 * rng.normal(size=(n, d - 2))]) @ turn + 10.0, labels


@pytest.mark.parametrize("d", [5, 9, 20])
def test_points_in_a_plane_are_certified_along_its_axes(tmp_path: Path, d: int) -> None:
    points, labels = flat(300, d)
    path = tmp_path / "run"
    result = pcsos.certify(points, labels, gap=1e-4, workers=1, run_file=path)
    assert (result.status, result.n_blocks) == (Status.OPTIMAL, 1)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        ((written,),) = connection.execute("SELECT payload FROM evidence WHERE kind = 'prices'").fetchall()
    prices, _, axes = read_prices(arrays(written), num_features=d)
    assert axes is not None
    assert verify(path, points, ([], []), n_clusters=3, gap=1e-4).status == "OPTIMAL"
    forged = encode_floats(prices) + encode_integers([]) + encode_integers(2 * axes)
    edit(path, ("UPDATE evidence SET payload = ? WHERE kind = 'prices'", (forged,)))
    with pytest.raises(VerificationError, match=LONGER):
        verify(path)
