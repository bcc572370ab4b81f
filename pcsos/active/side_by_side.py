"""Two points side by side, as text: what they are called, their features, and where they differ."""

import numpy as np

from pcsos.problem.instance import Instance

#: Features of a pair that are shown at most, those that differ most.
MOST_FEATURES = 30
#: Standard deviations of a feature from which on a difference is marked, once for each that is reached.
MARKED = (0.5, 1.0, 2.0)


class SideBySide:
    """Shows pairs of points of an instance.

    Parameters
    ----------
    instance : Instance
        The points, with names of points and features where there are any.

    Examples
    --------
    >>> from pcsos import Instance
    >>> from pcsos.active import SideBySide
    >>> print(SideBySide(Instance([[1.0, 5.0], [1.0, 7.0]], 2, feature_names=("length", "width")))(0, 1))
    point   0  1
    length  1  1  =
    width   5  7  ***  by 2 standard deviations
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self._spread = instance.points.std(axis=0)

    def __call__(self, i: int, j: int) -> str:
        """Return a table of points i and j, a line for each feature."""
        points, names = self.instance.points, self.instance.names
        scale = np.where(self._spread > 0.0, self._spread, 1.0)
        apart = np.abs(points[i] / scale - points[j] / scale)
        shown = np.sort(np.argsort(-apart, kind="stable")[:MOST_FEATURES])
        rows = [(names.title, names[i], names[j], "")]
        rows += [
            (self.instance.feature_titles[f], f"{points[i, f]:.6g}", f"{points[j, f]:.6g}", _mark(float(apart[f])))
            for f in shown.tolist()
        ]
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [
            f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  {row[3]}".rstrip() for row in rows
        ]
        hidden = apart.size - shown.size
        return "\n".join([*lines, *([f"and {hidden} features that differ less"] if hidden else [])])


def _mark(apart: float) -> str:
    """Return what is written beside two values that are so many standard deviations apart."""
    if apart == 0.0:
        return "="
    stars = "*" * sum(apart >= least for least in MARKED)
    return f"{stars or '.':<3}  by {apart:.2g} standard deviations"
