"""Arithmetic that is the same on every processor: exact where it can be, and compared across kinds of processors."""

import math
import os
import subprocess
import sys
from decimal import Decimal, localcontext
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from pcsos.base.numerics import portable
from pcsos.problem.conditions.soft_pairs import value_of
from pcsos.problem.similarity import kernel_alone, kernel_between, kernel_matrix

RNG = np.random.default_rng(5)
POINTS = RNG.normal(size=(300, 7))


def test_inner_products_and_distances_are_sums_in_the_order_of_the_features() -> None:
    others = RNG.normal(size=(41, 7))
    for function, term in (
        (portable.inner_products_of, lambda a, b: a * b),
        (portable.squared_distances, lambda a, b: (a - b) ** 2),
    ):
        matrix = function(POINTS, others)
        for i, j in ((0, 0), (299, 40), (17, 3)):
            total = 0.0
            for a, b in zip(POINTS[i].tolist(), others[j].tolist(), strict=True):
                total += term(a, b)
            assert matrix[i, j] == total
        assert np.array_equal(function(POINTS, POINTS), function(POINTS, POINTS.copy()))


@pytest.mark.slow
def test_blocks_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel_matrix(POINTS, "rbf")
    for entries in (1, 700, 1 << 20):
        monkeypatch.setattr(portable, "BLOCK_ENTRIES", entries)
        assert np.array_equal(kernel_matrix(POINTS, "rbf"), before)


def test_exponentials_are_right_to_the_last_digit() -> None:
    values = np.concatenate([-RNG.exponential(30.0, 3000), -RNG.uniform(0.0, 1e-8, 100), [-707.9, -0.34657359]])
    found = portable.exponentials(values).tolist()
    with localcontext() as context:
        context.prec = 40
        for value, own in zip(values.tolist(), found, strict=True):
            assert abs(Decimal(own) - Decimal(value).exp()) <= Decimal(1.1 * math.ulp(own))
    ends = portable.exponentials(np.array([[0.0, -0.0], [-math.inf, -746.0], [-745.0, -800.0]]))
    assert ends.tolist() == [[1.0, 1.0], [0.0, 0.0], [math.ulp(0.0), 0.0]]


def test_log_odds_are_rounded_once() -> None:
    for confidence in (0.5, 0.5000001, 0.75, 0.999, math.nextafter(1.0, 0.0)):
        with localcontext() as context:
            context.prec = 60
            exact = (Decimal(confidence) / (1 - Decimal(confidence))).ln()
        assert value_of(confidence, "pair", "confidence") == float(exact)


def test_means_and_variance() -> None:
    table = np.array([[1e16, 1.0], [1.0, 2.0], [-1e16, 6.0]])
    assert portable.column_means(table).tolist() == [1.0 / 3.0, 3.0]
    assert portable.variance(POINTS) == pytest.approx(POINTS.var(), rel=1e-14)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_kernels_are_what_they_were(kernel: str) -> None:
    centred, spread = POINTS - POINTS.mean(axis=0), POINTS.var() * 7
    expected = centred @ centred.T if kernel == "linear" else np.exp(-cdist(POINTS, POINTS, "sqeuclidean") / spread)
    matrix = kernel_matrix(POINTS, kernel)
    assert matrix == pytest.approx(expected, rel=1e-12, abs=1e-12)
    assert np.array_equal(matrix, kernel_between(POINTS, POINTS.copy(), kernel, None, POINTS))
    assert kernel_alone(POINTS, kernel, None, POINTS) == pytest.approx(matrix.diagonal(), rel=1e-13)


def features() -> str:
    """What NumPy does differently on this processor than on the simplest one."""
    from numpy._core._multiarray_umath import __cpu_dispatch__, __cpu_features__

    return " ".join(name for name in __cpu_dispatch__ if __cpu_features__.get(name))


#: Kinds of processors: for BLAS by their names, for NumPy by what it must not use, for the C library likewise.
PROCESSORS = {
    "Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "Prescott": {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": features(),
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX2_Usable,-FMA_Usable",
    },
}
PROGRAM = """
import sys
import numpy as np
import pcsos
from pcsos.problem.similarity import kernel_matrix
from pcsos.verify import verify

rng = np.random.default_rng(1)
points = rng.normal(size=(60, 9)) + 3.0 * np.repeat(rng.normal(size=(3, 9)), 20, axis=0)
soft = [(i, i + 1, 0.5 + 0.008 * i) for i in range(0, 59, 2)]
SETTINGS = {
    "linear": ("linear", []), "rbf": ("rbf", []),
    "distance": (None, [pcsos.SoftPairs(soft, penalty="distance")]),
    "far": (None, [pcsos.SoftPairs(cannot_link=soft, penalty="distance")]),
    "confidence": (None, [pcsos.SoftPairs(soft, penalty="confidence")]),
    "limits": ("linear", [pcsos.Diameter(15.0), pcsos.Split(0.5)]),
}
for name, (kernel, conditions) in SETTINGS.items():
    place = points if kernel is None else pcsos.Kernel(points, kernel)
    if sys.argv[1] == "solve":
        stopped = pcsos.Options(node_limit=0)
        pcsos.solve(place, 3, conditions=conditions, workers=1, run_file=f"{name}.run", options=stopped)
        continue
    instance = pcsos.Instance(place, 3, conditions=conditions)
    table = {"points": points} if instance.gram is None else {"gram": kernel_matrix(points, kernel)}
    pairs = instance.must_link.tolist(), instance.cannot_link.tolist()
    verify(f"{name}.run", constraints=pairs, conditions=instance.asked.to_dict(), **table)
    print("verified", name)
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="kinds of processors are chosen as on Linux")
def test_a_run_on_one_processor_is_recognised_on_another(tmp_path: Path) -> None:
    for what, processor in (("solve", "Haswell"), ("verify", "Prescott")):
        environment = {**os.environ, **PROCESSORS[processor], "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-c", PROGRAM, what]
        done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    assert done.stdout.count("verified") == 6
