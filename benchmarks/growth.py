"""By how much the memory in use of a process grows that solves many instances of every kind."""

import ctypes
import gc
import os
import sys
import time

import numpy as np
from scipy.stats import linregress

import pcsos
from benchmarks.case import Row
from benchmarks.process import run_process
from benchmarks.soak.draw import KINDS, Drawn, draw
from pcsos.bounds.relaxation.cutting_plane import relaxation_warm_ups
from pcsos.heuristics.warm_ups import warm_ups_for
from pcsos.search.warm_up import BLOCKS, PRICES

#: Solves before the first that counts: by then the heap has its shape; it follows the largest instances so far.
WARM_UP = 1000
#: Without Python's own pools, of which the C library would not tell; and the most seconds of such a process.
BY_MALLOC, LONGEST = {"PYTHONMALLOC": "malloc"}, 1200.0


def grown(seed: int, solves: int) -> Row:
    """Solve instances of every kind, in a process without Python's own pools; return the slope of the memory in use."""
    if os.environ.get("PYTHONMALLOC") != "malloc":
        command = [sys.executable, "-m", "benchmarks.child", "memory"]
        return run_process(command, {"seed": seed, "solves": solves}, LONGEST, os.environ | BY_MALLOC)
    began, rng, used = time.perf_counter(), np.random.default_rng(seed), []
    load_kernels()
    for number in range(solves):
        solve(draw(rng, "small" if number % 10 else "medium", KINDS[number % len(KINDS)]))
        gc.collect()
        used.append(used_kb())
    own = used[min(WARM_UP, solves // 2) :]
    slope = float(linregress(np.arange(len(own)), own).slope)
    return {"solves": len(own), "kb_a_solve": slope, "seconds": round(time.perf_counter() - began, 1)}


def solve(about: Drawn) -> pcsos.Result:
    """Solve a drawn instance through the Python interface."""
    soft_must = [(i, j, apart) for i, j, apart, _ in about.soft if apart]
    soft_cannot = [(i, j, together) for i, j, _, together in about.soft if together]
    return pcsos.solve(
        pcsos.Gram(about.points @ about.points.T) if about.kind == "gram" else about.points,
        about.n_clusters,
        must_link=about.must_link,
        cannot_link=about.cannot_link,
        weights=about.weights,
        workers=1,
        time_limit=2.0,
        **about.limits,
        conditions=[pcsos.SoftPairs(soft_must, soft_cannot)],
    )


def load_kernels() -> None:
    """Load every compiled kernel, so that none that is rarely needed comes late, some megabytes at once."""
    for warm_up in (*warm_ups_for(None), *relaxation_warm_ups(is_plain=False), PRICES, BLOCKS):
        warm_up.call()


def used_kb() -> float:
    """Return what this process has allocated and not freed, as mallinfo2(3) of the GNU C library tells it."""
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = _Mallinfo
    found = mallinfo()
    return float(found.values[4] + found.values[7]) / 1024  # in mappings of their own, and on the heap


class _Mallinfo(ctypes.Structure):
    """What mallinfo2 returns: ten sizes."""

    _fields_ = (("values", ctypes.c_size_t * 10),)
