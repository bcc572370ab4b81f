"""Honest certificates, a file a subject; ``solved`` has those that the program makes."""

from functools import cache

from tests.conformance.certificate import Certificate
from tests.conformance.honest import (
    arrays,
    covers,
    cuts,
    deductions,
    grams,
    infeasible,
    leaves,
    limits,
    outliers,
    prices,
    soft,
    trees,
    weights,
)

SUBJECTS = (trees, leaves, prices, infeasible, deductions, limits, outliers, soft, cuts, weights, covers, grams, arrays)


def by_hand() -> list[Certificate]:
    """Those whose every number is written down, which are the same wherever they are made."""
    return [own for subject in SUBJECTS for own in subject.CERTIFICATES]


@cache
def named(name: str) -> Certificate:
    (found,) = (own for own in by_hand() if own.name == name)
    return found
