"""Whether the compiled kernels are there yet: the first run on a machine has to wait for them."""

from pathlib import Path

FIRST_RUN = "the first run after an installation compiles the kernels, which takes about half a minute, once"


def are_compiled() -> bool:
    """Tell whether an earlier run has left compiled kernels behind; one of them stands for all."""
    from pcsos.assignment.region_kernels import grow_regions

    name = f"{Path(grow_regions.py_func.__code__.co_filename).stem}.{grow_regions.py_func.__name__}"
    return any(Path(grow_regions.stats.cache_path).glob(f"{name}-*.nbi"))
