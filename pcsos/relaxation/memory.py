"""Memory: does a relaxation fit into it."""

import os

from pcsos.exceptions import InputError

#: Matrices of size s x s that a run holds at once, at most.
MATRICES = 60


def refuse_too_large(size: int) -> None:
    """Raise an :class:`InputError` if a relaxation cannot fit into memory, before anything is spent on it."""
    needed = MATRICES * 8.0 * size**2
    if hasattr(os, "sysconf") and needed > (memory := float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))):
        raise InputError(
            f"bounding {size} super-points needs about {needed / 1e9:.0f} GB and there are {memory / 1e9:.0f} GB; "
            "use another method (pcsos heuristic --method s-mdeclust), or a sample of the points"
        )
