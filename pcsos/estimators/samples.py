"""Samples: what estimators fit and predict, checked as scikit-learn does, and refused in one sentence."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.utils.validation import validate_data

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.problem.geometry import refuse_missing
from pcsos.problem.validation.arrays import refuse_too_large
from pcsos.problem.validation.rounding import WHOLE, doubles_of


class InputTypeError(InputError, TypeError):
    """Samples that are no numbers at all, for which scikit-learn's convention is a TypeError."""


def checked_samples(estimator: BaseEstimator, X: ArrayLike, *, reset: bool = True, **settings: Any) -> Floats:
    """Return samples as a dense array, and keep what scikit-learn keeps of their features.

    Parameters
    ----------
    estimator : BaseEstimator
        Whose samples they are.
    X : array-like, shape (n_samples, n_features)
        The samples.
    reset : bool
        Whether they are to be fitted, or have to have the features of those that were.
    settings : dict
        Those of :func:`sklearn.utils.validation.validate_data`; double precision unless given.

    Raises
    ------
    InputError
        If they are no finite numbers, have masked values or dates, or other features.
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
