"""Decisions: pairs of points that a step puts together or apart."""

from collections.abc import Iterator

from pcsos.verify.effort import OF_AN_ITEM, spend
from pcsos.verify.links import AT_ONCE, KINDS
from pcsos.verify.reader import require
from pcsos.verify.reading.arrays import integers
from pcsos.verify.reading.memory import Memory


class Decisions:
    """The decisions in a blob; walking over them yields (kind, i, j), with few of them as objects at a time.

    Parameters
    ----------
    data : object
        The value of the column.
    n : int
        Number of points.
    memory : Memory
        What they may take.
    """

    def __init__(self, data: object, n: int, memory: Memory) -> None:
        listed = integers(data, "the fixed pairs", memory, ndim=2, most=3 * n * (n + 1) // 2)
        require(len(listed) == len(("kind", "i", "j")), "the fixed pairs: no decisions")
        kinds, points = listed[0], listed[1:]
        require(((kinds == 0) | (kinds == 1)).all(), "the fixed pairs: of an unknown kind")
        require(((points >= 0) & (points < n)).all(), f"the fixed pairs: a point that is not from 0 to {n - 1}")
        require((points[0] != points[1]).all(), "the fixed pairs: a point and itself are not a decision")
        self._listed = listed

    def __len__(self) -> int:
        return int(self._listed.shape[1])

    def __iter__(self) -> Iterator[tuple[str, int, int]]:
        for start in range(0, len(self), AT_ONCE):
            own = self._listed[:, start : start + AT_ONCE].T.tolist()
            spend(OF_AN_ITEM * len(own))
            for kind, i, j in own:
                yield KINDS[kind], i, j
