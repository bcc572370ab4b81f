"""Clusters of methods that may break pairs or leave points out: what is said of them, and nothing of a proof."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from pcsos.base.typing import Indices
from pcsos.cli.instance_files import Inputs
from pcsos.evidence.result import listed_sizes
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.instance import Instance

#: The label of a point in no cluster, or whose label is not known.
UNLABELLED = -1


@dataclass(frozen=True, eq=False)
class FoundClusters:
    """Labels that a method has found, and what may be said of them.

    Parameters
    ----------
    method : str
        Its name.
    labels : ndarray of int, shape (n,)
        Labels, -1 for noise.
    objective : float
        Sum of squares of all points but noise, in the features as they were given.
    must_link, cannot_link : ndarray of int, shape (m, 2)
        The pairs that are broken.
    n_must_link, n_cannot_link : int
        How many there are.
    seconds : float
        Wall-clock time.
    more : dict
        Further figures of the method, for JSON.
    """

    method: str
    labels: Indices
    objective: float
    must_link: Indices
    cannot_link: Indices
    n_must_link: int
    n_cannot_link: int
    seconds: float
    more: dict[str, Any]

    @classmethod
    def of(cls, method: str, labels: Indices, inputs: Inputs, seconds: float, more: dict[str, Any]) -> "FoundClusters":
        """Return labels with what they cost and break."""
        is_in, pairs = labels != UNLABELLED, inputs.constraints
        is_apart, is_together = broken_pairs(pairs.must_link, pairs.cannot_link, labels)
        is_together &= is_in[pairs.cannot_link[:, 0]]
        objective = 0.0
        if is_in.any():
            names, own = np.unique(labels[is_in], return_inverse=True)
            objective = Instance(inputs.table.points[is_in], names.size).geometry.cost(own.astype(np.intp))
        return cls(
            method, labels, objective, pairs.must_link[is_apart], pairs.cannot_link[is_together],
            len(pairs.must_link), len(pairs.cannot_link), seconds, more,
        )  # fmt: skip

    @property
    def sizes(self) -> list[int]:
        """Number of points of each cluster, by its label."""
        return list(map(int, np.unique(self.labels[self.labels != UNLABELLED], return_counts=True)[1]))

    @property
    def n_noise(self) -> int:
        """Number of points in no cluster."""
        return int((self.labels == UNLABELLED).sum())

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "method": self.method,
            "n_points": self.labels.size,
            "n_clusters": len(self.sizes),
            "n_noise": self.n_noise,
            "objective": self.objective,
            "n_must_link": self.n_must_link,
            "n_cannot_link": self.n_cannot_link,
            "violated_must_link": self.must_link.tolist(),
            "violated_cannot_link": self.cannot_link.tolist(),
            "seconds": self.seconds,
            **self.more,
            "labels": self.labels.tolist(),
        }

    def __str__(self) -> str:
        rows = {
            "method": self.method,
            "objective": f"{self.objective:.10g} (sum of squares)",
            "broken ML": f"{len(self.must_link)} of {self.n_must_link}",
            "broken CL": f"{len(self.cannot_link)} of {self.n_cannot_link}",
            "clusters": listed_sizes(self.sizes) if self.sizes else "none",
            "noise": f"{self.n_noise} of {self.labels.size} points, which the objective leaves out"
            * (self.n_noise > 0),
            "time": f"{self.seconds:.2f} s",
        }
        return "".join(f"{name:12} {value}\n" for name, value in rows.items() if value)

    @property
    def sentence(self) -> str:
        """The figures that matter most in one line."""
        broken, pairs = len(self.must_link) + len(self.cannot_link), self.n_must_link + self.n_cannot_link
        clusters = f"{len(self.sizes)} cluster{'s' * (len(self.sizes) != 1)}"
        return f"{self.method}: {clusters}, objective {self.objective:.10g}, {broken} of {pairs} pairs broken"
