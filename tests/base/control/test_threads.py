"""Threads: shares of a range, in order, in as many threads as are allowed."""

import threading

import numpy as np
import pytest

from pcsos.base.control.threads import in_shares, use_threads
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.families.stars import BLOCK, BLOCKS
from pcsos.bounds.relaxation.separation import separate
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance


def test_one_thread_takes_everything() -> None:
    assert in_shares(lambda share: share, 10, 1) == [slice(0, 10)]


@pytest.mark.parametrize(("size", "least", "expected"), [(10, 2, [3, 3, 4]), (10, 4, [5, 5]), (7, 4, [7]), (0, 1, [0])])
def test_shares_cover_the_range_and_are_not_too_small(size: int, least: int, expected: list[int]) -> None:
    with use_threads(3):
        shares = in_shares(lambda share: share, size, least)
    assert [share.stop - share.start for share in shares] == expected
    assert [i for share in shares for i in range(share.start, share.stop)] == list(range(size))


def test_shares_are_done_at_the_same_time_and_only_within() -> None:
    meeting = threading.Barrier(3, timeout=200.0)
    with use_threads(3):
        in_shares(lambda share: meeting.wait(), 3, 1)
    assert len(in_shares(lambda share: share, 3, 1)) == 1


def test_a_share_that_fails_fails() -> None:
    def fail(share: slice) -> None:
        if share.start > 0:
            raise ValueError("the second")

    with use_threads(2), pytest.raises(ValueError, match="the second"):
        in_shares(fail, 2, 1)


@pytest.mark.slow
def test_separation_finds_the_same_in_several_threads() -> None:
    rng = np.random.default_rng(0)
    r = peng_wei.build(reduce_instance(Instance(rng.random((2 * BLOCKS * BLOCK + 1, 2)), 3)))
    y = rng.random((r.size, r.size)) / r.size
    y += y.T
    one = separate(r, y, Cuts.none(), 1e-3, 10**6)
    with use_threads(2):
        two = separate(r, y, Cuts.none(), 1e-3, 10**6)
    assert len(one[0]) > r.size
    np.testing.assert_array_equal(one[1], two[1])
    np.testing.assert_array_equal(one[0].members, two[0].members)
