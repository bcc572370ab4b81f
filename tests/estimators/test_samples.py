"""What estimators refuse to fit and to predict: each says so in one sentence, as an InputError."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_array

from pcsos import CertifiedKMeans, MemeticKMeans
from pcsos.base.exceptions import InputError
from pcsos.clusterers import MCSSDBS, MCSSGC, SSGC, ConnectedKMeans, MPCKMeans, PCKMeans, SparseKMeans

POINTS = np.random.default_rng(0).normal(size=(12, 2)) + 6.0 * np.repeat([[0, 0], [1, 1]], 6, axis=0)
SEEDS = np.where(np.arange(12) % 5 == 0, np.arange(12) // 6, -1)
MASKED = np.ma.masked_array(POINTS, mask=np.arange(24).reshape(12, 2) == 5)
TABLE = pd.DataFrame(POINTS, columns=["x", "y"], index=[*"abcdefghijkl"])
ESTIMATORS: dict[str, tuple[Any, dict[str, Any]]] = {
    "CertifiedKMeans": (lambda: CertifiedKMeans(2, workers=1), {}),
    "CertifiedKMeans, rbf": (lambda: CertifiedKMeans(2, kernel="rbf", workers=1), {}),
    "MemeticKMeans": (lambda: MemeticKMeans(2, max_stall=5), {}),
    "PCKMeans": (lambda: PCKMeans(2), {}),
    "MPCKMeans": (lambda: MPCKMeans(2), {}),
    "SparseKMeans": (lambda: SparseKMeans(2), {}),
    "SSGC": (lambda: SSGC(3), {"y": SEEDS}),
    "MCSSGC": (lambda: MCSSGC(3), {"y": SEEDS}),
    "MCSSDBS": (lambda: MCSSDBS(3), {"y": SEEDS}),
    "ConnectedKMeans": (lambda: ConnectedKMeans(2), {"connectivity": np.ones((12, 12))}),
}
REFUSED: dict[str, tuple[Any, str]] = {
    "masked": (MASKED, "X has masked values, which are no real numbers; fill or remove them"),
    "NaN": (
        np.where(POINTS[3, 1] == POINTS, np.nan, POINTS),
        r"NaN at X\[3, 1\]; remove that row or impute",
    ),
    "infinity": (np.where(POINTS[2, 0] == POINTS, np.inf, POINTS), r"infinity or .* at X\[2, 0\]; remove that row"),
    "one dimension": (POINTS[:, 0], "1D array"),
    "complex": (POINTS * 1j, "omplex"),
    "text": (np.full((12, 2), "a"), "could not convert|text"),
    "None": (None, "Expected 2D array"),
    "too large": (POINTS * 1e200, "too large to be squared"),
    "a lacking value": (TABLE.mask(TABLE.iloc[4, 0] == TABLE), "X: the row 'e' has no value in the column 'x'"),
    "dates": (TABLE.assign(y=pd.Timestamp("2020-01-01")), "the column 'y' of X holds dates or durations; give numbers"),
    "durations": (np.full((12, 2), np.timedelta64(3, "s")), "X holds dates or durations"),
}


@pytest.mark.parametrize("name", ESTIMATORS)
@pytest.mark.parametrize("kind", REFUSED)
def test_what_is_no_sample_is_refused(name: str, kind: str) -> None:
    make, given = ESTIMATORS[name]
    X, message = REFUSED[kind]
    with pytest.raises(InputError, match=message):
        make().fit(X, **given)
    fitted = make().fit(POINTS, **given)
    if hasattr(fitted, "predict") and kind != "a lacking value":
        with pytest.raises(InputError, match=message):
            fitted.predict(X)


def test_sparse_samples_are_made_dense_where_that_is_said() -> None:
    fitted = [CertifiedKMeans(2).fit(own).labels_ for own in (csr_array(POINTS), POINTS)]
    np.testing.assert_array_equal(*fitted)
    with pytest.raises(InputError, match="parse"):
        ConnectedKMeans(2).fit(csr_array(POINTS), connectivity=np.ones((12, 12)))


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if "rbf" not in name])
def test_samples_whose_squares_vanish_are_refused(name: str) -> None:
    make, given = ESTIMATORS[name]
    with pytest.raises(InputError, match=r"too little|too small"):
        make().fit(POINTS * 1e-170, **given)
