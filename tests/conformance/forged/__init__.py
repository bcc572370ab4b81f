"""Forgeries, a file a subject."""

from tests.conformance.forgery import Forgery


def everything() -> list[Forgery]:
    """All forgeries."""
    return []
