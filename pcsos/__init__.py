"""pcsos: the clustering with the least sum of squares under must-link and cannot-link constraints, with proof."""

from pcsos.control import startup as _startup  # noqa: F401 - before all that takes a moment to load

# isort: split
import importlib.util
from typing import TYPE_CHECKING, Any

from pcsos._version import __version__
from pcsos.certify import certify
from pcsos.conflict import Conflict
from pcsos.constraints import Constraints
from pcsos.exceptions import InfeasibleError, InputError, PcsosError, RunFileError
from pcsos.instance import Instance
from pcsos.options import Options
from pcsos.partition import Partition
from pcsos.result import Certification, Reason, Result, Status
from pcsos.solve import resume, solve

if TYPE_CHECKING:
    from pcsos.active import ActiveSession as ActiveSession
    from pcsos.active import collect as collect
    from pcsos.choice import Front as Front
    from pcsos.choice import Path as Path
    from pcsos.choice import front as front
    from pcsos.choice import path as path
    from pcsos.estimators import CertifiedKMeans as CertifiedKMeans
    from pcsos.estimators import MemeticKMeans as MemeticKMeans

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

#: What needs scikit-learn, which is imported when one of them is asked for.
_ESTIMATORS = ("CertifiedKMeans", "MemeticKMeans")

#: What loads the solver, likewise.
_QUESTIONS = ("ActiveSession", "collect")
_CHOICES = ("Front", "Path", "front", "path")


def __getattr__(name: str) -> Any:
    if name in _QUESTIONS:
        from pcsos import active

        return getattr(active, name)
    if name in _CHOICES:
        from pcsos import choice

        return getattr(choice, name)
    if name not in _ESTIMATORS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from pcsos import estimators

    return getattr(estimators, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_QUESTIONS, *_CHOICES, *(_ESTIMATORS if importlib.util.find_spec("sklearn") else ())})
