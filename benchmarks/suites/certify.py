"""Certificates of clusterings too large for one relaxation: the large sets of the decomposition literature.

The data folder holds ``large/NAME.txt.gz``, ``sos-sdp/NAME.txt.gz`` and ``s-mdeclust/NAME``; a partition is found
first, then certified to the gap asked for or as closely as the time allows. ``drawn`` (five clusters, d = 4) and
``plane`` (ten, d = 2) are mixtures of the size that their names say; ``blobs`` is drawn like the collection COL3 of the
PCCC paper (INFORMS Journal on Computing 2023.0419).
"""

import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

import pcsos
from benchmarks import checking
from benchmarks.case import Case, Row, Settings
from benchmarks.machine import peak_mb
from benchmarks.suites.synthetic import load as load_synthetic
from benchmarks.tables import table
from pcsos import heuristics
from pcsos.io import read_points
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options

COLUMNS = (
    *("n_points", "n_features", "n_clusters", "n_must_link", "n_cannot_link"),
    *("status", "reason", "objective", "lower_bound", "gap", "n_blocks", "better"),
    *("search_seconds", "seconds"),
    *("file_mb", *checking.COLUMNS),
)

#: Data sets by folder and the numbers of clusters, those of the published tables.
FILES = {
    "large": {
        "10000_2_05": 2, "10000_2_10": 2, "10000_4_05": 4, "10000_4_075": 4, "abalone": 3, "facebook": 3, "electric": 3,
        "GT": 3,
    },
    "sos-sdp": {
        "car_prep": 4, "aspirin": 3, "rice_std": 2, "phishing": 9, "ItalyPowerDemand": 4, "vehicle_silhouettes": 4,
    },
}  # fmt: skip
#: Mixtures of five clusters, d = 4: number of points, variance of the centres, pairs of each kind.
DRAWN = [(n, spread, 0) for n in (1000, 3000, 10_000, 30_000, 100_000, 300_000, 1_000_000) for spread in (9, 2)] + [
    (100_000, spread, 5000) for spread in (9, 2)
]
#: Mixtures of ten clusters in the plane.
PLANE = [(10**power, spread) for power in range(3, 8) for spread in (9, 2)]


def cases(settings: Settings) -> list[Case]:
    """Return the drawn mixtures, and the data sets where a folder is given."""
    found = [
        Case(f"drawn/n{n}_spread{spread}_pairs{pairs}", {}, {"drawn": [n, spread, pairs]}) for n, spread, pairs in DRAWN
    ]
    found += [Case(f"plane/n{n}_spread{spread}", {}, {"drawn": [n, spread, 0, 10, 2]}) for n, spread in PLANE]
    found.append(Case("blobs/n2000_k10_pairs5%", {}, {"blobs": [2000, 10, 5], "n_clusters": 10}))
    for folder, names in FILES.items() if settings.data is not None else ():
        for name, k in names.items():
            path = settings.data / folder / f"{name}.txt.gz"
            found.append(Case(f"{folder}/{name}", {}, {"points": str(path), "n_clusters": k}))
    if settings.data is not None:
        folder = settings.data / "s-mdeclust"
        files = [str(folder / f"synthetic_n5000_d2_k20_{name}.gz") for name in ("data.csv", "constraints_500.json")]
        found.append(Case("s-mdeclust/n5000_k20_c500", {}, {"synthetic": files, "n_clusters": 20}))
    return found


def run(
    *,
    points: str | None = None,
    n_clusters: int = 5,
    drawn: list[int] | None = None,
    blobs: list[int] | None = None,
    synthetic: list[str] | None = None,
    gap: float,
    time_limit: float,
    workers: int | None,
) -> Row:
    """Find a partition, and certify it."""
    if drawn is not None:
        instance = mixture(*drawn)
    elif blobs is not None:
        instance = col3(*blobs)
    elif synthetic is not None:
        instance = load_synthetic(*synthetic, n_clusters)
    else:
        instance = Instance(read_points(str(points)), n_clusters)
    begun = time.perf_counter()
    labels = found_labels(instance, 0.25 * time_limit)
    searched = time.perf_counter() - begun
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "case.run"
        result = pcsos.certify(
            instance, labels, gap=gap, time_limit=time_limit - searched, workers=workers, run_file=path
        )
        row = {"peak_mb": peak_mb(), "file_mb": path.stat().st_size / 2**20}
        row |= checking.checked(path, Options(workers=workers).num_workers, 0.2 * time_limit + 100.0)
    record = result.to_dict() | {"search_seconds": searched, "better": result.better is not None} | row
    return {"peak_mb": row["peak_mb"]} | {column: record.get(column) for column in COLUMNS}


def found_labels(instance: Instance, time_limit: float) -> np.ndarray | None:
    """Return a partition to certify, found in so many seconds by what suits the size; None where none is found."""
    small = instance.n_points * instance.n_clusters <= 200_000
    method = "s-mdeclust" if small else "sampled" if not len(instance.cannot_link) else "ipc-kmeans"
    options: dict[str, Any] = {"num_starts": 20} if method == "ipc-kmeans" else {}
    found, _ = heuristics.run(instance, method, time_limit=time_limit, **options)
    return None if found is None else found.labels


def mixture(n: int, spread: int, pairs: int, k: int = 5, d: int = 4) -> Instance:
    """Return an instance of unit Gaussians about k centres from N(0, spread I), pairs drawn from the labels."""
    rng = np.random.default_rng([n, spread, pairs])
    same = rng if d == 4 else np.random.default_rng([spread, d])  # in the plane, all sizes have the same centres
    centres = np.sqrt(spread) * same.standard_normal((k, d))
    labels = rng.integers(k, size=n)
    points = centres[labels] + rng.standard_normal((n, d))
    drawn = rng.integers(n, size=(50 * pairs, 2))
    drawn = drawn[drawn[:, 0] != drawn[:, 1]]
    alike = labels[drawn[:, 0]] == labels[drawn[:, 1]]
    return Instance(points, k, drawn[alike][:pairs], drawn[~alike][:pairs])


def col3(n: int, k: int, percent: int) -> Instance:
    """Return blobs in the plane, standardised, with as many pairs as so many per cent of the points have, at random."""
    from sklearn.datasets import make_blobs
    from sklearn.preprocessing import StandardScaler

    points, labels = make_blobs(n_samples=n, n_features=2, centers=k, random_state=24)
    held = -(-n * percent // 100)
    number = held * (held - 1) // 2
    rng = np.random.RandomState(24)
    pairs = np.empty((0, 2), np.int64)
    while len(pairs) < number:
        i, j = rng.randint(0, n, number), rng.randint(0, n, number)
        new = np.column_stack([np.minimum(i, j), np.maximum(i, j)])[i != j]
        pairs = np.unique(np.vstack([pairs, new]), axis=0)
    pairs = pairs[:number]
    same = labels[pairs[:, 0]] == labels[pairs[:, 1]]
    return Instance(StandardScaler().fit_transform(points), k, pairs[same], pairs[~same])


def report(rows: list[Row], settings: Settings) -> str:
    """Return a line a case."""
    header = (
        *("case", "n", "d", "k", "gap", "blocks", "search s", "certificate s", "MB"),
        *("file MB", "verified", "verify s", "verify MB"),
    )
    keys = (
        *("name", "n_points", "n_features", "n_clusters", "gap", "n_blocks", "search_seconds", "seconds", "peak_mb"),
        *("file_mb", "verified_gap", "verify_seconds", "verify_mb"),
    )
    return table(header, [[row.get(key) for key in keys] for row in rows])
