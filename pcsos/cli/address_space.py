"""The address space that linear algebra needs: with less, OpenBLAS asks for its buffers for ever, deaf to Ctrl-C."""

import os

from pcsos.control.cores import cores
from pcsos.exceptions import PcsosError

#: Loading the program takes so many MB of address space, and each thread of linear algebra so many more: the OpenBLAS
#: of NumPy and that of SciPy keep a buffer for each. It hung at 480 MB with one thread, and at 560 MB with two.
PROGRAM_MB, THREAD_MB = 470, 80
#: The variable in which OpenBLAS finds its number of threads; without it, as many as there are cores.
THREADS_VARIABLE = "OPENBLAS_NUM_THREADS"
#: Commands that load no solver.
LIGHT = frozenset({"verify", "compare"})


def refuse_tight_address_space(command: str) -> None:
    """Refuse to load a solver under a limit of the address space (``ulimit -v``) that is too low for it.

    Raises
    ------
    PcsosError
        If it is; the sentence names the limit, and what is needed.
    """
    limit, threads = limit_mb(), num_threads()
    needed = PROGRAM_MB + THREAD_MB * threads
    if command in LIGHT or limit is None or limit >= needed:
        return
    remedy = f" or set {THREADS_VARIABLE}=1" if threads > 1 else ""
    number = "one thread" if threads == 1 else f"{threads} threads"
    raise PcsosError(
        f"the address space is limited to {limit:.0f} MB (ulimit -v), and linear algebra with {number} needs "
        f"{needed} MB; raise the limit{remedy}"
    )


def limit_mb() -> float | None:
    """Return the limit of the address space; None where there is none, or no way to know."""
    try:
        import resource  # not on Windows
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    return None if limit == resource.RLIM_INFINITY else limit / 2**20


def num_threads() -> int:
    """Return how many threads OpenBLAS starts: no more than there are cores."""
    asked = os.environ.get(THREADS_VARIABLE, "")
    return min(int(asked), cores()) if asked.isdecimal() and int(asked) else cores()
