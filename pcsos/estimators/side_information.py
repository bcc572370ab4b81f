"""Side information: what is known about the samples, as pairs of rows of X."""

import warnings

import numpy as np
from numpy.typing import ArrayLike

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.validation.arrays import numbers
from pcsos.problem.validation.labelled_pairs import Located, located
from pcsos.problem.validation.names import Labels

#: The class of a sample in partial labels where it is not known.
UNKNOWN = -1
#: From here on, doubles do not tell one whole number from the next.
TOO_LARGE = 2.0**53


def constraints_on_rows(must_link: Pairs, cannot_link: Pairs, n_rows: int, labels: Labels | None) -> Constraints:
    """Return pairs of positions, or of labels where rows have some, as constraints on the rows."""
    if labels is not None:
        must_link = known_positions(must_link, labels, "must_link").found
        cannot_link = known_positions(cannot_link, labels, "cannot_link").found
    return Constraints(n_rows, must_link, cannot_link)


def known_positions(pairs: Pairs, labels: Labels, name: str) -> Located:
    """Return pairs of labels as pairs of positions, with a warning of those that name a row which is not there."""
    found = located(pairs, labels, name)
    if found.missing:
        warnings.warn(left_out(found, name), stacklevel=4)
    return found


def left_out(pairs: Located, name: str) -> str:
    """Return a sentence on the pairs that name a row which is not there."""
    found, missing = pairs
    remedy = "" if found else "; pairs name rows by the labels of the index, not by their positions"
    return (
        f"{name} has {len(missing)} of {len(found) + len(missing)} pairs with a label that is not in the index of X, "
        f"such as {missing[0][1]!r}; they are left out{remedy}"
    )


def checked_classes(partial_labels: ArrayLike | None, n_rows: int, name: str = "partial_labels") -> Indices:
    """Return the known class of each row, shape (n,), and :data:`UNKNOWN` where there is none."""
    if partial_labels is None:
        return np.full(n_rows, UNKNOWN)
    remedy = f"give one whole number a sample, {UNKNOWN} where the class is not known"
    classes = one_a_sample(partial_labels, n_rows, name, remedy, "whole numbers")
    is_whole = np.isfinite(classes) & (classes == np.floor(classes))
    if not is_whole.all():
        row = int(np.argmin(is_whole))
        raise InputError(f"{name}[{row}] is {classes[row]}; {remedy}")
    sizes = np.abs(classes)
    if sizes.max(initial=0.0) >= TOO_LARGE:
        row = int(np.argmax(sizes))
        raise InputError(
            f"{name}[{row}] is {classes[row]:.17g}, too large to be told from others; number the classes from 0"
        )
    return classes.astype(np.intp)


def one_a_sample(values: ArrayLike, n_samples: int, name: str, remedy: str, kind: str = "numbers") -> Floats:
    """Return one number a sample, shape (n,); what they have to be is said in words."""
    array = numbers(values, name, remedy, kind)
    if array.shape != (n_samples,):
        raise InputError(f"{name} has shape {array.shape} but there are {n_samples} samples; {remedy}")
    return array


def pairs_of_classes(classes: Indices, n_clusters: int) -> tuple[Indices, Indices]:
    """Return must-links within classes and cannot-links between them, as few as say it all.

    The samples of a class are linked in a chain, and only the first ones of two classes are kept apart.

    Raises
    ------
    InfeasibleError
        If there are more classes than clusters.
    """
    known = np.flatnonzero(classes != UNKNOWN)
    known = known[np.argsort(classes[known], kind="stable")]
    chain = np.column_stack([known[:-1], known[1:]])
    is_link = classes[chain[:, 0]] == classes[chain[:, 1]]
    first = np.concatenate([known[:1], chain[~is_link, 1]])
    if len(first) > n_clusters:
        raise InfeasibleError(
            f"partial_labels have {len(first)} classes, which cannot be apart in {n_clusters} clusters; "
            "increase n_clusters or join classes",
            {"kind": "clique", "points": first.tolist()},
        )
    one, other = np.triu_indices(len(first), 1)
    return chain[is_link], np.column_stack([first[one], first[other]])
