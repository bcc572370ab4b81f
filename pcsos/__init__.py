"""pcsos: the clustering with the least sum of squares under must-link and cannot-link constraints, with proof."""

from pcsos._version import __version__
from pcsos.control import startup as _startup  # noqa: F401 - before all that takes a moment to load

# isort: split
from pcsos.certify import certify
from pcsos.conflict import Conflict
from pcsos.constraints import Constraints
from pcsos.exceptions import InfeasibleError, InputError, PcsosError, RunFileError
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.result import Certification, Reason, Result, Status
from pcsos.solve import resume, solve

__all__ = [
    "Certification",
    "Conflict",
    "Constraints",
    "InfeasibleError",
    "InputError",
    "Instance",
    "Options",
    "Partition",
    "PcsosError",
    "Reason",
    "Result",
    "RunFileError",
    "Status",
    "__version__",
    "certify",
    "resume",
    "solve",
]
