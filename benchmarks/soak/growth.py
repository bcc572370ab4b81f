"""``python -m benchmarks.soak.growth``: solve many instances in one process, and see by how much its memory grows."""

import argparse
import gc
import json
import subprocess
import sys

import numpy as np
from numpy.typing import NDArray

import pcsos
from benchmarks.case import Row
from benchmarks.machine import memory_kb
from benchmarks.soak.draw import KINDS, Drawn, drawn

#: Solves before the first that counts (until then kernels of every kind are loaded and the heap takes its shape), and
#: in all.
WARM_UP, SOLVES = 250, 700
#: Memory comes and goes by megabytes, so that neighbouring solves tell the same: the means of so many are what counts.
BLOCK = 25
#: One in so many instances is a medium one.
MEDIUM_EVERY = 10


def measured(seed: int, solves: int = SOLVES) -> Row:
    """Return what a fresh process says about its memory after so many solves."""
    command = [sys.executable, "-m", "benchmarks.soak.growth", "--seed", str(seed), "--solves", str(solves)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def slope_of_means(values: NDArray[np.float64], block: int = BLOCK) -> tuple[float, float]:
    """Return the slope of values against their number, and its standard error, by the means of blocks of them."""
    means = values[: len(values) // block * block].reshape(-1, block).mean(axis=1)
    a, error = slope(means)
    return a / block, error / block


def slope(values: NDArray[np.float64]) -> tuple[float, float]:
    """Return the slope of values against their number, by least squares, and its standard error."""
    x = np.arange(len(values)) - (len(values) - 1) / 2
    a = float(x @ values / (x @ x))
    rest = values - values.mean() - a * x
    return a, float(np.sqrt(rest @ rest / max(len(values) - 2, 1) / (x @ x)))


def solve_all(seed: int, solves: int) -> Row:
    """Solve instances of every kind in this process; return memory before and after, and its slope."""
    rng = np.random.default_rng(seed)
    kilobytes = []
    for number in range(solves):
        size = "medium" if number % MEDIUM_EVERY == 0 else "small"
        solve(drawn(rng, size, KINDS[number % len(KINDS)]))
        gc.collect()
        kilobytes.append(memory_kb("VmRSS"))
    counted = np.array(kilobytes[min(WARM_UP, solves // 2) :], float)
    a, error = slope_of_means(counted, min(BLOCK, max(1, len(counted) // 4)))
    return {
        "solves": len(counted), "first_mb": counted[0] / 1024, "last_mb": counted[-1] / 1024,
        "kb_a_solve": a, "kb_error": error,
    }  # fmt: skip


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
