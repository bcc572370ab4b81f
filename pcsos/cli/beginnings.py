"""Beginnings: labels or centres that a run begins with, and earlier labels whose numbers clusters keep."""

import argparse
from typing import Any

from numpy.typing import NDArray

from pcsos.base.exceptions import InputError
from pcsos.base.typing import Floats, Indices
from pcsos.cli.instance_files import Inputs
from pcsos.cli.values import written
from pcsos.io import read_table
from pcsos.io.labels import read_earlier_labels, read_labels
from pcsos.io.source import PathLike, name_of

NAMES = ("initial_labels", "initial_centers", "match_to")


def beginning_files(arguments: argparse.Namespace) -> dict[str, PathLike | None]:
    """Return the files by the names of their options."""
    return {written(name): getattr(arguments, name) for name in NAMES}


def read_start(arguments: argparse.Namespace, inputs: Inputs) -> NDArray[Any] | None:
    """Return the labels or centres that a run is to begin with, if there is a file of them."""
    if arguments.initial_labels is not None:
        return read_labels(arguments.initial_labels, inputs.names.n_points, inputs.names)
    if arguments.initial_centers is not None:
        return _read_centers(arguments.initial_centers, arguments.decimal, inputs)
    return None


def read_earlier(arguments: argparse.Namespace, inputs: Inputs) -> Indices | None:
    """Return the numbers of clusters that points had, if there is a file of them."""
    return None if arguments.match_to is None else read_earlier_labels(arguments.match_to, inputs.names)


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
