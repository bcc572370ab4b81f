"""``python -m benchmarks.soak.growth``: solve many instances in one process, and see by how much its memory grows.

Two measures: what the process holds (resident), which follows the largest instances so far and how the heap happens to
be cut up, and what of it is in use (allocated and not freed), which alone tells of what is never given back.
"""

import argparse
import ctypes
import gc
import json
import math
import os
import subprocess
import sys

import numpy as np
from numpy.typing import ArrayLike
from scipy.stats import linregress

import pcsos
from benchmarks.case import Row
from benchmarks.machine import memory_kb
from benchmarks.soak.draw import KINDS, Drawn, drawn
from pcsos.bounds.relaxation.warm_ups import relaxation_warm_ups
from pcsos.heuristics.warm_ups import warm_ups_for
from pcsos.search.blocks.warm_ups import BLOCKS
from pcsos.search.prices.warm_ups import PRICES

#: Solves before the first that counts, and in all. By then all kernels are loaded, and the heap has its shape:
#: it grows, ever more slowly, with the largest instances so far, by some 2 MB in the first thousand solves.
WARM_UP, SOLVES = 1000, 6000
#: One in so many instances is a medium one.
MEDIUM_EVERY = 10


def measured(seed: int, solves: int = SOLVES) -> Row:
    """Return what a fresh process says about its memory after so many solves."""
    command = [sys.executable, "-m", "benchmarks.soak.growth", "--seed", str(seed), "--solves", str(solves)]
    all_by_malloc = os.environ | {"PYTHONMALLOC": "malloc"}  # of the pools of Python's own, malloc would not tell
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=all_by_malloc)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def solve_all(seed: int, solves: int) -> Row:
    """Solve instances of every kind in this process; return memory before and after, and its slope.

    No error of the slope is told: memory comes and goes by steps that last, so that within a process neighbouring
    solves tell the same. Only the slopes of several processes tell how uncertain they are.
    """
    rng = np.random.default_rng(seed)
    load_kernels()
    resident, used = [], []
    for number in range(solves):
        size = "medium" if number % MEDIUM_EVERY == 0 else "small"
        solve(drawn(rng, size, KINDS[number % len(KINDS)]))
        gc.collect()
        resident.append(memory_kb("VmRSS"))
        used.append(used_kb())
    held, in_use = (np.array(kilobytes[min(WARM_UP, solves // 2) :], float) for kilobytes in (resident, used))
    return {
        "solves": len(held), "first_mb": held[0] / 1024, "last_mb": held[-1] / 1024, "kb_a_solve": slope(held),
        "used_kb_a_solve": slope(in_use),
    }  # fmt: skip


def used_kb() -> float:
    """Return what this process has allocated by malloc and not freed; NaN where the C library does not tell."""
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2  # of the GNU C library, from 2.33 on
    except (AttributeError, OSError, TypeError):
        return math.nan
    mallinfo.restype = _Mallinfo
    found = mallinfo()
    return float(found.uordblks + found.hblkhd) / 1024


class _Mallinfo(ctypes.Structure):
    """What mallinfo(3) returns: ``uordblks`` bytes are in use on the heap, ``hblkhd`` in mappings of their own."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks"),
            *("uordblks", "fordblks", "keepcost"),
        )
    )


def load_kernels() -> None:
    """Load every compiled kernel, so that none that is rarely needed comes late, some megabytes at once."""
    for warm_up in (*warm_ups_for(None), *relaxation_warm_ups(has_limits=True), PRICES, BLOCKS):
        warm_up.call()


def slope(values: ArrayLike) -> float:
    """Return the slope of values against their number, by least squares."""
    return float(linregress(np.arange(np.size(values)), values).slope)


def solve(about: Drawn) -> pcsos.Result:
    """Solve an instance through the Python interface."""
    soft_must = [(i, j, apart) for i, j, apart, _ in about.soft if apart]
    soft_cannot = [(i, j, together) for i, j, _, together in about.soft if together]
    points = about.points if about.kind != "gram" else None
    return pcsos.solve(
        points, about.n_clusters, must_link=about.must_link, cannot_link=about.cannot_link, weights=about.weights,
        gram=about.points @ about.points.T if points is None else None, soft_must_link=soft_must,
        soft_cannot_link=soft_cannot, workers=1, time_limit=2.0, **about.limits,
    )  # fmt: skip


def main() -> None:
    """Print the memory as JSON."""
    command = argparse.ArgumentParser(prog="python -m benchmarks.soak.growth", description=__doc__)
    command.add_argument("--seed", type=int, default=0)
    command.add_argument("--solves", type=int, default=SOLVES)
    options = command.parse_args()
    print(json.dumps(solve_all(options.seed, options.solves)))


if __name__ == "__main__":
    main()
