"""Instance files: the instance that the arguments describe."""

import argparse
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pcsos.cli.messages import say
from pcsos.constraints import Constraints
from pcsos.exceptions import InputError
from pcsos.instance import Instance
from pcsos.io import read_table, read_weights
from pcsos.io.columns import Table
from pcsos.io.constraint_file import ConstraintFile
from pcsos.io.constraints import read_constraint_file
from pcsos.io.source import PathLike, name_of
from pcsos.limits import NAMES as LIMITS
from pcsos.names import PointNames
from pcsos.penalties import Penalty
from pcsos.typing import Floats


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the files of an instance hold.

    Parameters
    ----------
    table : Table
        The points and what is known of their columns.
    names : PointNames
        What files call the points.
    weights : ndarray, shape (n,)
        Their weights; 1 where none are given.
    pairs : ConstraintFile
        The constraints and their places; none without a file of them.
    limits : dict
        Limits of clusters by their names, those that are given.
    penalty : float, str or None
        What values of soft pairs mean.
    """

    table: Table
    names: PointNames
    weights: Floats
    pairs: ConstraintFile
    limits: dict[str, Any] = field(default_factory=dict)
    penalty: Penalty = None

    @property
    def has_conditions(self) -> bool:
        """Whether there are limits of clusters or soft pairs."""
        return bool(self.limits) or self.pairs.has_soft_pairs

    @property
    def constraints(self) -> Constraints:
        """The pairs."""
        return self.pairs.constraints

    def instance(self, n_clusters: int) -> Instance:
        """Return the instance with so many clusters.

        Raises
        ------
        InputError
            If there are fewer points, their values are out of range, or no clusters keep to the limits.
        """
        n = len(self.table.points)
        if n_clusters > n:
            raise InputError(f"-k is {n_clusters} but there are only {n} points; give at most {n}")
        table, pairs = self.table, self.constraints
        return Instance(
            table.points, n_clusters, pairs.must_link, pairs.cannot_link, self.weights,
            names=self.names, feature_names=table.names, soft_must_link=self.pairs.soft_must_link,
            soft_cannot_link=self.pairs.soft_cannot_link, penalty=self.penalty, **self.limits,
        )  # fmt: skip


def input_files(arguments: argparse.Namespace) -> dict[str, PathLike | None]:
    """Return the files of an instance by the names of their arguments."""
    return {"POINTS": arguments.points, "--constraints": arguments.constraints, "--weights": arguments.weights}


def read_inputs(arguments: argparse.Namespace, *, is_noted: bool = True) -> Inputs:
    """Return what the files of ``POINTS``, ``--constraints`` and ``--weights`` hold, with notes on what is in doubt.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    if arguments.one_based and arguments.id_column is not None:
        raise InputError("--one-based and --id exclude each other: points are called by number or by id")
    table = read_table(
        arguments.points,
        ignore=arguments.ignore,
        header=arguments.header,
        decimal=arguments.decimal,
        weights_column=arguments.weights_column,
        id_column=arguments.id_column,
    )
    n = len(table.points)
    names = PointNames(n, first=int(arguments.one_based), ids=table.ids)
    weights = np.ones(n) if table.weights is None else table.weights
    if arguments.weights is not None:
        weights = read_weights(arguments.weights, n, decimal=arguments.decimal)
    pairs = ConstraintFile(Constraints(n))
    if arguments.constraints is not None:
        pairs = read_constraint_file(arguments.constraints, table.points, names)
    penalty = pairs.checked_penalty(getattr(arguments, "penalty", None))
    limits = {name: getattr(arguments, name, None) for name in LIMITS}
    limits = {name: value for name, value in limits.items() if value is not None}
    if is_noted and not getattr(arguments, "quiet", False):
        _print_notes(table, arguments.points)
    return Inputs(table, names, weights, pairs, limits, penalty)


def _print_notes(table: Table, path: PathLike) -> None:
    """Say what the user may not have meant."""
    notes = [
        f"the column {name!r} of {name_of(path)} is used as a feature; if it is none, leave it out with --ignore {name}"
        for name in table.suspects
    ]
    if table.remark:
        notes.append(table.remark)
    for note in notes:
        say(f"note: {note}")
