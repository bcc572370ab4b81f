"""Ways to deduce pairs at a node, a file each; :data:`STEPS` lists them."""

from pcsos.proofs.role import Step
from pcsos.proofs.steps.equal import EqualStep
from pcsos.proofs.steps.far import FarStep
from pcsos.proofs.steps.fixed import FixedStep
from pcsos.proofs.steps.forced import Forced, ForcedStep
from pcsos.proofs.steps.soft import SoftStep

#: All of them.
STEPS: tuple[type[Step], ...] = (ForcedStep, FixedStep, SoftStep, FarStep, EqualStep)

__all__ = ["STEPS", "EqualStep", "FarStep", "FixedStep", "Forced", "ForcedStep", "SoftStep"]
