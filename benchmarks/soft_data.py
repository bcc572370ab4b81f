"""The data of Vouros and Vasilaki (2021), as their authors published them, and drawn groups with noise features."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Floats, Indices
from pcsos.problem.generate import sparse_groups

#: The folder of the authors' data, where the suite is told of none.
USUAL = Path("data/pcskm")
#: How many subsets there are of either set of digits, each of 50 points of three digits.
SUBSETS = 10
#: Informative features and noise features of the drawn groups.
GROUPS = {"groups-5-5": (5, 5), "groups-3-7": (3, 7)}
#: Files of the authors, by the names of the data sets in the paper; a subset of digits is read in each repeat.
FILES = {
    "fisheriris": "real/fisheriris.mat",
    "ionosphere": "real/ionosphere.mat",
    "digits048": "digits048/data{subset}.mat",
    "digits389": "digits389/data{subset}.mat",
    "TT-SC-ST": "MWM/TTSCST.mat",
    "TT-CH-ST": "MWM/TTCHST.mat",
}
#: Noise features come last: how many.
NOISE = {"groups-5-5": 5, "groups-3-7": 7, "TT-SC-ST": 10, "TT-CH-ST": 10}


class Data(NamedTuple):
    """A data set.

    Parameters
    ----------
    points : ndarray, shape (n, p)
        The points.
    classes : ndarray of int, shape (n,)
        Their classes.
    """

    points: Floats
    classes: Indices


def missing(data: Path) -> list[Path]:
    """Return the files of the authors that are not in a folder."""
    wanted = [data / name.format(subset=subset) for name in FILES.values() for subset in range(1, SUBSETS + 1)]
    return [path for path in dict.fromkeys(wanted) if not path.exists()]


def load(name: str, data: Path, repeat: int) -> Data:
    """Return points and classes; drawn groups, and subsets of digits, are others in each repeat."""
    if name in GROUPS:
        return Data(*sparse_groups(*GROUPS[name], seed=np.random.default_rng([repeat, 7])))
    from scipy.io import loadmat

    held = loadmat(data / FILES[name].format(subset=repeat % SUBSETS + 1))
    return Data(held["x"].astype(np.float64), held["x_labs"].ravel().astype(np.intp))
