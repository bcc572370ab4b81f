"""Honest certificates, a file a subject."""

from tests.conformance.certificate import Certificate
from tests.conformance.honest import (
    arrays,
    closings,
    covers,
    cuts,
    grams,
    infeasible,
    limits,
    prices,
    soft,
    solved,
    steps,
    trees,
)

SUBJECTS = (trees, closings, prices, infeasible, steps, limits, soft, cuts, covers, grams, arrays)


def by_hand() -> list[Certificate]:
    """Those whose every number is written down, which are the same wherever they are made."""
    return [own for subject in SUBJECTS for own in subject.CERTIFICATES]


def by_solver() -> list[Certificate]:
    """Those that the program makes: other processors may round their multipliers otherwise."""
    return solved.certificates()
