"""The strategy ``random``: pairs uniformly, those that are known or follow left out."""

import numpy as np

from pcsos.analysis.active.state import SessionState

#: Draws after which all open pairs are listed, because there are few.
DRAWS = 50


class Uniform:
    """Questions drawn uniformly from all open pairs."""

    def next_pair(self, state: SessionState) -> tuple[int, int] | None:
        """Return an open pair."""
        n, rng = state.knowledge.instance.n_points, state.rng
        for _ in range(DRAWS if n > 1 else 0):
            i, j = sorted(rng.choice(n, 2, replace=False).tolist())
            if state.is_open(i, j):
                return i, j
        counts = np.array([np.count_nonzero(state.open_points(i)[i + 1 :]) for i in range(n)])
        if not counts.any():
            return None
        number = int(rng.integers(counts.sum()))
        i = int(np.searchsorted(np.cumsum(counts), number, side="right"))
        rest = number - int(counts[:i].sum())
        return i, i + 1 + int(np.flatnonzero(state.open_points(i)[i + 1 :])[rest])
