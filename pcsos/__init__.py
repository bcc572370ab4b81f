"""pcsos: the clustering with the least sum of squares under must-link and cannot-link constraints, with proof.

What it offers is loaded when it is first asked for: whoever wants the checker alone loads nothing of the solver.
"""

from pcsos import startup as _startup  # noqa: F401 - before all that takes a moment to load

# isort: split
import importlib.util
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from pcsos._version import __version__
from pcsos.exceptions import InfeasibleError, InputError, PcsosError, RunFileError
from pcsos.loading import loader

#: Functions that have the name of their module.
_FUNCTIONS = ("certify", "solve")

#: What loads the compiled kernels of the solver.
_QUESTIONS = ("ActiveSession", "collect")
_CHOICES = ("Front", "Path", "front", "path")

#: What needs scikit-learn.
_ESTIMATORS = ("CertifiedKMeans", "MemeticKMeans")

#: Modules that need no import of their own.
_MODULES = ("events", "io", "options", "params", "problem", "result", "similarity")

if TYPE_CHECKING:
    from pcsos.active import ActiveSession as ActiveSession
    from pcsos.active import collect as collect
    from pcsos.certify import certify as certify
    from pcsos.choice import Front as Front
    from pcsos.choice import Path as Path
    from pcsos.choice import front as front
    from pcsos.choice import path as path
    from pcsos.estimators import CertifiedKMeans as CertifiedKMeans
    from pcsos.estimators import MemeticKMeans as MemeticKMeans
    from pcsos.options import Options as Options
    from pcsos.problem.conditions.pairs import Constraints as Constraints
    from pcsos.problem.instance import Instance as Instance
    from pcsos.problem.partition import Partition as Partition
    from pcsos.proofs.conflict import Conflict as Conflict
    from pcsos.result import Certification as Certification
    from pcsos.result import Reason as Reason
    from pcsos.result import Result as Result
    from pcsos.result import Status as Status
    from pcsos.solve import resume as resume
    from pcsos.solve import solve as solve
else:
    __getattr__ = loader(
        __name__,
        {
            "pcsos.active": _QUESTIONS,
            "pcsos.certify": ("certify",),
            "pcsos.choice": _CHOICES,
            "pcsos.estimators": _ESTIMATORS,
            "pcsos.options": ("Options",),
            "pcsos.problem.conditions.pairs": ("Constraints",),
            "pcsos.problem.instance": ("Instance",),
            "pcsos.problem.partition": ("Partition",),
            "pcsos.proofs.conflict": ("Conflict",),
            "pcsos.result": ("Certification", "Reason", "Result", "Status"),
            "pcsos.solve": ("resume", "solve"),
        },
        _MODULES,
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


def __dir__() -> list[str]:
    estimators = _ESTIMATORS if importlib.util.find_spec("sklearn") else ()
    return sorted({*__all__, *_QUESTIONS, *_CHOICES, *estimators})


class _Package(ModuleType):
    """The package, which is told of each of its modules as soon as that is loaded."""

    def __setattr__(self, name: str, value: object) -> None:
        if isinstance(value, ModuleType) and name in _FUNCTIONS:
            value = getattr(value, name)
        super().__setattr__(name, value)
        if name == "result" and isinstance(value, ModuleType):
            _hand_in_views(value)


def _hand_in_views(results: ModuleType) -> None:
    """Let results be shown, and let questions be asked of them, by rooms that stand above theirs."""
    from pcsos import lazy

    results.Result._views = results.CertainPairs._views = lazy


sys.modules[__name__].__class__ = _Package
