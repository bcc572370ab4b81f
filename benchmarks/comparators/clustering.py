"""Clustering: what a comparator found, judged by the instance, with the pairs that it violates counted."""

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
    criterion : float
        What the method makes small, in its own units.
    violated_must_links, violated_cannot_links : int
        Numbers of the pairs of the instance that the labels violate.
    num_empty : int
        Clusters without a point.
    local_searches, num_repairs : int
        Local searches that it took, and empty clusters that were filled on the way.

    Examples
    --------
    >>> from pcsos import Instance
    >>> found = Clustering.of(Instance([0.0, 2.0, 9.0], 2, must_link=[(1, 2)]), [0, 0, 1])
    >>> found.objective, found.violated_must_links, found.is_feasible
    (2.0, 1, False)
    """

    labels: Indices
    objective: float
    criterion: float
    violated_must_links: int
    violated_cannot_links: int
    num_empty: int
    local_searches: int
    num_repairs: int

    @classmethod
    def of(
        cls,
        instance: Instance,
        labels: ArrayLike,
        *,
        criterion: float | None = None,
        local_searches: int = 1,
        num_repairs: int = 0,
    ) -> "Clustering":
        """Return the clustering with these labels, shape (n,); the criterion is the sum of squares unless given."""
        canonical = canonical_labels(np.asarray(labels))
        apart, together = broken_pairs(instance.must_link, instance.cannot_link, canonical)
        objective = instance.geometry.cost(canonical)
        return cls(
            canonical,
            objective,
            objective if criterion is None else criterion,
            int(apart.sum()),
            int(together.sum()),
            instance.n_clusters - int(canonical.max()) - 1,
            local_searches,
            num_repairs,
        )

    @property
    def is_feasible(self) -> bool:
        """Whether it violates no pair and uses every cluster."""
        return not (self.violated_must_links or self.violated_cannot_links or self.num_empty)


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
