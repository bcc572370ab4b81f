"""Inputs: the instance that the arguments describe, and what a run is to begin with."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pcsos.base.exceptions import InputError
from pcsos.base.numerics.portable import column_deviations, column_means
from pcsos.base.typing import Floats, Indices
from pcsos.cli.messages import say
from pcsos.cli.options import written
from pcsos.io import read_table, read_weights
from pcsos.io.columns import Table
from pcsos.io.constraints import ConstraintFile, read_constraint_file
from pcsos.io.labels import read_earlier_labels, read_labels
from pcsos.io.source import PathLike, name_of
from pcsos.problem.conditions.conditions import FAMILIES
from pcsos.problem.conditions.distances import Diameter, DistanceLimit, Split, limited
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.conditions.role import Condition, Spelling
from pcsos.problem.conditions.soft_pairs import SoftPairs
from pcsos.problem.geometry import Spacing
from pcsos.problem.instance import Instance
from pcsos.problem.notes import notes
from pcsos.problem.options import Options
from pcsos.problem.similarity import Distances, Gram, Kernel, inner_products, kernel_matrix
from pcsos.problem.validation.arrays import symmetric
from pcsos.problem.validation.names import PointNames
from pcsos.problem.validation.rounding import Rounded
from pcsos.verify.reading.text import number_of

#: The arguments of which one names the file.
KINDS = {"points": "POINTS", "gram": "--gram", "distances": "--distances"}


@dataclass(frozen=True)
class Source:
    """A table of points, of inner products or of squared distances."""

    kind: str  #: a key of :data:`KINDS`
    path: PathLike  #: the file
    #: what makes inner products of points
    kernel: str | None = None
    gamma: float | None = None

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> "Source":
        """Return the source that the arguments name; none, several, and a kernel of no points are refused."""
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


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the files of an instance hold."""

    table: Table  #: the points and what is known of their columns
    names: PointNames  #: what files call the points
    weights: Floats  #: shape (n,): their weights; 1 where none are given
    pairs: ConstraintFile  #: the constraints and their places; none without a file of them
    source: Source  #: what the numbers of the table are
    conditions: list[Condition] = field(default_factory=list)  #: what is asked of clusters besides
    scaling: Callable[[Floats], Floats] | None = None  #: does to points what was done to those of the file
    originals: Floats | None = None  #: shape (n, d): the features before that was done
    is_noted: bool = False  #: whether to say what may not be meant

    @property
    def beside_pairs(self) -> list[Condition]:
        """The conditions that are no pairs: limits of clusters and soft pairs."""
        return [own for own in self.conditions if not isinstance(own, DistanceLimit)]

    @cached_property
    def constraints(self) -> Constraints:
        """The pairs, with those that the limits stand for."""
        return limited(self.pairs.constraints, self.source.spacing(self.table.points), self.conditions)

    def place(self, keyword: str, i: int, j: int) -> str:
        """Return where it is said that i and j must (``ML``) or cannot (``CL``) be linked."""
        own = self.pairs.constraints
        pairs = own.must_link if keyword == "ML" else own.cannot_link
        kind = Split if keyword == "ML" else Diameter
        limits = [own for own in self.conditions if isinstance(own, kind)]
        if not limits or (pairs == sorted((i, j))).all(axis=1).any():
            return f"{self.pairs.path} {self.pairs.place(keyword, i, j)}"
        ((field, spelling),) = kind.SPELLINGS.items()
        return f"{written(spelling.name)} {getattr(limits[0], field):g}"

    def instance(self, n_clusters: int) -> Instance:
        """Return the instance with so many clusters, and say what may not be meant."""
        n = len(self.table.points)
        if n_clusters > n:
            raise InputError(f"-k is {n_clusters} for {number_of(n, 'point')}; give at most {n}")
        pairs = self.constraints
        instance = Instance(
            n_clusters=n_clusters, must_link=pairs.must_link, cannot_link=pairs.cannot_link, weights=self.weights,
            names=self.names, feature_names=self.table.names, conditions=self.beside_pairs,
            points=self.source.place(self.table),
        )  # fmt: skip
        self.note(instance)
        return instance

    def note(self, instance: Instance) -> None:
        """Say what may not be meant in an instance, unless nothing is to be said."""
        for note in notes(instance) if self.is_noted else ():
            say(f"note: {note}")


def read_inputs(arguments: argparse.Namespace, *, is_noted: bool = True) -> Inputs:
    """Return what the files of an instance hold, with notes on what is in doubt."""
    source = Source.of(arguments)
    table = read_table(
        source.path,
        features=arguments.features,
        ignore=arguments.ignore,
        header=arguments.header,
        decimal=arguments.decimal,
        weights_column=getattr(arguments, "weights_column", None),
        id_column=arguments.id_column,
        shown=getattr(arguments, "show", ()),
    )
    if arguments.one_based and table.ids is not None:
        raise InputError("--one-based and ids of points exclude each other; leave it out, or ignore the column of ids")
    scaling, originals = None, None
    if arguments.standardize:
        if not source.has_coordinates:
            raise InputError(f"--standardize is for POINTS, but {KINDS[source.kind]} is given; leave one of them out")
        originals, scaling = table.points, standardization(table.points)
        table = replace(table, points=scaling(originals), off=lambda: 0.0)
    n = len(table.points)
    names = PointNames(n, first=int(arguments.one_based), ids=table.ids)
    weights = np.ones(n) if table.weights is None else table.weights
    if getattr(arguments, "weights", None) is not None:
        weights = read_weights(arguments.weights, n, decimal=arguments.decimal)
    pairs = ConstraintFile(Constraints(n))
    if arguments.constraints is not None:
        pairs = read_constraint_file(arguments.constraints, source.spacing(table.points), names)
        if table.unnamed:
            refuse_either_numbering(pairs, names, f"column {table.unnamed} of {name_of(source.path)}", table.unnamed)
    penalty = getattr(arguments, "penalty", None)
    conditions = read_conditions(arguments, names)
    if pairs.has_soft_pairs:
        penalty = pairs.checked_penalty(penalty)
        conditions.append(SoftPairs(pairs.soft_must_link, pairs.soft_cannot_link, penalty))
    elif penalty is not None:
        raise InputError(
            "--penalty says nothing without soft pairs; give lines SML or SCL in --constraints, or leave it out"
        )
    is_noted = is_noted and not getattr(arguments, "quiet", False)
    if is_noted and source.has_coordinates:  # what the user may not have meant
        for name in table.suspects:
            what = f"the column {name!r} of {name_of(source.path)} is used as a feature; if it is none"
            say(f"note: {what}, leave it out with --ignore {name}")
        if table.remark:
            say(f"note: {table.remark}")
    return Inputs(table, names, weights, pairs, source, conditions, scaling, originals, is_noted)


def refuse_either_numbering(pairs: ConstraintFile, names: PointNames, where: str, column: str) -> None:
    """Refuse pairs of numbers that may be ids, which nobody has said they are, or count the rows from 0."""
    points = {point for rows in pairs.listed.values() for row in rows for point in row[:2]}
    ids = {point: names[point] for point in points}
    may_count = all(name.isdecimal() and int(name) < names.n_points for name in ids.values())
    if may_count and any(int(name) != point for point, name in ids.items()):
        raise InputError(
            f"{pairs.path} has numbers of points that may be the ids in {where}, which has no name, or count the rows "
            f"from 0; say --id {column} if they are ids, and --ignore {column} if they count (--one-based if from 1)"
        )


def read_hard_inputs(arguments: argparse.Namespace) -> Inputs:
    """Return the same for a command to which penalties mean nothing: soft pairs are refused."""
    inputs = read_inputs(arguments)
    if inputs.pairs.has_soft_pairs:
        raise InputError(
            f"{inputs.pairs.path} has soft pairs, whose penalties mean nothing to {arguments.command}; give must-links "
            "and cannot-links (ML and CL), or take solve or heuristic"
        )
    return inputs


def standardization(points: Floats) -> Callable[[Floats], Floats]:
    """Return what moves each feature of points, (n, d), to mean 0 and standard deviation 1; a constant one becomes 0.

    Mean and deviation (over n, not n - 1) have the same bits on every processor, so that a run is recognised by its
    points everywhere.
    """
    means, spread = column_means(points), column_deviations(points)
    deviations = np.where(spread > 0.0, spread, 1.0)
    return lambda others: np.asarray((others - means) / deviations, np.float64)


def read_conditions(arguments: argparse.Namespace, names: PointNames) -> list[Condition]:
    """Return the conditions that the arguments ask for, but for soft pairs, which a file has."""
    found = []
    for family in (own for own in FAMILIES if own is not SoftPairs):
        values: dict[str, Any] = {name: getattr(arguments, own.name, None) for name, own in family.SPELLINGS.items()}
        for name, own in family.SPELLINGS.items():
            if own.file_of and values[name] is not None:
                values[name] = read_each(values[name], names, own, arguments.decimal)
        found += [family(**values)] if any(value is not None for value in values.values()) else []
    return found


def read_each(path: PathLike, names: PointNames, own: Spelling, decimal: str) -> NDArray[Any]:
    """Return what a file has for each point: labels, or numbers in columns."""
    if not own.has_numbers:
        return read_labels(path, names.n_points, names, what=own.file_of)
    table = read_table(path, decimal=decimal)
    if table.suspects or len(table.points) != names.n_points:
        what = f"the column {table.suspects[0]!r}" if table.suspects else f"{len(table.points)} rows"
        raise InputError(
            f"{name_of(path)} has {what}; give a row for each of {names.n_points} points, in their order, and nothing "
            f"but a column for each {own.file_of}"
        )
    return table.points


def refuse_unless_method(arguments: argparse.Namespace, name: str, known: Sequence[str]) -> None:
    """Refuse an option that says something of methods other than the one that is given."""
    if arguments.method not in known:
        raise InputError(
            f"{written(name)} is for the method {' or '.join(known)}, but the method is {arguments.method}; leave it "
            "out, or give another --method"
        )


def options_of(arguments: argparse.Namespace) -> Options:
    """Return those options of a run that are arguments, too."""
    return Options(**{own.name: getattr(arguments, own.name) for own in fields(Options) if own.name in arguments})


def read_beginnings(arguments: argparse.Namespace, inputs: Inputs) -> tuple[NDArray[Any] | None, Indices | None]:
    """Return the labels or centres that a run is to begin with, and earlier clusters of points; None without files."""
    start: NDArray[Any] | None = None
    names, may_lack = inputs.names, bool(arguments.outliers)
    if arguments.initial_labels is not None:
        start = read_labels(arguments.initial_labels, names.n_points, names, may_lack=may_lack)
    elif arguments.initial_centers is not None:
        start = _read_centers(arguments.initial_centers, arguments.decimal, inputs)
    return start, None if arguments.match_to is None else read_earlier_labels(arguments.match_to, names)


def _read_centers(path: PathLike, decimal: str, inputs: Inputs) -> Floats:
    """Return centres in the units of the points, their columns by name where both files name them."""
    table = read_table(path, decimal=decimal)
    centers, features = table.points, inputs.table.names
    if table.names is not None and features is not None:
        missing = [name for name in features if name not in table.names]
        if missing:
            raise InputError(
                f"{name_of(path)} has no column {missing[0]!r}, which is a feature of the points; give all of them"
            )
        centers = centers[:, [table.names.index(name) for name in features]]
    elif centers.shape[1] != inputs.table.points.shape[1]:
        raise InputError(
            f"{name_of(path)} has {centers.shape[1]} columns for {inputs.table.points.shape[1]} features; give a row "
            "of features for each cluster"
        )
    return centers if inputs.scaling is None else inputs.scaling(centers)
