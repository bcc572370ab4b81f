"""The memory that linear algebra needs: with less, OpenBLAS asks for its buffers for ever, deaf to Ctrl-C."""

import os

from pcsos.base.control.threads import cores
from pcsos.base.exceptions import PcsosError

#: A solve of iris takes 500 and 165 MB, and each thread of linear algebra 80 more, with a buffer of 32 MB in the
#: OpenBLAS of NumPy and one in that of SciPy; the rest is for what a problem of some size takes.
#: These are the limits: what is limited, how ``ulimit`` and the module ``resource`` call it, and the MB of the program.
LIMITS = (("address space", "-v", "RLIMIT_AS", 560), ("data segment", "-d", "RLIMIT_DATA", 220))
THREAD_MB = 80
#: Part of that is the stack of a thread in each of the two, of the usual size; larger ones come on top.
STACK_MB, NUM_STACKS = 8, 2
#: Variables in which OpenBLAS finds its number of threads; without them, as many as there are cores, up to its most.
VARIABLES, MOST_THREADS = ("OPENBLAS_NUM_THREADS", "GOTO_NUM_THREADS", "OMP_NUM_THREADS"), 64
#: Commands that load no solver.
LIGHT = frozenset({"verify", "compare"})
#: A product of matrices with so many rows takes a buffer.
ROWS = 300


def refuse_tight_address_space(command: str) -> None:
    """Refuse to load a solver under a limit that is too low for it; under any other take what OpenBLAS needs now."""
    limits = {limit: mb for limit in LIMITS if (mb := limit_mb(limit[2])) is not None}
    if command in LIGHT or not limits:
        return
    threads = num_threads()
    number = "one thread" if threads == 1 else f"{threads} threads"
    remedy = f" or set {VARIABLES[0]}=1" if threads > 1 else ""
    for (what, option, _, program_mb), mb in limits.items():
        needed = program_mb + threads * mb_a_thread()
        if mb < needed:
            raise PcsosError(
                f"the {what} is limited to {mb:.0f} MB (ulimit {option}), and linear algebra with {number} "
                f"needs {needed:.0f} MB; raise the limit{remedy}"
            )
    take_buffers()


def take_buffers() -> None:
    """Have both OpenBLAS take their buffers, which they keep, while there is room for them."""
    import numpy as np
    from scipy.linalg.blas import dgemm

    square = np.ones((ROWS, ROWS))
    dgemm(1.0, square @ square, square)


def limit_mb(name: str) -> float | None:
    """Return a limit of this process; None where there is none, or no way to know."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    which = getattr(resource, name, None)
    limit = resource.RLIM_INFINITY if which is None else resource.getrlimit(which)[0]
    return None if limit == resource.RLIM_INFINITY else limit / 2**20


def mb_a_thread() -> float:
    """Return what a thread of linear algebra takes."""
    return THREAD_MB + NUM_STACKS * max((limit_mb("RLIMIT_STACK") or 0.0) - STACK_MB, 0.0)


def num_threads() -> int:
    """Return how many threads OpenBLAS starts: no more than there are cores."""
    asked = [int(text) for name in VARIABLES if (text := os.environ.get(name, "")).isdecimal() and int(text) > 0]
    return min(*asked[:1], cores(), MOST_THREADS)
