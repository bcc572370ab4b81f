"""Sources: the file that the numbers of an instance come from, and what they are."""

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats
from pcsos.io.columns import Table
from pcsos.io.source import PathLike, name_of
from pcsos.problem.geometry import Spacing
from pcsos.problem.similarity import Distances, Gram, Kernel, inner_products, kernel_matrix
from pcsos.problem.validation.arrays import symmetric
from pcsos.problem.validation.rounding import Rounded

#: The arguments of which one names the file.
KINDS = {"points": "POINTS", "gram": "--gram", "distances": "--distances"}


@dataclass(frozen=True)
class Source:
    """A table of points, of inner products or of squared distances.

    Parameters
    ----------
    kind : str
        A key of :data:`KINDS`.
    path : path
        The file.
    kernel, gamma : str or None, float or None
        What makes inner products of points.
    """

    kind: str
    path: PathLike
    kernel: str | None = None
    gamma: float | None = None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "Source":
        """Return the source that the arguments name.

        Raises
        ------
        InputError
            If they name none, or several, or a kernel of something else than points.
        """
        paths = {kind: path for kind in KINDS if (path := getattr(arguments, kind, None)) is not None}
        if len(paths) != 1:
            raise InputError("give one of POINTS, --gram FILE and --distances FILE")
        ((kind, path),) = paths.items()
        kernel, gamma = getattr(arguments, "kernel", None), getattr(arguments, "gamma", None)
        if kernel is not None and kind != "points":
            raise InputError(f"--kernel is for POINTS, but {KINDS[kind]} is given; leave one of them out")
        if gamma is not None and kernel is None:
            raise InputError("--gamma says nothing without --kernel rbf; give that too")
        return cls(kind, path, kernel, gamma)

    @property
    def name(self) -> str:
        """What the file is called among the arguments."""
        return KINDS[self.kind]

    @property
    def file_name(self) -> str:
        """The name of the file without its folder, as pages have it."""
        return Path(name_of(self.path)).name

    @property
    def has_coordinates(self) -> bool:
        """Whether its numbers are coordinates."""
        return self.kind == "points"

    def spacing(self, table: Floats) -> Spacing:
        """Return the distances of the points, in the feature space where there is one."""
        if self.kind == "points" and self.kernel is None:
            return Spacing.of(table)
        return Spacing.of_products(len(table), lambda: self.products(table))

    def products(self, table: Floats) -> Floats:
        """Return the inner products of the points, of those that have some."""
        if self.kind == "gram":
            return symmetric(table, "gram")
        if self.kernel is None:
            return inner_products(table)
        return kernel_matrix(table, self.kernel, self.gamma)

    def place(self, table: Table) -> Any:
        """Return what stands for the points of an instance."""
        if self.kind == "gram":
            return Gram(table.points)
        if self.kind == "distances":
            return Distances(table.points)
        points = Rounded(table.points, table.off())
        return points if self.kernel is None else Kernel(points, self.kernel, self.gamma)
