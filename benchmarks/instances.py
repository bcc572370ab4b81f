"""Instances that cases describe as data: files, drawn mixtures and blobs, and limits of cluster sizes."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.repository import ROOT
from pcsos.io import read_constraints, read_points
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.instance import Instance

#: Instances of this repository, and their recorded optima.
FOLDER = ROOT / "instances"
#: Seed of the blobs and of their pairs: the authors'.
BLOB_SEED = 24


def build(
    *,
    files: list[Any] | None = None,
    gaussians: list[Any] | None = None,
    spread: list[int] | None = None,
    blobs: list[int] | None = None,
    digits: list[int] | None = None,
    equal: bool = False,
    size_min: int | None = None,
    size_max: int | None = None,
) -> Instance:
    """Return the instance of one description; with ``equal`` its clusters differ by at most one point."""
    kinds = {_from_files: files, _gaussians: gaussians, mixture: spread, _blobs: blobs, _digits: digits}
    kind, given = next((kind, given) for kind, given in kinds.items() if given is not None)
    instance = kind(*given)  # type: ignore[operator]
    if equal:
        size = instance.n_points / instance.n_clusters
        size_min, size_max = math.floor(size), math.ceil(size)
    return instance if size_min is size_max is None else instance.with_(size_min=size_min, size_max=size_max)


def of_repository() -> dict[str, list[Any]]:
    """Return points, constraints and the number of clusters of each instance of this repository, by name."""
    return {
        record["name"]: [
            str(FOLDER / record["points"]),
            record["constraints"] and str(FOLDER / record["constraints"]),
            record["n_clusters"],
        ]
        for record in json.loads(FOLDER.joinpath("optima.json").read_text())
    }


def mixture(n: int, spread: int, pairs: int = 0, k: int = 5, d: int = 4) -> Instance:
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


def _from_files(points: str, constraints: str | None, n_clusters: int) -> Instance:
    """Return the instance in these files; the classes in those of the S-MDEClust paper are no feature."""
    rows = read_points(points, ignore=["class"] if Path(points).name.startswith("synthetic") else [])
    if constraints is None:
        return Instance(rows, n_clusters)
    pairs = read_constraints(constraints, rows)
    return Instance(rows, n_clusters, pairs.must_link, pairs.cannot_link)


def _gaussians(n: int, d: int, k: int, separation: float, n_must_link: int = 0, n_cannot_link: int = 0) -> Instance:
    """Return a mixture with pairs that are true to its components."""
    points, labels = gaussian_mixture(n, d, k, separation=separation, seed=n)
    pairs = constraints_from_labels(labels, n_must_link=n_must_link, n_cannot_link=n_cannot_link, seed=n)
    return Instance(points, k, *pairs)


def _blobs(n: int, k: int, percent: int) -> Instance:
    """Return blobs like those of the PCCC paper's collection COL3, in the plane, with f (f - 1) / 2 pairs.

    Here f is a percentage of the points. Pairs are drawn in rounds of that many until so many are different, and those
    first in sorted order are kept, by NumPy's older generator, as the authors do (INFORMS Journal on Computing,
    2023.0419); the blobs say which kind a pair is.
    """
    from sklearn.datasets import make_blobs
    from sklearn.preprocessing import StandardScaler

    points, classes = make_blobs(n_samples=n, n_features=2, centers=k, random_state=BLOB_SEED)
    f = math.ceil(n * percent / 100)
    size = f * (f - 1) // 2
    rng = np.random.RandomState(BLOB_SEED)
    pairs = np.empty((0, 2), np.intp)
    while len(pairs) < size:
        i, j = rng.randint(0, n, size), rng.randint(0, n, size)
        fresh = np.sort(np.column_stack([i, j])[i != j], axis=1)
        pairs = np.unique(np.vstack([pairs, fresh]), axis=0)
    pairs = pairs[:size]
    same = classes[pairs[:, 0]] == classes[pairs[:, 1]]
    return Instance(StandardScaler().fit_transform(points), k, pairs[same], pairs[~same])


def _digits(n: int, k: int) -> Instance:
    """Return the first of the images of scikit-learn."""
    from sklearn.datasets import load_digits

    return Instance(load_digits().data[:n], k)
