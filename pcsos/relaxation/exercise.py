"""Exercise: a small relaxation that calls the kernels of the engine and of the cuts, to have them compiled."""

import numpy as np

from pcsos.control.stop import NEVER
from pcsos.instance import Instance
from pcsos.kernels import Exercise
from pcsos.params import Params
from pcsos.reduction import reduce_instance
from pcsos.relaxation import cuts, peng_wei
from pcsos.relaxation.admm import finish_step
from pcsos.relaxation.cutting_plane import CuttingPlane
from pcsos.relaxation.engines import engine_factory


def exercise_relaxation() -> None:
    """Bound a few points, add cuts, and carry them to fewer points."""
    points = np.random.default_rng(1).standard_normal((24, 2))
    plane = CuttingPlane(peng_wei.build(reduce_instance(Instance(points, 3))), engine_factory("admm", Params()))
    for _ in range(2):
        plane.round(NEVER)
        plane.separate()
    cuts.remap(plane.cuts, np.arange(24) // 2)


RELAXATION = Exercise(exercise_relaxation, finish_step)
