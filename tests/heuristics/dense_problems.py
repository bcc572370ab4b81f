"""Problems with many cannot-links, and whether labels keep to them."""

import numpy as np

from pcsos.problem.instance import Instance
from pcsos.problem.reduction import Reduced, reduce_instance


def dense(seed: int, n: int = 60, k: int = 6, share: float = 0.4) -> tuple[Reduced, np.ndarray]:
    """A problem with many cannot-links, and labels that respect them."""
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.arange(n) % k)
    i, j = np.triu_indices(n, 1)
    chosen = (labels[i] != labels[j]) & (rng.random(i.size) < share)
    weights = rng.choice([1.0, 2.0, 0.5], n)
    reduced = reduce_instance(Instance(rng.normal(size=(n, 2)), k, (), np.column_stack([i, j])[chosen], weights))
    return reduced, labels.astype(np.intp)


def keeps(reduced: Reduced, labels: np.ndarray) -> bool:
    i, j = reduced.cannot_link.T
    return bool((labels[i] != labels[j]).all() and np.bincount(labels, minlength=reduced.n_clusters).min() > 0)
