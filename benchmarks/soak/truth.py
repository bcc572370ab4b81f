"""What is known of an instance without the program: an interval that holds its optimum, and the cost of labels."""

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from benchmarks.soak.draw import Drawn
from tests.exact_oracle import ExactTruth

#: By which two computations of the same number may differ, relative to it.
SLACK = 1e-9


@dataclass
class Truth:
    """The optimum of an instance lies between ``least`` and ``most``, which close in on it as more is known.

    Parameters
    ----------
    about : Drawn
        The instance.
    least, most : float
        Infinite where no partition is feasible, equal where the optimum is known.
    is_feasible : bool or None
        Whether there is a partition, which is known from how the instance was drawn; None where it is not.
    exact : ExactTruth or None
        Every feasible partition of a small instance.
    """

    about: Drawn
    least: float
    most: float
    is_feasible: bool | None
    exact: ExactTruth | None = None

    @classmethod
    def of(cls, about: Drawn) -> "Truth":
        """Return what is known: of a small instance, by looking at every partition, in rational arithmetic."""
        if about.size == "small":
            conditions: dict[str, Any] = {"limits": about.limits, "soft": about.soft}
            exact = ExactTruth(
                about.points, about.weights, about.n_clusters, about.must_link, about.cannot_link, conditions
            )
            best = float(exact.optimum) if exact.feasible else math.inf
            return cls(about, best, best, exact.feasible, exact)
        if about.kind == "infeasible":
            return cls(about, math.inf, math.inf, False)
        return cls(about, 0.0, cost(about, about.classes), True)

    def learn(self, labels: ArrayLike) -> None:
        """Take in a feasible partition: no optimum is above its cost."""
        self.most = min(self.most, cost(self.about, labels))

    def of_clusters(self, number: int) -> "Truth":
        """Return what is known of the same points in another number of clusters."""
        if number == self.about.n_clusters:
            return self
        about = replace(self.about, n_clusters=number)
        return Truth(about, 0.0, math.inf, None) if self.exact is None else Truth.of(about)

    def believe(self, lower_bound: float) -> None:
        """Take in a bound that contradicts nothing yet: a partition below it would."""
        self.least = max(self.least, lower_bound)


def cost(about: Drawn, labels: ArrayLike) -> float:
    """Return the sum of squares of labels, and what they pay for soft pairs; -1 is left out."""
    own = np.asarray(labels)
    total = 0.0
    for label in np.unique(own[own >= 0]):
        points, weights = about.points[own == label], about.weights[own == label]
        centre = weights @ points / weights.sum()
        total += float(weights @ ((points - centre) ** 2).sum(axis=1))
    return total + sum(together if own[i] == own[j] else apart for i, j, apart, together in about.soft)


def broken(about: Drawn, labels: ArrayLike) -> str:
    """Return a sentence about the first condition that labels break, empty if they are a feasible partition."""
    own: NDArray[np.intp] = np.asarray(labels)
    if own.shape != (about.n,) or own.min(initial=0) < 0:
        return f"{own.shape} labels for {about.n} points, the least of them {own.min(initial=0)}"
    counts = np.bincount(own, minlength=about.n_clusters)
    if len(counts) != about.n_clusters or not counts.all():
        return f"clusters of {counts.tolist()} points instead of {about.n_clusters}"
    apart = [(i, j) for i, j in about.must_link if own[i] != own[j]]
    together = [(i, j) for i, j in about.cannot_link if own[i] == own[j]]
    if apart or together:
        return f"must-links {apart[:3]} and cannot-links {together[:3]} are broken"
    if counts.min() < about.limits.get("size_min", 0) or counts.max() > about.limits.get("size_max", about.n):
        return f"clusters of {counts.tolist()} points do not keep {about.limits}"
    return ""
