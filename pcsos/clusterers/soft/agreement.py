"""Agreement: which of several clusterings that have not seen the pairs breaks the fewest of them."""

from collections.abc import Sequence

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.clusterers.soft.pairs import WeightedPairs
from pcsos.problem.conditions.pairs import broken_pairs

#: Starts that such clusterings have at most.
NUM_STARTS = 3


def most_agreeable(candidates: Sequence[Indices], pairs: WeightedPairs) -> int:
    """Return the number of the labels that break the least weight of pairs.

    The first, the simplest, is left only for labels that break less by more than the standard error of the difference:
    the root of the sum of the squared differences of the pairs.

    Parameters
    ----------
    candidates : sequence of ndarray of int, shape (n,)
        Labels that were found without the pairs; what has seen them keeps them in any way.
    pairs : WeightedPairs
        The pairs and their weights.
    """
    broken = np.array([broken_weights(labels, pairs) for labels in candidates])
    best = int(broken.sum(axis=1).argmin())
    difference = broken[0] - broken[best]
    return best if difference.sum() > np.sqrt((difference**2).sum()) else 0


def broken_weights(labels: Indices, pairs: WeightedPairs) -> Floats:
    """Return the weight of each pair that labels break, and 0 for the others, shape (m + c,)."""
    apart, together = broken_pairs(pairs.must_link, pairs.cannot_link, labels)
    return np.concatenate([pairs.must_link_weight * apart, pairs.cannot_link_weight * together])
