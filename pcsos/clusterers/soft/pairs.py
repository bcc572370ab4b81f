"""Soft pairs: constraints on rows, and what each of them weighs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.estimators.samples import known_positions
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.validation.arrays import numbers, spelled_out
from pcsos.problem.validation.names import Labels


@dataclass(frozen=True, eq=False)
class WeightedPairs:
    """Pairs that should share a cluster, or should not, and their weights.

    Parameters
    ----------
    must_link, cannot_link : ndarray of int, shapes (m, 2) and (c, 2)
        The pairs, each once.
    must_link_weight, cannot_link_weight : ndarray, shapes (m,) and (c,)
        By how much the cost of breaking each of them is multiplied, at least 0.
    """

    must_link: Indices
    cannot_link: Indices
    must_link_weight: Floats
    cannot_link_weight: Floats

    @property
    def are_any(self) -> bool:
        """Whether there are any pairs that weigh something."""
        return bool(self.must_link_weight.any() or self.cannot_link_weight.any())


@dataclass(frozen=True, eq=False)
class Given:
    """Pairs of one kind as a user gives them, in that order.

    Parameters
    ----------
    name : {"must_link", "cannot_link"}
        Which kind they are of.
    pairs : Pairs
        Pairs of positions, without those that name a row which is not there.
    missing : list of int
        The numbers of those that do.
    """

    name: str
    pairs: Pairs
    missing: list[int]

    @classmethod
    def of(cls, pairs: Pairs, name: str, labels: Labels | None) -> "Given":
        """Return pairs of positions, or of labels where rows have some.

        Raises
        ------
        InputError
            If they are no pairs.
        """
        if labels is None or pairs is None:
            return cls(name, () if pairs is None else _listed(pairs, name), [])
        found, missing = known_positions(pairs, labels, name)
        return cls(name, found, [number for number, _ in missing])

    def weights(self, weight: ArrayLike, pairs: Indices, n_rows: int) -> Floats:
        """Return the weight of each of the pairs, which are these, sorted and without duplicates.

        A pair that is given twice counts once, with the larger of its weights.

        Raises
        ------
        InputError
            If there is neither one weight for all nor one per pair, or one is negative.
        """
        weights = _checked(weight, self.name)
        if weights.ndim == 0:
            return np.full(len(pairs), weights)
        positions = np.asarray(self.pairs)
        num_given = len(positions) + len(self.missing)
        if weights.shape != (num_given,):
            raise InputError(
                f"{self.name}_weight has shape {weights.shape} but there are {num_given} pairs in {self.name}; "
                "give one number, or one per pair"
            )
        weights = np.delete(weights, self.missing)
        ends = np.sort(positions.astype(np.intp).reshape(-1, 2), axis=1)
        is_pair = ends[:, 0] != ends[:, 1]
        place = np.searchsorted(pairs @ [n_rows, 1], ends[is_pair] @ [n_rows, 1])
        largest = np.zeros(len(pairs))
        np.maximum.at(largest, place, weights[is_pair])
        return largest


def _listed(pairs: Pairs, name: str) -> Pairs:
    """Return pairs that can be gone through more than once."""
    listed: Pairs = spelled_out(pairs, name, "give pairs of point indices such as [(0, 5), (2, 3)]", ordered=False)
    return listed


def _checked(weight: ArrayLike, name: str) -> Floats:
    remedy = "give one finite number of at least 0, or one per pair"
    weights = numbers(weight, f"{name}_weight", remedy)
    is_good = np.isfinite(weights) & (weights >= 0.0)
    if not is_good.all():
        worst = weights[~is_good].flat[0]
        raise InputError(f"{name}_weight holds {worst}; {remedy} (pairs that must hold are those of pcsos.solve)")
    return weights


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
