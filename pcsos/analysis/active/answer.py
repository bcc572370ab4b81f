"""Answers: what somebody said about a pair of points."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.problem.validation.arrays import is_whole_number


class Answer(NamedTuple):
    """A question and its answer.

    Attributes
    ----------
    i, j : int
        The points, by their indices.
    same : bool or None
        Whether they belong together; None where whoever was asked does not know.
    """

    i: int
    j: int
    same: bool | None


def checked(pair: object, same: object, n_points: int) -> Answer:
    """Return a pair of points and what was said about it.

    Raises
    ------
    InputError
        If it is no pair of different points, or no answer.
    """
    listed = list(pair) if isinstance(pair, Sequence | np.ndarray) and not isinstance(pair, str | bytes) else []
    if len(listed) != 2 or not all(map(is_whole_number, listed)):
        raise InputError(f"pair is {pair!r}; give two point indices such as (0, 5)")
    i, j = map(int, listed)
    if not (0 <= i < n_points and 0 <= j < n_points):
        raise InputError(f"pair is {(i, j)}, but point indices go from 0 to {n_points - 1}; correct the index")
    if i == j:
        raise InputError(f"pair is {(i, j)}, one point twice; give two different points")
    if same is not None and not isinstance(same, bool | np.bool_):
        raise InputError(f"the answer about {(i, j)} is {same!r}; give True, False or None")
    return Answer(i, j, None if same is None else bool(same))
