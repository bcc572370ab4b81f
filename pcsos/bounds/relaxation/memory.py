"""Memory: does a relaxation fit into it."""

import os

from pcsos.base.exceptions import InputError

#: Matrices of size s x s that a run holds at once, at most.
MATRICES = 60


def shortage(size: int, at_once: int = 1) -> str:
    """Return in words what so many relaxations of this size need and there is not; empty where memory holds them."""
    needed = MATRICES * 8.0 * size**2 * at_once
    if hasattr(os, "sysconf") and needed > (memory := float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))):
        return f"{size} super-points at once needs about {needed / 1e9:.0f} GB and there are {memory / 1e9:.0f} GB"
    return ""


def refuse_too_large(size: int) -> None:
    """Raise an :class:`InputError` if a relaxation cannot fit into memory, before anything is spent on it."""
    if lacking := shortage(size):
        raise InputError(
            f"bounding {lacking}; use another method (pcsos heuristic --method s-mdeclust), or a sample of the points"
        )
