"""Payloads: what evidence and problems hold is read as it was written, and refused where it says something else."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pcsos.evidence.codec import encode_floats, encode_integers
from pcsos.verify.errors import FormatError
from pcsos.verify.reading.arrays import Arrays
from pcsos.verify.reading.multipliers import read_multipliers
from pcsos.verify.reading.payloads import (
    MOST_STEPS,
    read_branching,
    read_children,
    read_decisions,
    read_forced,
    read_pair,
    read_part,
    read_penalty,
    read_prices,
    read_search,
)
from tests.blobs import arrays, plenty

PAIRS = encode_integers([[0, 1], [2, 3], [4, 0]])  # ML 2 4, CL 3 0
NO_AXES = encode_integers(np.empty((0, 2), int))


def test_what_follows_one_another_is_read_in_turn() -> None:
    multipliers = np.zeros(3, "<i4").tobytes() + encode_integers([7, 0, 0])
    both = arrays(PAIRS + multipliers)
    assert read_decisions(both, 5).tolist() == [[0, 1], [2, 3], [4, 0]]
    assert read_multipliers(both, 5, plenty()).triangle.tolist() == [7, 0, 0]
    both.finished()
    left = arrays(PAIRS + multipliers)
    read_decisions(left, 5)
    with pytest.raises(FormatError, match="longer than what is in it"):
        left.finished()
    left.skip()
    left.finished()


def test_cliques_are_those_of_their_decisions() -> None:
    decisions, cliques = read_forced(arrays(PAIRS + encode_integers([2, 0, 1, 0])), 5)
    assert decisions.shape == (3, 2)
    assert list(cliques) == [[0, 1], []]


def test_prices_have_knots_and_axes_or_none() -> None:
    prices, knots, axes = read_prices(arrays(encode_floats([1.0, -1.0]) + encode_integers([]) + NO_AXES))
    assert (prices.tolist(), knots.tolist(), axes) == ([1.0, -1.0], [], None)
    own = encode_floats([1.0, -1.0]) + encode_integers([2, 0, 1]) + encode_integers([[3, 4]])
    _, knots, axes = read_prices(arrays(own), size=2, num_features=2)
    assert knots.tolist() == [2, 0, 1]
    assert axes is not None
    assert axes.tolist() == [[3, 4]]


def test_small_payloads_are_read() -> None:
    assert read_pair(arrays(encode_integers([4, 1])), 5) == (4, 1)
    points, weights = read_part(arrays(encode_integers([1, 4]) + encode_floats([0.5, 2.0])), 5)
    assert (points.tolist(), weights.tolist()) == ([1, 4], [0.5, 2.0])
    assert read_penalty(arrays(encode_floats([-2.5]))) == -2.5
    assert read_branching(arrays(encode_integers([8, 9]) + encode_floats([]))) == (8, 9, None)
    assert read_branching(arrays(encode_integers([8, 9]) + encode_floats([0.5]))) == (8, 9, 0.5)
    assert read_children(arrays(encode_integers([9, 8]))).tolist() == [9, 8]
    assert read_search(arrays(encode_integers([0, 0, 1]))).tolist() == [0, 0, 1]


Read = Callable[[Arrays], Any]
WRONG: dict[str, tuple[Read, bytes, str]] = {
    "a pair of one": (lambda own: read_pair(own, 5), encode_integers([1]), "1 numbers instead of 2"),
    "a pair of the same": (lambda own: read_pair(own, 5), encode_integers([1, 1]), "not two points"),
    "a pair beyond": (lambda own: read_pair(own, 5), encode_integers([1, 5]), "not two points from 0 to 4"),
    "a pair below": (lambda own: read_pair(own, 5), encode_integers([-1, 2]), "not two points"),
    "a part of nothing": (lambda own: read_part(own, 5), encode_integers([]) + encode_floats([]), "not some points"),
    "a part that falls": (
        lambda own: read_part(own, 5), encode_integers([2, 1]) + encode_floats([1, 1]), "not some points"
    ),
    "a part beyond": (lambda own: read_part(own, 5), encode_integers([1, 5]) + encode_floats([1, 1]), "not some"),
    "a part without weight": (lambda own: read_part(own, 5), encode_integers([1]) + encode_floats([0]), "not some"),
    "a part with one weight": (lambda own: read_part(own, 5), encode_integers([1, 2]) + encode_floats([1]), "instead"),
    "decisions in two rows": (lambda own: read_decisions(own, 5), encode_integers([[1], [2]]), "not kinds and pairs"),
    "decisions of a third kind": (lambda own: read_decisions(own, 5), encode_integers([[2], [0], [1]]), "unknown kind"),
    "decisions beyond": (lambda own: read_decisions(own, 5), encode_integers([[0], [0], [5]]), "not from 0 to 4"),
    "decisions about one": (lambda own: read_decisions(own, 5), encode_integers([[0], [3], [3]]), "a point and itself"),
    "decisions too often": (
        lambda own: read_decisions(own, 5), encode_integers(np.zeros((3, 16), int)), "more than there can be"
    ),
    "a clique too few": (lambda own: list(read_forced(own, 5)[1]), PAIRS + encode_integers([1, 0]), "not one for each"),
    "a clique too many": (lambda own: list(read_forced(own, 5)[1]), PAIRS + encode_integers([0, 0, 0]), "more than"),
    "a clique cut off": (lambda own: list(read_forced(own, 5)[1]), PAIRS + encode_integers([0, 2, 1]), "not one for"),
    "a clique below 0": (lambda own: list(read_forced(own, 5)[1]), PAIRS + encode_integers([-1, 0]), "not one for"),
    "a clique beyond": (lambda own: list(read_forced(own, 5)[1]), PAIRS + encode_integers([0, 1, 5]), "not from 0"),
    "a part twice": (read_children, encode_integers([3, 3]), "a part that is there twice"),
    "three children": (read_branching, encode_integers([1, 2, 3]) + encode_floats([]), "3 numbers instead of 2"),
    "two penalties": (read_branching, encode_integers([1, 2]) + encode_floats([1, 2]), "more than there can be"),
    "a long search": (read_search, encode_integers(np.zeros(MOST_STEPS + 1, int)), "more than there can be"),
    "no knots": (read_prices, encode_floats([1.0]), "too short"),
    "long knots": (read_prices, encode_floats([1.0]) + encode_integers([2, 0, 0]) + NO_AXES, "more than there can be"),
    "more axes than features": (
        read_prices, encode_floats([1.0]) + encode_integers([]) + encode_integers([[1], [1]]), "axes: 2 of 1 features"
    ),
    "axes of others": (
        lambda own: read_prices(own, num_features=3),
        encode_floats([1.0]) + encode_integers([]) + encode_integers([[3, 4]]),
        "of 2 features, where there are 3",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("read", "payload", "reason"), WRONG.values(), ids=WRONG)
def test_what_says_something_else_is_refused(read: Read, payload: bytes, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        read(arrays(payload))
