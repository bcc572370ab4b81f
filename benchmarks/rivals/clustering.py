"""Clustering: what a method found, judged by the instance, with the pairs that it violates counted."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels


@dataclass(frozen=True, eq=False)
class Clustering:
    """Labels of the points, which may violate pairs and leave clusters empty.

    Parameters
    ----------
    labels : ndarray of int, shape (n,)
        Cluster of each point, numbered by first appearance.
    objective : float
        Sum of squares about the means of the clusters.
    violated_pairs : int
        Number of the pairs of the instance that the labels violate.

    Examples
    --------
    >>> from pcsos import Instance
    >>> found = Clustering.of(Instance([0.0, 2.0, 9.0], 2, must_link=[(1, 2)]), [0, 0, 1])
    >>> found.objective, found.violated_pairs
    (2.0, 1)
    """

    labels: Indices
    objective: float
    violated_pairs: int

    @classmethod
    def of(cls, instance: Instance, labels: ArrayLike) -> "Clustering":
        """Return the clustering with these labels, shape (n,)."""
        canonical = canonical_labels(np.asarray(labels))
        apart, together = broken_pairs(instance.must_link, instance.cannot_link, canonical)
        return cls(canonical, instance.geometry.cost(canonical), int(apart.sum()) + int(together.sum()))


def refuse_weights(instance: Instance, method: str) -> None:
    """Refuse an instance whose points differ in weight.

    Raises
    ------
    InputError
        If they do.
    """
    different = np.flatnonzero(instance.weights != instance.weights[0])
    if different.size:
        i = int(different[0])
        raise InputError(
            f"weights[{i}] is {instance.weights[i]:g} beside {instance.weights[0]:g}; {method} knows no weights, so "
            "leave them out"
        )
