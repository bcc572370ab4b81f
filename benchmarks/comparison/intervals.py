"""Ratios of times with a confidence interval: Student's, of the mean of the paired rounds' log ratios.

An interval of Student's t (Biometrika 1908; for few runs of a program: Georges, Buytaert and Eeckhout, OOPSLA 2007,
section 3.2) keeps its 95 % with six rounds, and more than these where some rounds were disturbed; a percentile
bootstrap covers less than 90 %. ``tests/test_comparison.py`` simulates both.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import t as student

CONFIDENCE = 0.95
#: Fewer rounds say nothing about how much they differ.
FEWEST_ROUNDS = 2


@dataclass(frozen=True)
class Interval:
    """A ratio of B to A, and between what it lies with the confidence that was asked for.

    Parameters
    ----------
    ratio, low, high : float
        Geometric mean of the rounds, and the ends of the interval.
    """

    ratio: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """What this says of B."""
        if self.low > 1.0:
            return "slower"
        return "faster" if self.high < 1.0 else "no difference seen"


def interval(of_a: ArrayLike, of_b: ArrayLike, number: int = 1) -> Interval:
    """Return the ratio of B to A, in an interval that holds with a confidence of 95 %.

    Parameters
    ----------
    of_a, of_b : array_like, shape (rounds,) or (cases, rounds)
        What the same rounds took on both sides. Of several cases the geometric mean is taken round by round first, so
        that what disturbs all cases of a round counts once.
    number : int
        How many intervals are to hold at once: each is widened by Bonferroni's rule, so that all of them hold with a
        confidence of 95 %.

    Examples
    --------
    >>> interval([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    Interval(ratio=1.0, low=1.0, high=1.0)
    """
    logs = np.log(np.asarray(of_b, dtype=float)) - np.log(np.asarray(of_a, dtype=float))
    rounds = np.atleast_2d(logs).mean(axis=0)
    if rounds.size < FEWEST_ROUNDS:
        raise ValueError(f"an interval takes at least {FEWEST_ROUNDS} rounds")
    mean, error = rounds.mean(), rounds.std(ddof=1) / math.sqrt(rounds.size)
    half = student.ppf(1.0 - (1.0 - CONFIDENCE) / (2.0 * number), rounds.size - 1) * error
    return Interval(*(float(np.exp(log)) for log in (mean, mean - half, mean + half)))
