"""Warm-up: small relaxations that call the kernels of the engine and of the cuts, to have them compiled."""

import numpy as np

from pcsos.base.control.stop import NEVER
from pcsos.base.numerics.kernels import WarmUp
from pcsos.bounds.relaxation import peng_wei
from pcsos.bounds.relaxation.admm import finish_step
from pcsos.bounds.relaxation.cutting_plane import CuttingPlane
from pcsos.bounds.relaxation.engines import engine_factory
from pcsos.bounds.relaxation.families import FAMILIES
from pcsos.bounds.relaxation.remapping import remap
from pcsos.bounds.relaxation.rows import rows_of
from pcsos.evidence.multipliers import Cuts
from pcsos.problem.instance import Instance
from pcsos.problem.params import Params
from pcsos.problem.reduction import reduce_instance


def warm_up_relaxation() -> None:
    """Write down a cut of each family, bound a few points, add cuts, and carry them to fewer points."""
    points = np.random.default_rng(1).standard_normal((24, 2))
    plane = CuttingPlane(peng_wei.build(reduce_instance(Instance(points, 3))), engine_factory("admm", Params()))
    codes = np.array([family.code for family in FAMILIES], np.int32)
    members = np.tile(np.arange(1, 5, dtype=np.int32), codes.size)
    rows_of(Cuts(codes, np.arange(0, members.size + 1, 4), members), plane.relaxation)
    for _ in range(2):
        plane.round(NEVER)
        plane.separate()
    remap(plane.cuts, np.arange(24) // 2)


RELAXATION = WarmUp(warm_up_relaxation, finish_step)


def relaxation_warm_ups(*, has_limits: bool) -> list[WarmUp]:
    """Return what compiles the kernels that relaxations need, with limits of clusters or without."""
    own = [family.warm_up for family in FAMILIES if has_limits or not family.needs_limits]
    return [RELAXATION, *(warm_up for warm_up in own if warm_up is not None)]
