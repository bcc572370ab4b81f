"""Oracles: who answers; any function of two points that returns True (together), False (apart) or None (unknown)."""

import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from pcsos.analysis.active.answers import read_entries
from pcsos.base.exceptions import InputError
from pcsos.base.typing import Indices
from pcsos.io.source import PathLike, read_bytes, refuse_other_than_text
from pcsos.problem.validation.arrays import number_between, whole_number
from pcsos.problem.validation.cluster_names import sorted_classes
from pcsos.problem.validation.names import PointNames

Oracle = Callable[[int, int], bool | None]

#: What people type.
REPLIES: dict[str, bool | None] = {"y": True, "yes": True, "n": False, "no": False, "u": None, "unknown": None}


class LabelOracle:
    """Somebody who knows the classes, and is wrong about some pairs.

    Parameters
    ----------
    labels : array_like, shape (n,)
        The class of each point, by any names.
    error_rate : float
        Probability of a wrong answer. Asked again, it is the same.
    seed : int
        Seed of the errors.

    Examples
    --------
    >>> from pcsos.analysis.active import LabelOracle
    >>> LabelOracle(["a", "b", "a"])(0, 2)
    True
    """

    def __init__(self, labels: ArrayLike, error_rate: float = 0.0, seed: int = 0) -> None:
        self.classes: Indices = sorted_classes(labels, "labels")
        self.error_rate = number_between("error_rate", error_rate, 0.0, 1.0)
        self.seed = whole_number("seed", seed, 0)

    def __call__(self, i: int, j: int) -> bool:
        """Return whether points i and j are of one class."""
        if max(i, j) >= self.classes.size:
            raise InputError(
                f"labels are {self.classes.size}, but point {max(i, j)} is asked for; give one class a point"
            )
        is_wrong = np.random.default_rng([self.seed, min(i, j), max(i, j)]).random() < self.error_rate
        return bool(self.classes[i] == self.classes[j]) != is_wrong


class AskUser:
    """Somebody at the terminal.

    Parameters
    ----------
    show : callable, optional
        Called with two points, which it shows; what it returns is printed. Unless given, indices are shown.
    """

    def __init__(self, show: Callable[[int, int], str | None] | None = None) -> None:
        self.show = show or (lambda i, j: f"points {i} and {j}")

    def __call__(self, i: int, j: int) -> bool | None:
        """Ask until the reply is y (yes), n (no) or u (unknown); the end of the input is a KeyboardInterrupt."""
        shown = self.show(i, j)
        if shown is not None:
            print(shown)
        while True:
            print("same cluster? y / n / u (unknown) ", end="", flush=True)
            line = sys.stdin.readline()
            if not line:
                raise KeyboardInterrupt
            if line.strip().lower() in REPLIES:
                return REPLIES[line.strip().lower()]


class AnswersFile:
    r"""Answers that somebody has written into a file; about all other pairs nothing is known.

    Parameters
    ----------
    path : path-like
        CSV with the columns ``i``, ``j`` and ``answer`` (``yes``, ``no`` or ``unknown``), or the log of a session.
    n_points : int or PointNames
        How many points there are, or what the file calls them.

    Raises
    ------
    InputError
        If the file cannot be read or says two things about one pair.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from pcsos.analysis.active import AnswersFile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "answers.csv")
    ...     _ = path.write_text("i,j,answer\n3,1,yes\n0,2,no\n")
    ...     oracle = AnswersFile(path, 4)
    >>> oracle(1, 3), oracle(0, 2), oracle(0, 1)
    (True, False, None)
    """

    def __init__(self, path: PathLike, n_points: int | PointNames) -> None:
        data = read_bytes(path)
        refuse_other_than_text(data, path)
        names = n_points if isinstance(n_points, PointNames) else PointNames(n_points)
        self.answers: dict[tuple[int, int], bool | None] = {}
        for (i, j, same), _ in read_entries(data.decode("utf-8-sig"), Path(path), names):
            pair = min(i, j), max(i, j)
            if self.answers.setdefault(pair, same) != same:
                raise InputError(f"{path} answers the question about {names[i]} and {names[j]} in two ways; remove one")

    def __call__(self, i: int, j: int) -> bool | None:
        """Return what the file says about points i and j."""
        return self.answers.get((min(i, j), max(i, j)))
