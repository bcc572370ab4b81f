"""Ways to close a node, a file each; :data:`CLOSINGS` lists them."""

from pcsos.evidence.closings.bound import BoundClosing
from pcsos.evidence.closings.branching import Branching
from pcsos.evidence.closings.infeasible import InfeasibleClosing
from pcsos.evidence.closings.line import LineClosing
from pcsos.evidence.closings.open import OpenClosing
from pcsos.evidence.closings.prices import PriceClosing
from pcsos.evidence.closings.single import SingleClosing
from pcsos.evidence.role import Closing

#: All of them, in the order in which people read of them.
CLOSINGS: tuple[type[Closing], ...] = (
    Branching,
    BoundClosing,
    InfeasibleClosing,
    SingleClosing,
    LineClosing,
    PriceClosing,
    OpenClosing,
)

__all__ = [
    "CLOSINGS",
    "BoundClosing",
    "Branching",
    "InfeasibleClosing",
    "LineClosing",
    "OpenClosing",
    "PriceClosing",
    "SingleClosing",
]
