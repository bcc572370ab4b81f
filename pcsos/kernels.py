"""Whether the compiled kernels are there yet: the first run on a machine has to wait for them."""

from pathlib import Path

FIRST_RUN = "the first run after an installation compiles the kernels, which takes about half a minute, once"


def are_compiled() -> bool:
    """Tell whether an earlier run has left compiled kernels behind; one of them stands for all."""
    from pcsos.assignment.region_kernels import grow_regions

    stats = getattr(grow_regions, "stats", None)  # missing where numba is told not to compile at all
    if stats is None:
        return True
    return any(Path(stats.cache_path or "").glob("region_kernels.grow_regions-*.nbi"))
