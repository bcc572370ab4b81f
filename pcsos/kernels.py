"""Whether the compiled kernels are there yet: the first run on a machine has to wait for them."""

import sys
from pathlib import Path

FIRST_RUN = "the first run after an installation compiles the kernels, which takes about half a minute, once"


def are_compiled() -> bool:
    """Tell whether an earlier run of this version has left compiled kernels behind, whichever they are."""
    from pcsos.assignment import region_kernels

    stats = getattr(region_kernels.grow_regions, "stats", None)  # missing where numba is told not to compile at all
    if stats is None:
        return True
    kernels = Path(stats.cache_path or "").glob(f"*.py{sys.version_info.major}{sys.version_info.minor}.nbi")
    installed = Path(region_kernels.__file__).stat().st_mtime
    return any(kernel.stat().st_mtime >= installed for kernel in kernels)
