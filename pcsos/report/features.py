"""Features of clusters: by how much each differs from the average, and which of them tell clusters apart best."""

from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.partition import cluster_means

#: Standard deviations from which on a difference is worth a word.
NOTABLE = 0.5
#: Features that a sentence names at most.
MOST_NAMED = 3


class Features(NamedTuple):
    """The features of the clusters of a partition.

    Parameters
    ----------
    means : ndarray, shape (k, d)
        Average of each feature in each cluster, in the units of the points.
    overall : ndarray, shape (d,)
        Average over all points.
    differences : ndarray, shape (k, d)
        ``means`` less ``overall``, over the standard deviation of the feature over all points; 0 where it is constant.
    order : ndarray of int, shape (d,)
        The features, those that differ most between clusters first.
    num_varying : int
        How many are not constant; the constant ones are the last.
    """

    means: Floats
    overall: Floats
    differences: Floats
    order: Indices
    num_varying: int

    @classmethod
    def of(cls, instance: Instance, labels: Indices) -> "Features":
        """Return the features of the clusters of these labels, of shape (n,); points count by their weights."""
        overall, deviations = averages(instance)
        varies = np.ptp(instance.points, axis=0) > 0.0
        means = cluster_means(instance, labels)
        differences = np.where(varies, (means - overall) / np.where(varies, deviations, 1.0), 0.0)
        explained = np.bincount(labels, instance.weights / instance.weights.sum()) @ differences**2
        return cls(means, overall, differences, np.argsort(-explained, kind="stable"), int(varies.sum()))

    @property
    def distinguishing(self) -> Indices:
        """The features that are not constant, those that differ most between clusters first."""
        return self.order[: self.num_varying]

    def sentence(self, cluster: int, titles: tuple[str, ...]) -> str:
        """Return what distinguishes a cluster, such as "petal length high (+1.2), petal width high (+1.1)"."""
        own = self.differences[cluster]
        notable = [feature for feature in np.argsort(-np.abs(own), kind="stable") if abs(own[feature]) >= NOTABLE]
        if not notable:
            return "close to the average in every feature"
        return ", ".join(
            f"{titles[feature]} {'high' if own[feature] > 0.0 else 'low'} ({signed(own[feature])})"
            for feature in notable[:MOST_NAMED]
        )


def averages(instance: Instance) -> tuple[Floats, Floats]:
    """Return average and standard deviation of each feature over all points, by their weights, each of shape (d,)."""
    shares = instance.weights / instance.weights.sum()
    average = shares @ instance.points
    return average, np.sqrt(shares @ (instance.points - average) ** 2)


def features_of(instance: Instance, labels: Indices | None) -> Features | None:
    """Return the features of clusters; None without clusters, and with inner products, which have no features."""
    return None if labels is None or instance.gram is not None else Features.of(instance, labels)


def signed(value: float) -> str:
    """Return a difference with one digit and its sign; 0 has none."""
    text = f"{value:+.1f}"
    return "0.0" if float(text) == 0.0 else text.replace("-", "\N{MINUS SIGN}")
