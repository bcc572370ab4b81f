"""Ways to deduce pairs at a node, a file each; :data:`STEPS` lists them."""

from pcsos.evidence.role import Step
from pcsos.evidence.steps.equal import EqualStep
from pcsos.evidence.steps.far import FarStep
from pcsos.evidence.steps.fixed import FixedStep
from pcsos.evidence.steps.forced import Forced, ForcedStep
from pcsos.evidence.steps.soft import SoftStep

#: All of them.
STEPS: tuple[type[Step], ...] = (ForcedStep, FixedStep, SoftStep, FarStep, EqualStep)

__all__ = ["STEPS", "EqualStep", "FarStep", "FixedStep", "Forced", "ForcedStep", "SoftStep"]
