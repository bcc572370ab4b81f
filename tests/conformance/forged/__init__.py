"""Forgeries, a file a subject."""

from tests.conformance.forged import (
    arrays,
    claims,
    conditions,
    covers,
    cuts,
    database,
    grams,
    harmless,
    instance,
    prices,
    steps,
    trees,
)
from tests.conformance.forgery import Forgery

SUBJECTS = (database, instance, arrays, claims, trees, steps, cuts, prices, conditions, covers, grams, harmless)


def everything() -> list[Forgery]:
    """All forgeries."""
    return [own for subject in SUBJECTS for own in subject.FORGERIES]
