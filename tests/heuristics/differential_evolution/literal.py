"""One generation of hybrid differential evolution as the paper words it, slow, in plain NumPy; for the tests.

Nothing here uses the engine but the random numbers that are handed to both. Values are exact sums (``math.fsum``) of
squares, so that they depend on the partition and not on the order of its clusters: whether a trial that gives the same
partition is taken over must not hang on rounding.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pcsos.heuristics.differential_evolution.generation import Draws

Array = NDArray[np.float64]


@dataclass
class Individual:
    vector: Array
    labels: NDArray[np.intp]
    value: float
    scale: float
    rate: float


@dataclass(frozen=True)
class Literal:
    """The problem and the rules; ``kind`` is rand/1/bin, jDE or b6e6rl, ``strategies`` are (kind, F, CR)."""

    points: Array
    weights: Array
    k: int
    criterion: str
    kind: str
    is_hybrid: bool
    strategies: list[tuple[str, float, float]]

    def means(self, labels: NDArray[np.intp]) -> Array:
        return np.array(
            [np.average(self.points[labels == h], axis=0, weights=self.weights[labels == h]) for h in range(self.k)]
        )

    def value(self, labels: NDArray[np.intp]) -> float:
        within = self._scatter(self.points - self.means(labels)[labels])
        if self.criterion == "TRW":
            return within
        total = self._scatter(self.points - np.average(self.points, axis=0, weights=self.weights))
        n = self.weights.sum()
        return -((total - within) / (self.k - 1)) / (within / (n - self.k))

    def _scatter(self, rows: Array) -> float:
        return math.fsum(w * (row @ row) for w, row in zip(self.weights, rows, strict=True))

    def decode(self, vector: Array) -> NDArray[np.intp]:
        centres = vector.reshape(self.k, -1)
        distances = np.linalg.norm(self.points[:, None, :] - centres[None, :, :], axis=2)
        labels = distances.argmin(axis=1)
        for empty in range(self.k):
            if empty in labels:
                continue
            mass = [
                self.weights[labels == h].sum() if (labels == h).sum() > 1 else -1.0  # it must keep a member
                for h in range(self.k)
            ]
            giver = int(np.argmax(mass))
            members = np.flatnonzero(labels == giver)
            labels[members[np.argmax(distances[members, giver])]] = empty
        return labels.astype(np.intp)

    def k_means(self, labels: NDArray[np.intp], value: float) -> tuple[Array, NDArray[np.intp], float]:
        while True:
            labels = self.decode(self.means(labels).ravel())
            before, value = value, self.value(labels)
            if abs(value - before) <= 1e-4 * abs(before):
                return self.means(labels).ravel(), labels, value

    def chosen(self, counts: list[int], draw: float) -> int:
        shares = np.array([count + 2 for count in counts]) / sum(count + 2 for count in counts)
        return int(np.searchsorted(np.cumsum(shares), draw, side="right"))

    def trial(
        self, i: int, parents: list[Individual], draws: Draws, crossover: str, scale: float, rate: float
    ) -> Array:
        base, plus, minus = (parents[j] for j in draws.others[i])
        if self.kind == "b6e6rl":
            trio = [base, plus, minus]
            best = min(range(3), key=lambda t: trio[t].value)
            trio[0], trio[best] = trio[best], trio[0]
            base, plus, minus = trio
        low, high = (np.tile(end, self.k) for end in (self.points.min(axis=0), self.points.max(axis=0)))
        mutant = base.vector + scale * (plus.vector - minus.vector)
        mutant = np.where(mutant < low, 2 * low - mutant, np.where(mutant > high, 2 * high - mutant, mutant))
        d, component = low.size, int(draws.components[i])
        keeps = draws.uniforms[i] > rate  # components that stay those of the parent
        keeps[component] = False
        if crossover == "exp":
            around = np.roll(keeps, -component)
            length = int(np.argmax(around)) if around.any() else d
            keeps = np.roll(np.arange(d) >= length, component)
        return np.where(keeps, parents[i].vector, mutant)

    def generation(self, parents: list[Individual], counts: list[int], draws: Draws) -> list[Individual]:
        """Return the next generation; the counts of successes are changed."""
        children = []
        for i, parent in enumerate(parents):
            first, second, third, fourth = draws.choices[i]
            if self.kind == "jDE":
                h, crossover = 0, "bin"
                scale = 0.1 + 0.8 * second if first < 0.1 else parent.scale
                rate = fourth if third < 0.1 else parent.rate
            else:
                h = self.chosen(counts, first)
                crossover, scale, rate = self.strategies[h]
            vector = self.trial(i, parents, draws, crossover, scale, rate)
            labels = self.decode(vector)
            value = self.value(labels)
            if value > parent.value:
                children.append(parent)
                continue
            counts[h] += 1
            if min(counts) + 2 < (sum(counts) + 2 * len(counts)) / (5 * len(counts)):
                counts[:] = [0] * len(counts)
            if self.is_hybrid:
                vector, labels, value = self.k_means(labels, value)
            children.append(Individual(vector, labels, value, scale, rate))
        return children
