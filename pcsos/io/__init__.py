"""File formats in and out: points, constraints, labels and the JSON of a result; each loaded when it is asked for.

What cannot be read is refused by an :class:`pcsos.base.exceptions.InputError` in one sentence with file, line or row,
value and remedy.
"""

from typing import TYPE_CHECKING

from pcsos.base.loading import loader

if TYPE_CHECKING:
    from pcsos.io.constraints import read_constraint_file, read_constraints
    from pcsos.io.points import read_points, read_table, read_weights
    from pcsos.problem.validation.names import PointNames
else:
    __getattr__ = loader(
        __name__,
        {
            "pcsos.io.constraints": ("read_constraint_file", "read_constraints"),
            "pcsos.io.points": ("read_points", "read_table", "read_weights"),
            "pcsos.problem.validation.names": ("PointNames",),
        },
    )

__all__ = ["PointNames", "read_constraint_file", "read_constraints", "read_points", "read_table", "read_weights"]
