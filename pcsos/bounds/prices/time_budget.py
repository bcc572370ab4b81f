"""Time budget: how long prices may go on where another way waits for its time."""

import math
import time

#: Seconds that the relaxation of s super-points and a few nodes take at least, over their cube.
RELAXATION = 1e-7
#: With less than this share of the cost missing, only that might do better: blocks hardly ever come so close.
LITTLE = 5e-3
#: Prices give way once they have used this share of their time, and what their first bound lacks has not fallen to that
#: share of itself in the second half of what they have used.
OF_BUDGET, STILL = 0.5, 0.9
#: Where another way may be shorter: more than this share of the cost is missing after boxes by the square of the number
#: of super-points for each axis, or so many at least. That takes a fifth to a half of what a relaxation does; sets that
#: prices win came as close with a third of it (measured on 33 published instances).
FAR, FEWEST_BOXES = 1e-2, 5_000
#: But not while the second half of the boxes leaves at most this share of what was missing: many clusters take longer.
FALLING = 0.5


class BoxBudget:
    """Counts boxes of super-points along axes, and tells when they have led too little far, whatever time there is."""

    def __init__(self, size: int, num_axes: int) -> None:
        self.used, self._enough, self._lacked = 0, max(FEWEST_BOXES, size**2 // num_axes), 0.0

    def hear(self, missing: float) -> None:
        """Take note of the share of the cost that is missing; where it has fallen, there are as many boxes again."""
        if self.used > self._enough and missing <= FALLING * self._lacked:
            self._enough = 2 * self.used
        if 2 * self.used <= self._enough:
            self._lacked = min(missing, 1.0)

    def is_spent(self, missing: float) -> bool:
        """Tell whether prices have to give way, with this share of the cost missing."""
        return missing > FAR and self.used > self._enough


class TimeBudget:
    """Tells when to give way, in a run with a time limit.

    Parameters
    ----------
    size : int
        Number of super-points.
    seconds_left : float
        Until the run has to end.
    share : float
        Share of them after which prices give way in any case, unless there is no other way.
    """

    def __init__(self, size: int, seconds_left: float, share: float) -> None:
        self._begun, self._seconds = time.perf_counter(), share * seconds_left
        self.alone_below = LITTLE if RELAXATION * float(size) ** 3 > seconds_left else 0.0
        self._missing, self._lacked, self._risen = math.inf, math.inf, 0.0

    @property
    def seconds(self) -> float:
        """Seconds since prices began to rise."""
        return time.perf_counter() - self._begun

    def hear(self, missing: float) -> None:
        """Take note of what is missing, as a share of the cost."""
        self._missing = missing
        if missing < STILL * self._lacked:
            self._lacked, self._risen = missing, self.seconds

    def is_over(self) -> bool:
        """Tell whether prices have to give way."""
        if self._missing < self.alone_below:
            return False
        is_stuck = math.isfinite(self._missing) and self.seconds > max(OF_BUDGET * self._seconds, 2.0 * self._risen)
        return is_stuck or self.seconds > self._seconds
