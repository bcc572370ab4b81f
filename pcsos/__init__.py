"""pcsos: the clustering with the least sum of squares under must-link and cannot-link constraints, with proof.

What it offers is loaded when it is first asked for: whoever wants the checker alone loads nothing of the solver.
"""

from pcsos.base import startup as _startup  # noqa: F401 - before all that takes a moment to load

# isort: split
import importlib.util
from itertools import chain
from typing import TYPE_CHECKING

from pcsos._version import __version__
from pcsos.base.exceptions import InfeasibleError, InputError, PcsosError, RunFileError
from pcsos.base.loading import VIEWS, loader

#: Modules that need no import of their own.
_MODULES = {
    "events": "pcsos.base.events",
    "io": "pcsos.io",
    "options": "pcsos.problem.options",
    "params": "pcsos.problem.params",
    "problem": "pcsos.problem",
    "result": "pcsos.evidence.result",
    "similarity": "pcsos.problem.similarity",
}

if TYPE_CHECKING:
    from pcsos.analysis.active import ActiveSession as ActiveSession
    from pcsos.analysis.active import collect as collect
    from pcsos.analysis.choice import Front as Front
    from pcsos.analysis.choice import Path as Path
    from pcsos.analysis.choice import front as front
    from pcsos.analysis.choice import path as path
    from pcsos.estimators import CertifiedKMeans as CertifiedKMeans
    from pcsos.estimators import MemeticKMeans as MemeticKMeans
    from pcsos.evidence.result import Certification as Certification
    from pcsos.evidence.result import Reason as Reason
    from pcsos.evidence.result import Result as Result
    from pcsos.evidence.result import Status as Status
    from pcsos.evidence.status import Conflict as Conflict
    from pcsos.presolve.giving_up import Conflicts as Conflicts
    from pcsos.presolve.giving_up import conflicts as conflicts
    from pcsos.problem.conditions.distances import Diameter as Diameter
    from pcsos.problem.conditions.distances import Split as Split
    from pcsos.problem.conditions.groups import Groups as Groups
    from pcsos.problem.conditions.loads import Loads as Loads
    from pcsos.problem.conditions.outliers import Outliers as Outliers
    from pcsos.problem.conditions.pairs import Constraints as Constraints
    from pcsos.problem.conditions.sizes import Sizes as Sizes
    from pcsos.problem.conditions.soft_pairs import SoftPairs as SoftPairs
    from pcsos.problem.conditions.weights import Weights as Weights
    from pcsos.problem.instance import Instance as Instance
    from pcsos.problem.options import Options as Options
    from pcsos.problem.partition import Partition as Partition
    from pcsos.problem.similarity import Distances as Distances
    from pcsos.problem.similarity import Gram as Gram
    from pcsos.problem.similarity import Kernel as Kernel
    from pcsos.solving import certify as certify
    from pcsos.solving import resume as resume
    from pcsos.solving import solve as solve

#: Where names are loaded from, and those of them that load the compiled kernels of the solver, or scikit-learn.
_PLACES = {
    "pcsos.problem.options": ("Options",),
    "pcsos.problem.conditions.distances": ("Diameter", "Split"),
    "pcsos.problem.conditions.groups": ("Groups",),
    "pcsos.problem.conditions.loads": ("Loads",),
    "pcsos.problem.conditions.pairs": ("Constraints",),
    "pcsos.problem.conditions.outliers": ("Outliers",),
    "pcsos.problem.conditions.sizes": ("Sizes",),
    "pcsos.problem.conditions.soft_pairs": ("SoftPairs",),
    "pcsos.problem.conditions.weights": ("Weights",),
    "pcsos.problem.instance": ("Instance",),
    "pcsos.problem.partition": ("Partition",),
    "pcsos.problem.similarity": ("Distances", "Gram", "Kernel"),
    "pcsos.evidence.status": ("Conflict",),
    "pcsos.evidence.result": ("Certification", "Reason", "Result", "Status"),
    "pcsos.solving": ("certify", "resume", "solve"),
}
_HEAVY = {
    "pcsos.analysis.active": ("ActiveSession", "collect"),
    "pcsos.analysis.choice": ("Front", "Path", "front", "path"),
    "pcsos.presolve.giving_up": ("Conflicts", "conflicts"),
    "pcsos.estimators": ("CertifiedKMeans", "MemeticKMeans"),
}
if not TYPE_CHECKING:
    __getattr__ = loader(__name__, _PLACES | _HEAVY, _MODULES)

__all__ = ["InfeasibleError", "InputError", "PcsosError", "RunFileError", "__version__"]
__all__.extend(chain(*_PLACES.values()))


def __dir__() -> list[str]:
    absent = set() if importlib.util.find_spec("sklearn") else {*_HEAVY["pcsos.estimators"]}
    return sorted({*__all__, *chain(*_HEAVY.values())} - absent)


VIEWS.load = loader(
    __name__,
    {
        "pcsos.analysis.certainty.certain_pairs": ("certain_pairs", "membership"),
        "pcsos.report.words": ("certain_html", "result_html"),
        "pcsos.report.picture": ("draw",),
        "pcsos.report.write": ("write_certain_pairs", "write_report"),
    },
)
