"""Soft pairs: constraints on rows, and what each of them weighs."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from pcsos.coercion import real_numbers, spelled_out
from pcsos.constraints import Pairs
from pcsos.estimators.side_information import constraints_on_rows
from pcsos.exceptions import InputError
from pcsos.labelled_pairs import located
from pcsos.names import Labels
from pcsos.typing import Floats, Indices


@dataclass(frozen=True, eq=False)
class SoftPairs:
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


def soft_pairs_on_rows(
    must_link: Pairs,
    cannot_link: Pairs,
    must_link_weight: ArrayLike,
    cannot_link_weight: ArrayLike,
    n_rows: int,
    labels: Labels | None,
) -> SoftPairs:
    """Return pairs of positions, or of labels where rows have some, with one weight for all or one a pair.

    A pair that is given twice counts once, with the larger of its weights.

    Raises
    ------
    InputError
        If pairs or weights cannot be used.
    """
    together, apart = _listed(must_link, "must_link"), _listed(cannot_link, "cannot_link")
    constraints = constraints_on_rows(together, apart, n_rows, labels)
    return SoftPairs(
        constraints.must_link,
        constraints.cannot_link,
        _weights(must_link_weight, together, "must_link", constraints.must_link, n_rows, labels),
        _weights(cannot_link_weight, apart, "cannot_link", constraints.cannot_link, n_rows, labels),
    )


def _listed(pairs: Pairs, name: str) -> Pairs:
    """Return pairs that can be gone through more than once."""
    if pairs is None:
        return ()
    listed: Pairs = spelled_out(pairs, name, "give pairs of point indices such as [(0, 5), (2, 3)]", ordered=False)
    return listed


def _weights(weight: ArrayLike, given: Pairs, name: str, pairs: Indices, n_rows: int, labels: Labels | None) -> Floats:
    """Return the weight of each of the pairs, which are those given, sorted and without duplicates."""
    weights = _checked(weight, name)
    if weights.ndim == 0:
        return np.full(len(pairs), weights)
    rows = given
    num_given = len(np.asarray(given))
    if weights.shape != (num_given,):
        raise InputError(
            f"{name}_weight has shape {weights.shape} but there are {num_given} pairs in {name}; give one number, or "
            "one a pair"
        )
    if labels is not None:
        rows, missing = located(given, labels, name)
        weights = np.delete(weights, [number for number, _ in missing])
    ends = np.sort(np.asarray(rows, np.intp).reshape(-1, 2), axis=1)
    is_pair = ends[:, 0] != ends[:, 1]
    place = np.searchsorted(pairs @ [n_rows, 1], ends[is_pair] @ [n_rows, 1])
    largest = np.zeros(len(pairs))
    np.maximum.at(largest, place, weights[is_pair])
    return largest


def _checked(weight: ArrayLike, name: str) -> Floats:
    remedy = "give one finite number of at least 0, or one a pair"
    try:
        weights = real_numbers(np.asarray(spelled_out(weight, f"{name}_weight", remedy)))
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"{name}_weight must be numbers: {error}; {remedy}") from error
    is_good = np.isfinite(weights) & (weights >= 0.0)
    if not is_good.all():
        worst = weights[~is_good].flat[0]
        raise InputError(f"{name}_weight holds {worst}; {remedy} (pairs that must hold are those of pcsos.solve)")
    return weights
