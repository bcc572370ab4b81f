"""Kernel clusters: clusters whose centres are known by inner products with samples alone."""

from dataclasses import dataclass

import numpy as np

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.problem.instance import Instance
from pcsos.problem.similarity import Kernel, kernel_alone, kernel_between, kernel_gamma

#: The kernel of those who give inner products themselves.
PRECOMPUTED = "precomputed"


@dataclass(frozen=True, eq=False)
class KernelClusters:
    """The clusters of the samples that were fitted.

    The square of the distance of a sample x to the centre of a cluster is ``k(x, x) - 2 sum_j s_j k(x, x_j) +
    sum_jl s_j s_l k(x_j, x_l)``, where s_j is the share of sample j in the weight of the cluster.

    Parameters
    ----------
    kernel : Kernel
        The samples that were fitted, of any width where they are inner products, and what computes inner products.
    rows : ndarray of int, shape (m,)
        Their positions in what was fitted.
    shares : ndarray, shape (m, k)
        s_j for each cluster, 0 outside.
    offsets : ndarray, shape (k,)
        The last sum for each cluster.
    """

    kernel: Kernel
    rows: Indices
    shares: Floats
    offsets: Floats

    @classmethod
    def of(cls, instance: Instance, labels: Indices, kernel: Kernel, rows: Indices) -> "KernelClusters":
        """Return the clusters with these labels of an instance that has a Gram matrix, given all samples."""
        if instance.gram is None:
            raise ValueError("the instance has no Gram matrix")
        shares = np.zeros((instance.n_points, instance.n_clusters))
        shares[np.arange(instance.n_points), labels] = instance.weights
        shares /= shares.sum(axis=0)
        offsets = np.einsum("jc,jc->c", shares, instance.gram.matrix @ shares)
        samples, function = kernel.points[rows], kernel.function
        gamma = kernel_gamma(samples, kernel.gamma) if function == "rbf" else None
        return cls(Kernel(samples, function, gamma), rows, shares, offsets)

    def nearest(self, samples: Floats) -> Indices:
        """Return the cluster with the nearest centre for each sample, or for each row of its inner products."""
        return np.asarray(np.argmin(self._relative(samples), axis=1), np.intp)

    def squares(self, samples: Floats) -> Floats:
        """Return the squared distance of each sample to each centre, shape (n, k)."""
        if self.kernel.function == PRECOMPUTED:
            raise InputError(
                "kernel='precomputed' does not tell the inner product of a sample with itself, which distances need; "
                "use predict, or another kernel"
            )
        alone = kernel_alone(samples, self.kernel.function, self.kernel.gamma, self.kernel.points)
        squares = self._relative(samples) + alone[:, None]
        return np.asarray(np.maximum(squares, 0.0), np.float64)

    def _relative(self, samples: Floats) -> Floats:
        """Return the same less what does not depend on the cluster."""
        return np.asarray(self.offsets - 2.0 * self._inner(samples) @ self.shares, np.float64)

    def _inner(self, samples: Floats) -> Floats:
        fitted, function = self.kernel.points, self.kernel.function
        if function == PRECOMPUTED:
            return samples[:, self.rows]
        return kernel_between(samples, fitted, function, self.kernel.gamma, fitted)
