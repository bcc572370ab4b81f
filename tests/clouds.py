"""Points in groups around centres that are drawn, dealt out in turn."""

import numpy as np
from numpy.typing import NDArray


def clouds(
    rng: int | np.random.Generator, n: int, k: int, d: int, apart: float
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Return points, shape (n, d), around centres that are so many deviations apart or so, and the group of each."""
    rng, labels = np.random.default_rng(rng), np.arange(n) % k
    centres = apart * rng.normal(size=(k, d))
    return centres[labels] + rng.normal(size=(n, d)), labels
