"""pcsos: the clustering with the least sum of squares under must-link and cannot-link constraints, with proof."""

from pcsos.control import startup as _startup  # noqa: F401 - before all that takes a moment to load

# isort: split
import importlib.util
from typing import TYPE_CHECKING

from pcsos import lazy
from pcsos._version import __version__
from pcsos.certify import certify
from pcsos.control.loading import loader
from pcsos.exceptions import InfeasibleError, InputError, PcsosError, RunFileError
from pcsos.options import Options
from pcsos.problem.conditions.pairs import Constraints
from pcsos.problem.instance import Instance
from pcsos.problem.partition import Partition
from pcsos.proofs.conflict import Conflict
from pcsos.result import CertainPairs as _CertainPairs
from pcsos.result import Certification, Reason, Result, Status
from pcsos.solve import resume, solve

#: What loads the solver, which is imported when one of them is asked for.
_QUESTIONS = ("ActiveSession", "collect")
_CHOICES = ("Front", "Path", "front", "path")

#: What needs scikit-learn, likewise.
_ESTIMATORS = ("CertifiedKMeans", "MemeticKMeans")

if TYPE_CHECKING:
    from pcsos.active import ActiveSession as ActiveSession
    from pcsos.active import collect as collect
    from pcsos.choice import Front as Front
    from pcsos.choice import Path as Path
    from pcsos.choice import front as front
    from pcsos.choice import path as path
    from pcsos.estimators import CertifiedKMeans as CertifiedKMeans
    from pcsos.estimators import MemeticKMeans as MemeticKMeans
else:
    __getattr__ = loader(
        __name__, {"pcsos.active": _QUESTIONS, "pcsos.choice": _CHOICES, "pcsos.estimators": _ESTIMATORS}
    )

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

Result._views = _CertainPairs._views = lazy  # how they are shown, and what can be asked of them


def __dir__() -> list[str]:
    estimators = _ESTIMATORS if importlib.util.find_spec("sklearn") else ()
    return sorted({*__all__, *_QUESTIONS, *_CHOICES, *estimators})
