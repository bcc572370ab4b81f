"""File formats in and out: points, constraints, labels and the JSON of a result."""

from pcsos.io.constraints import read_constraints
from pcsos.io.points import read_points, read_table, read_weights

__all__ = ["read_constraints", "read_points", "read_table", "read_weights"]
