"""Instance files: the instance that the arguments describe."""

import argparse
from dataclasses import dataclass

import numpy as np

from pcsos.cli.messages import say
from pcsos.constraints import Constraints
from pcsos.instance import Instance
from pcsos.io import read_constraints, read_table, read_weights
from pcsos.io.columns import Table
from pcsos.typing import Floats


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the files of an instance hold.

    Parameters
    ----------
    table : Table
        The points and what is known of their columns.
    weights : ndarray, shape (n,)
        Their weights; 1 where none are given.
    constraints : Constraints
        The pairs; none without a file of them.
    """

    table: Table
    weights: Floats
    constraints: Constraints


def read_inputs(arguments: argparse.Namespace) -> Inputs:
    """Return what the files of ``POINTS``, ``--constraints`` and ``--weights`` hold.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    table = read_table(
        arguments.points, ignore=arguments.ignore, header=arguments.header, weights_column=arguments.weights_column
    )
    weights = np.ones(len(table.points)) if table.weights is None else table.weights
    if arguments.weights is not None:
        weights = read_weights(arguments.weights, len(table.points))
    if arguments.constraints is None:
        return Inputs(table, weights, Constraints(len(table.points)))
    return Inputs(table, weights, read_constraints(arguments.constraints, table.points))


def read_instance(arguments: argparse.Namespace) -> Instance:
    """Return the instance that the files and ``-k`` describe, with notes on what the user may not have meant.

    Raises
    ------
    InputError
        In one sentence with file, line, value and remedy.
    """
    inputs = read_inputs(arguments)
    if not getattr(arguments, "quiet", False):
        print_notes(inputs.table, arguments.points)
    return Instance(
        inputs.table.points,
        arguments.n_clusters,
        inputs.constraints.must_link,
        inputs.constraints.cannot_link,
        inputs.weights,
    )


def print_notes(table: Table, path: str) -> None:
    """Say what the user may not have meant."""
    notes = [
        f"the column {name!r} of {path} is used as a feature; if it is none, leave it out with --ignore {name}"
        for name in table.suspects
    ]
    if table.remark:
        notes.append(table.remark)
    for note in notes:
        say(f"note: {note}")
