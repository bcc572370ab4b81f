"""The bytes of a run file: arrays and multipliers come back as they were written."""

import numpy as np
import pytest

from pcsos.base.exceptions import FormatError
from pcsos.evidence.codec import decode_multipliers as decode
from pcsos.evidence.codec import encode_floats, encode_integers, encode_multipliers
from pcsos.evidence.multipliers import Cuts, Multipliers, quantise
from tests.blobs import arrays, decode_array, plenty
from tests.evidence.conftest import plain, some_multipliers


@pytest.mark.parametrize(
    "values",
    [[], [0], [0, 0, 0], [1, -1], [-(2**63), 2**63 - 1], list(range(-300, 300)), [2**40] * 5, [[1, 2], [3, -4]]],
)
@pytest.mark.parametrize("differences", [False, True])
def test_integers_come_back(values: list[int], differences: bool) -> None:
    found = decode_array(encode_integers(values, differences=differences))
    assert found.dtype == np.int64
    assert found.tolist() == values


def test_floats_come_back_bit_by_bit() -> None:
    values = np.array([[0.0, -0.0, 1.7e308], [5e-324, -5e-324, -1.0 / 3.0]])
    assert decode_array(encode_floats(values)).tobytes() == values.tobytes()


def test_sorted_integers_take_little_room() -> None:
    assert len(encode_integers(np.arange(10_000) * 3, differences=True)) < 100


def decode_multipliers(data: bytes) -> Multipliers:
    return decode(arrays(data), 100, plenty())


@pytest.mark.parametrize("tolerance", [0.0, 1e-300, 1e-12, 1e-3, 1.0, 1e3])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e200])
def test_rounding_twice_is_rounding_once(tolerance: float, scale: float) -> None:
    given = some_multipliers(3)
    given = Multipliers(given.box * scale, given.cuts, given.weights * scale)
    once = quantise(given, tolerance=tolerance)
    assert plain(quantise(once, tolerance=tolerance)) == plain(once)
    assert plain(decode_multipliers(encode_multipliers(once))) == plain(once)


def test_rounding_keeps_within_the_tolerance_and_makes_everything_valid() -> None:
    given = some_multipliers(4)
    box = given.box.copy()
    box[0, 1] += 0.25
    weights = np.array([0.3, -1.0, 2.0, 1e-9])
    found = quantise(Multipliers(box, given.cuts, weights), tolerance=1e-3)
    assert np.abs(found.box - (box + box.T) / 2).max() <= 0.5e-3
    assert np.linalg.norm(found.box - (box + box.T) / 2, 2) <= 1e-3
    assert (found.weights > 0.0).all()
    # The negative and the vanishing multiplier are gone; the others are sorted by size, members too.
    assert found.cuts.centre.tolist() == [3, -1]
    assert found.cuts.members.tolist() == [1, 2, 0, 2, 5]


def test_coarser_rounding_takes_less_room() -> None:
    sizes = [len(encode_multipliers(quantise(some_multipliers(5, 60), tolerance=t))) for t in (1e-9, 1e-6, 1e-3)]
    assert sizes[0] > 1.2 * sizes[1] > 1.44 * sizes[2]


def test_multipliers_that_were_not_rounded_are_refused() -> None:
    given = some_multipliers(6)
    box = given.box.copy()
    box[2, 2] = 1e-30
    with pytest.raises(ValueError, match="too many bits"):
        encode_multipliers(Multipliers(box, given.cuts, given.weights))
    with pytest.raises(ValueError, match="not symmetric"):
        encode_multipliers(Multipliers(np.array([[0.0, 1.0], [0.0, 0.0]]), Cuts.none(), np.empty(0)))


@pytest.mark.parametrize(
    ("centre", "members"),
    [
        (3, [3, 1]),
        (0, [1, 1]),
        (-1, [2]),
        (-3, [0, 1]),
        (-4 - 2 * 1, [2, 3]),
        (-4 - 2 * 1, [0, 1]),
        (-4 - 2 * 1, [0, 0]),
        (-4 - 2 * 6, [0]),
        (-4 - 2 * (6 + 1), [1]),
        (-5 - 2 * 1, [2]),
        (-5 - 2 * 1, [0, 1, 2]),
        (-4 - 2 * (36 + 1), [1]),
    ],
)
def test_cuts_that_no_relaxation_has_are_refused_before_any_kernel_sees_them(centre: int, members: list[int]) -> None:
    cuts = Cuts(np.array([centre], np.int32), np.array([0, len(members)]), np.array(members, np.int32))
    data = encode_multipliers(Multipliers(np.zeros((6, 6)), cuts, np.ones(1)))
    with pytest.raises(FormatError, match=r"^multipliers: a cut"):
        decode_multipliers(data)
