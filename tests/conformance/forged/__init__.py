"""Forgeries, a file a subject."""

from tests.conformance.forged import (
    arrays,
    claims,
    conditions,
    covers,
    cuts,
    database,
    deductions,
    grams,
    harmless,
    instance,
    leaves,
    outliers,
    prices,
    trees,
    weights,
)
from tests.conformance.forgery import Forgery

SUBJECTS = (
    database,
    instance,
    arrays,
    claims,
    trees,
    leaves,
    deductions,
    cuts,
    prices,
    conditions,
    weights,
    outliers,
    covers,
    grams,
    harmless,
)


def everything() -> list[Forgery]:
    return [own for subject in SUBJECTS for own in subject.FORGERIES]
