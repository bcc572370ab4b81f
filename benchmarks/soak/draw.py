"""Instances of every kind from a generator, and what is known of each without the program."""

import math
from dataclasses import dataclass, field
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from tests.exact_oracle import ExactTruth

KINDS = ("plain", "pairs", "weights", "sizes", "soft", "gram", "infeasible")
#: Shares of the sizes, bounds of the number of points, and the most clusters and one more.
SIZES = {"small": (0.6, 6, 10, 4), "medium": (0.33, 40, 151, 6), "large": (0.07, 2000, 20_001, 9)}
#: Coordinates are multiples of this, so that inner products of them are exact, and points and matrix cost the same.
GRAIN = 2.0**-10


@dataclass(eq=False)
class Drawn:
    """An instance, and an interval that holds its optimum; a soft pair has its prices if apart and if together."""

    size: str
    kind: str
    points: NDArray[np.float64]
    weights: NDArray[np.float64]
    classes: NDArray[np.intp]
    n_clusters: int
    must_link: list[tuple[int, ...]] = field(default_factory=list)
    cannot_link: list[tuple[int, ...]] = field(default_factory=list)
    soft: list[list[Any]] = field(default_factory=list)
    limits: dict[str, int] = field(default_factory=dict)
    least: float = 0.0
    most: float = math.inf
    is_feasible: bool = True

    def __post_init__(self) -> None:
        if self.kind != "infeasible":
            self.most = self.cost(self.classes)
        if self.size == "small":
            pairs, more = (self.must_link, self.cannot_link), {"limits": self.limits, "soft": self.soft}
            exact = ExactTruth(self.points, self.weights, self.n_clusters, *pairs, more)  # looks at all partitions
            self.least = self.most = float(exact.optimum) if exact.feasible else math.inf
        self.is_feasible = math.isfinite(self.most)

    def write(self, folder: Path) -> None:
        """Write the files that :meth:`arguments` names."""
        titles = ",".join(f"x{feature}" for feature in range(self.points.shape[1]))
        np.savetxt(folder / "points.csv", self.points, fmt="%.17g", delimiter=",", header=titles, comments="")
        (folder / "weights.txt").write_text("".join(f"{weight}\n" for weight in self.weights.tolist()))
        if self.kind == "gram":
            np.save(folder / "gram.npy", self.points @ self.points.T)
        lines = [f"ML {i} {j}\n" for i, j in self.must_link] + [f"CL {i} {j}\n" for i, j in self.cannot_link]
        soft = [f"{'SML' if apart else 'SCL'} {i} {j} {apart or together!r}\n" for i, j, apart, together in self.soft]
        (folder / "pairs.txt").write_text("".join([*lines, *soft]))

    def arguments(self, *, with_k: bool = True) -> list[str]:
        """Return the arguments of a command about this instance."""
        given = ["--gram", "gram.npy"] if self.kind == "gram" else ["points.csv"]
        given += ["-k", str(self.n_clusters)] if with_k else []
        given += ["--constraints", "pairs.txt"] if self.must_link or self.cannot_link or self.soft else []
        given += ["--weights", "weights.txt"] if self.kind == "weights" else []
        limits = [(f"--{name.replace('_', '-')}", str(value)) for name, value in self.limits.items()]
        return [*given, *(word for limit in limits for word in limit)]

    def cost(self, labels: ArrayLike) -> float:
        """Return the sum of squares of labels, and what they pay for soft pairs."""
        own = np.asarray(labels)
        total = sum(together if own[i] == own[j] else apart for i, j, apart, together in self.soft)
        for label in np.unique(own):
            points, weights = self.points[own == label], self.weights[own == label]
            centre = weights @ points / weights.sum()
            total += float(weights @ ((points - centre) ** 2).sum(axis=1))
        return float(total)

    def is_partition(self, labels: ArrayLike) -> bool:
        """Return whether labels are a feasible partition."""
        own: NDArray[np.intp] = np.asarray(labels)
        if own.shape != self.classes.shape or own.min() < 0:
            return False
        counts = np.bincount(own, minlength=self.n_clusters)
        least, most = self.limits.get("size_min", 1), self.limits.get("size_max", len(own))
        has_sizes = len(counts) == self.n_clusters and least <= counts.min() and counts.max() <= most
        are_together = all(own[i] == own[j] for i, j in self.must_link)
        return bool(has_sizes and are_together and all(own[i] != own[j] for i, j in self.cannot_link))


def draw(rng: np.random.Generator, size: str, kind: str) -> Drawn:
    """Draw an instance of one size and kind, whose classes satisfy all that is asked unless nothing does."""
    _, low, high, most_clusters = SIZES[size]
    n, k, d = int(rng.integers(low, high)), int(rng.integers(2, most_clusters)), int(rng.integers(1, 5))
    points, classes = gaussian_mixture(n, min(d, 2) if n > 150 else d, k, separation=rng.uniform(2.0, 6.0), seed=rng)
    counts = np.bincount(classes, minlength=k)
    weights = rng.choice([0.5, 1.0, 2.0, 3.5], n) if kind == "weights" else np.ones(n)
    found: dict[str, Any] = {}
    if kind == "infeasible":
        chosen = [int(i) for i in rng.choice(n, k + 1, replace=False)]
        if rng.random() < 0.5:
            found["cannot_link"] = list(combinations(chosen, 2))
        else:
            found |= {"must_link": list(pairwise(chosen)), "cannot_link": [(chosen[0], chosen[-1])]}
    elif kind != "plain":
        within = int((counts * (counts - 1) // 2).sum())
        numbers = [min(n // 10 + 1, 200, within), min(n // 5 + 2, 400, n * (n - 1) // 2 - within)]
        pairs = constraints_from_labels(classes, n_must_link=numbers[0], n_cannot_link=numbers[1], seed=rng)
        found["must_link"], found["cannot_link"] = ([tuple(pair) for pair in own.tolist()] for own in pairs)
    if kind == "sizes":
        found["limits"] = {"size_min": int(rng.integers(1, counts.min() + 1)), "size_max": int(counts.max())}
    if kind == "soft":
        ends = [rng.choice(n, 2, replace=False).tolist() for _ in range(max(2, n // 10))]
        prices = [(float(rng.choice([0.25, 0.5, 2.0])), bool(classes[i] == classes[j])) for i, j in ends]
        found["soft"] = [[i, j, p * same, p * (not same)] for (i, j), (p, same) in zip(ends, prices, strict=True)]
    return Drawn(size, kind, np.round(points / GRAIN) * GRAIN, weights, classes, k, **found)
