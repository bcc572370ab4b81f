"""Exercises: small relaxations that call the kernels of the engine and of the cuts, to have them compiled."""

import numpy as np

from pcsos.control.stop import NEVER
from pcsos.instance import Instance
from pcsos.kernels import Exercise
from pcsos.multipliers import Cuts
from pcsos.params import Params
from pcsos.reduction import reduce_instance
from pcsos.relaxation import cuts, peng_wei
from pcsos.relaxation.admm import finish_step
from pcsos.relaxation.cutting_plane import CuttingPlane
from pcsos.relaxation.engines import engine_factory
from pcsos.relaxation.set_separation import improve, separate_sets


def exercise_relaxation() -> None:
    """Bound a few points, add cuts, and carry them to fewer points."""
    points = np.random.default_rng(1).standard_normal((24, 2))
    plane = CuttingPlane(peng_wei.build(reduce_instance(Instance(points, 3))), engine_factory("admm", Params()))
    for _ in range(2):
        plane.round(NEVER)
        plane.separate()
    cuts.remap(plane.cuts, np.arange(24) // 2)


def exercise_sets() -> None:
    """Bound points without clusters in clusters of nearly equal size, with set cuts alone."""
    points = np.random.default_rng(1).standard_normal((24, 2))
    relaxation = peng_wei.build(reduce_instance(Instance(points, 3, size_min=7, size_max=9)))
    apart = np.eye(24)
    cuts.rows_of(separate_sets(relaxation, apart, Cuts.none(), 2, np.random.default_rng(0)), relaxation.roots)


RELAXATION = Exercise(exercise_relaxation, finish_step)
SETS = Exercise(exercise_sets, improve)


def relaxation_exercises(*, has_limits: bool) -> list[Exercise]:
    """Return what compiles the kernels that relaxations need, with limits of clusters or without."""
    return [RELAXATION, SETS] if has_limits else [RELAXATION]
