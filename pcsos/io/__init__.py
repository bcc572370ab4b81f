"""File formats in and out: points, constraints, labels and the JSON of a result."""

from pcsos.io.constraints import read_constraint_file, read_constraints
from pcsos.io.points import read_points, read_table, read_weights
from pcsos.names import PointNames

__all__ = ["PointNames", "read_constraint_file", "read_constraints", "read_points", "read_table", "read_weights"]
