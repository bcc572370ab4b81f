"""Draw an instance from a generator: small ones, whose optimum is known, and larger ones, of every kind."""

from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.soak.writing import CLASSES, PLAIN, Line, Writing
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture

KINDS = ("plain", "pairs", "weights", "sizes", "soft", "gram", "infeasible")
SIZES = {"small": 0.6, "medium": 0.33, "large": 0.07}
#: Coordinates are multiples of this, so that inner products of them are exact, and points and matrix cost the same.
GRAIN = 2.0**-10

Pairs = list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Drawn:
    """An instance, and the files and arguments that say it on the command line.

    Parameters
    ----------
    size, kind : str
        One of :data:`SIZES` and of :data:`KINDS`.
    points, weights : ndarray, shape (n, d) and (n,)
        Coordinates and weights.
    classes : ndarray of int, shape (n,)
        The groups that the points were drawn from.
    n_clusters : int
        Number of clusters.
    must_link, cannot_link : list of (int, int)
        Hard pairs.
    soft : list of [int, int, float, float]
        Soft pairs, with what they cost if their points are apart, and if they are together.
    limits : dict
        ``size_min`` and ``size_max``, if any.
    writing : Writing
        How its files are written.
    """

    size: str
    kind: str
    points: NDArray[np.float64]
    weights: NDArray[np.float64]
    classes: NDArray[np.intp]
    n_clusters: int
    must_link: Pairs = field(default_factory=list)
    cannot_link: Pairs = field(default_factory=list)
    soft: list[list[Any]] = field(default_factory=list)
    limits: dict[str, int] = field(default_factory=dict)
    writing: Writing = PLAIN

    @property
    def n(self) -> int:
        """Number of points."""
        return len(self.points)

    @property
    def names(self) -> list[str]:
        """What the points are called."""
        return self.writing.names(self.n)

    def write(self, folder: Path) -> None:
        """Write the files that :meth:`arguments` names."""
        classes = self.classes.tolist()
        (folder / "points.csv").write_bytes(self.writing.points(self.points.tolist()))
        (folder / "pairs.txt").write_bytes(self.writing.pairs(self._pair_lines(), self.n))
        (folder / "weights.txt").write_bytes(self.writing.weights(self.weights.tolist()))
        (folder / "classes.txt").write_bytes(self.writing.labels([CLASSES[label] for label in classes]))
        known = [str(-1 if at % 3 else label) for at, label in enumerate(classes)]
        (folder / "known.txt").write_bytes(self.writing.labels(known))
        if self.kind == "gram":
            np.save(folder / "gram.npy", self.points @ self.points.T)

    def arguments(self, *, with_k: bool = True) -> list[str]:
        """Return the arguments of a command about this instance."""
        given = ["--gram", "gram.npy"] if self.kind == "gram" else ["points.csv", *self.writing.options]
        given += ["-k", str(self.n_clusters)] if with_k else []
        given += ["--constraints", "pairs.txt"] if self._pair_lines() else []
        given += ["--weights", "weights.txt"] if self.kind == "weights" else []
        for name, value in self.limits.items():
            given += [f"--{name.replace('_', '-')}", str(value)]
        return given

    def named_pairs(self) -> set[tuple[str, frozenset[str]]]:
        """Return the hard pairs by what the points are called."""
        names = self.names
        return {(kind, frozenset((names[i], names[j]))) for kind, i, j, value in self._pair_lines() if value is None}

    def _pair_lines(self) -> list[Line]:
        hard = [("ML", pair) for pair in self.must_link] + [("CL", pair) for pair in self.cannot_link]
        lines: list[Line] = [(kind, i, j, None) for kind, (i, j) in hard]
        return lines + [
            ("SML", i, j, apart) if apart else ("SCL", i, j, together) for i, j, apart, together in self.soft
        ]


def draw(rng: np.random.Generator) -> Drawn:
    """Draw an instance of any size and kind, and how its files are written."""
    size = str(rng.choice(list(SIZES), p=list(SIZES.values())))
    kind = str(rng.choice(["plain", "pairs"] if size == "large" else KINDS))
    found = drawn(rng, size, kind)
    return replace(found, writing=Writing.drawn(rng, found.n, has_points=kind != "gram"))


def drawn(rng: np.random.Generator, size: str, kind: str) -> Drawn:
    """Draw an instance of one size and kind."""
    n, k = {
        "small": lambda: (int(rng.integers(6, 10)), int(rng.integers(2, 4))),
        "medium": lambda: (int(rng.integers(40, 151)), int(rng.integers(3, 6))),
        "large": lambda: (int(rng.integers(2_000, 20_001)), int(rng.integers(3, 9))),
    }[size]()
    d = 2 if size == "large" else int(rng.integers(1, 5))
    points, classes = gaussian_mixture(n, d, k, separation=float(rng.uniform(2.0, 6.0)), seed=rng)
    points = np.round(points / GRAIN) * GRAIN
    weights = rng.choice([0.5, 1.0, 2.0, 3.5], n) if kind == "weights" else np.ones(n)
    pairs = kind not in ("plain", "infeasible")
    must_link, cannot_link = _pairs(rng, classes, n, share=0.1 if pairs else 0.0)
    if kind == "infeasible":
        must_link, cannot_link = _contradiction(rng, n, k)
    soft = _soft(rng, classes, max(2, n // 10)) if kind == "soft" else []
    limits = _limits(rng, classes, k) if kind == "sizes" else {}
    return Drawn(size, kind, points, weights, classes, k, must_link, cannot_link, soft, limits)


def _pairs(rng: np.random.Generator, classes: NDArray[np.intp], n: int, share: float) -> tuple[Pairs, Pairs]:
    """Draw pairs that the classes satisfy, so that there is a partition."""
    counts = np.bincount(classes)
    together = int((counts * (counts - 1) // 2).sum())
    apart = n * (n - 1) // 2 - together
    most = min(int(share * n) + (share > 0), 200)
    found = constraints_from_labels(
        classes, n_must_link=min(most, together), n_cannot_link=min(2 * most, apart), seed=rng
    )
    must_link, cannot_link = ([(int(i), int(j)) for i, j in pairs] for pairs in found)
    return must_link, cannot_link


def _contradiction(rng: np.random.Generator, n: int, k: int) -> tuple[Pairs, Pairs]:
    """Draw pairs that no partition into k clusters satisfies."""
    chosen = [int(i) for i in rng.choice(n, k + 1, replace=False)]
    if rng.random() < 0.5:
        return [], [(i, j) for at, i in enumerate(chosen) for j in chosen[:at]]
    return list(pairwise(chosen)), [(chosen[0], chosen[-1])]


def _soft(rng: np.random.Generator, classes: NDArray[np.intp], number: int) -> list[list[Any]]:
    """Draw soft pairs, one in ten of them against the classes."""
    found = []
    for _ in range(number):
        i, j = (int(point) for point in rng.choice(len(classes), 2, replace=False))
        price = float(rng.choice([0.25, 0.5, 2.0, 8.0]))
        together = (classes[i] == classes[j]) != (rng.random() < 0.1)
        found.append([i, j, price, 0.0] if together else [i, j, 0.0, price])
    return found


def _limits(rng: np.random.Generator, classes: NDArray[np.intp], k: int) -> dict[str, int]:
    """Draw limits that the classes keep."""
    counts = np.bincount(classes, minlength=k)
    limits = {"size_min": int(rng.integers(1, counts.min() + 1)), "size_max": int(counts.max())}
    return limits if rng.random() < 0.7 else {"size_max": limits["size_max"]}
