"""Earners: integers of many points at a time are what rational numbers say, whatever the sizes of the numbers."""

from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq

from pcsos.verify.boxes import PRICE_BITS, RATE_BITS, REACH_BITS, SCALE
from pcsos.verify.doubles import Doubles, power
from pcsos.verify.prices import LARGEST_SHIFT, PLACE_BITS, Digits, Units, _log, _places, values_of
from pcsos.verify.state import Groups
from tests.slow import first_few

LEAST, LARGEST = 5e-324, float(np.finfo(float).max)


def extreme(rng: np.random.Generator, size: int) -> np.ndarray:
    """Positive numbers of all sizes, denormal ones too."""
    numbers = rng.uniform(1.0, 2.0, size) * np.exp2(rng.uniform(-1080, 1020, size))
    numbers[rng.random(size) < 0.2] = rng.choice([LEAST, 3 * LEAST, LARGEST, 1.0, 2.0**-1022, 2.0**52], 1)
    return np.maximum(numbers, LEAST)


def alike(rng: np.random.Generator, size: int) -> np.ndarray:
    """Positive numbers of about one size, some of them powers of two."""
    numbers = rng.uniform(0.1, 9.0, size) * np.exp2(rng.integers(-300, 300))
    return np.where(rng.random(size) < 0.3, np.exp2(np.round(np.log2(numbers))), numbers)


def integers(price: fmpq, weight: fmpq, num_features: int) -> tuple[int, int, int, int]:
    """Return price, mantissa of the weight per 4^s, its exponent beyond SCALE, and s, in rational numbers."""
    weight = min(weight, price * power(-RATE_BITS))
    shift = min(_log(price * power(-RATE_BITS) / weight) // 2, LARGEST_SHIFT)
    raised = price * (1 + num_features * power(-RATE_BITS // 2 + 1 - shift))
    weight *= power(2 * shift)
    exponent = min(REACH_BITS - 1 - _log(weight), SCALE + 62)
    return int(raised.ceil()), int((weight * power(exponent)).floor()), exponent - SCALE, shift


@pytest.mark.parametrize("drawn", [extreme, alike])
@pytest.mark.parametrize("seed", first_few(10, range(20)))
def test_values_are_those_of_rational_numbers(seed: int, drawn: object) -> None:
    rng = np.random.default_rng(seed)
    price, weight, d = Doubles(drawn(rng, 60)), Doubles(drawn(rng, 60)), int(rng.integers(1, 17))  # type: ignore[operator]
    total = sum(price, fmpq(0))
    units = Units(int(rng.integers(-1000, 900)), _log(total) + 1 - PRICE_BITS)
    found = values_of(Digits(*price.digits()), Digits(*weight.digits()), units, d)
    unit, rate = power(units.profit), power(2 * units.length - units.profit)
    exact = [integers(p / unit, e * rate, d) for p, e in zip(price, weight, strict=True)]
    np.testing.assert_array_equal(found[1:].T, np.array(exact)[:, 1:])
    raised = found[0] - np.array(exact)[:, 0]
    assert ((raised >= 0) & (raised <= 1)).all()
    assert found[0].sum() < 1 << (PRICE_BITS + 1)


@pytest.mark.parametrize("offset", [0.0, 1.0, 1e9, -3e15, 1e300])
@pytest.mark.parametrize("seed", range(12))
def test_places_are_where_coordinates_are(seed: int, offset: float) -> None:
    rng = np.random.default_rng(seed)
    size = 10.0 ** rng.integers(-310, 300)
    numbers = np.concatenate([offset + size * rng.normal(size=40), [offset, offset + size, offset - size]])
    numbers = np.concatenate([numbers, rng.choice([LEAST, -LEAST, 0.0, -0.0], 5)])
    columns = Doubles(numbers[:, None])
    (low,), (high,) = columns.corners()
    means = {0: (fmpq(1), [low - (high - low) / 3]), 7: (fmpq(1), [low + (high - low) * fmpq(2, 7)])}
    where = [row[0] for row in columns]
    if seed % 2:  # some are means of several points
        low = means[0][1][0]
        for at, (_, (place,)) in means.items():
            where[at] = place
    length = _log(high - low) + 1 - PLACE_BITS
    places = _places(columns, means if seed % 2 else {}, (0, low, high), Units(length, 0))
    side = ((high - low) / power(length)).ceil()
    for place, number in zip(places.tolist(), where, strict=True):
        assert abs(place - (number - low) / power(length)) <= fmpq(3, 4)
        assert 0 <= place <= side < 1 << PLACE_BITS


@pytest.mark.parametrize("seed", first_few(3, range(10)))
def test_sums_are_exact(seed: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = extreme(rng, 300) * rng.choice([-1.0, 1.0], 300) * rng.choice([0.0, 1.0], 300)
    for own in (numbers, numbers[:0], np.full(70_000, 0.1), rng.normal(size=70_000)):
        expected = sum(map(Fraction, own.tolist()), Fraction(0))
        assert Doubles(own).total() == fmpq(expected.numerator, expected.denominator)


def test_groups_know_their_first_points_and_sizes() -> None:
    groups = Groups([[3], [1, 2], [0, 4, 5]])
    assert groups.firsts.tolist() == [3, 1, 0]
    assert groups.sizes.tolist() == [1, 2, 3]
