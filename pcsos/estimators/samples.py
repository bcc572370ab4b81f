"""Samples: what estimators fit and predict, checked as scikit-learn does, and refused in one sentence."""

import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from pcsos.base.exceptions import InfeasibleError, InputError
from pcsos.base.typing import Floats, Indices, Pairs
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.geometry import refuse_missing
from pcsos.problem.validation.arrays import numbers, refuse_too_large
from pcsos.problem.validation.names import Labels, Located, located
from pcsos.problem.validation.rounding import WHOLE, doubles_of


class InputTypeError(InputError, TypeError):
    """Samples that are no numbers at all, for which scikit-learn's convention is a TypeError."""


def checked_samples(estimator: BaseEstimator, X: ArrayLike, *, reset: bool = True, **settings: Any) -> Floats:
    """Return samples as a dense array, and keep what scikit-learn keeps of their features.

    With ``reset`` they are to be fitted; otherwise they have to have the features of those that were. The settings are
    those of :func:`sklearn.utils.validation.validate_data`; double precision unless given. What is no finite number,
    masked or a date is refused.
    """
    if np.ma.is_masked(X):
        raise InputError("X has masked values, which are no real numbers; fill or remove them")
    refuse_missing(X, "X")
    _refuse_dates(X)
    try:
        samples = validate_data(estimator, X, reset=reset, **{"dtype": np.float64, **settings})
    except TypeError as error:
        raise InputTypeError(str(error)) from error
    except (ValueError, OverflowError) as error:
        raise InputError(_sentence(error, X)) from error
    dense: Floats = samples.toarray() if issparse(samples) else samples
    refuse_too_large(dense, "X")
    if not issparse(X) and (np.abs(dense) >= WHOLE).any():
        doubles_of(X, "X")  # refuses whole numbers that are none
    return dense


def _refuse_dates(X: Any) -> None:
    """Refuse dates and durations, whose squares depend on the unit in which they happen to be stored."""
    kinds = {name: X[name].dtype for name in X.columns} if hasattr(X, "iloc") and hasattr(X, "columns") else {}
    if not kinds and hasattr(X, "dtype"):
        kinds = {"": X.dtype}
    for name, kind in kinds.items():
        if getattr(kind, "kind", "") in "mM":
            where = f"the column {name!r} of X" if name else "X"
            raise InputError(f"{where} holds dates or durations; give numbers, such as days since a date")


def _sentence(error: Exception, X: Any) -> str:
    """Return what scikit-learn says, without its advice about other estimators, and where the value is."""
    said = str(error)
    if not said.startswith("Input X contains"):
        return said
    first = said.split("\n", 1)[0].rstrip(".")
    try:
        rows = np.asarray(X, np.float64)
        place = "".join(f"[{', '.join(map(str, at))}]" for at in np.argwhere(~np.isfinite(rows))[:1].tolist())
    except (TypeError, ValueError):
        place = ""
    return f"{first}{f' at X{place}' if place else ''}; remove that row or impute the value"


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

    The samples of a class are linked in a chain, and only the first ones of two classes are kept apart. More classes
    than clusters are infeasible.
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
