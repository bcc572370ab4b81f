"""Ways to close a node, a file each; :data:`CLOSINGS` lists them."""

from pcsos.proofs.closings.bound import BoundClosing
from pcsos.proofs.closings.branching import Branching
from pcsos.proofs.closings.infeasible import InfeasibleClosing
from pcsos.proofs.closings.line import LineClosing
from pcsos.proofs.closings.open import OpenClosing
from pcsos.proofs.closings.prices import PriceClosing
from pcsos.proofs.closings.single import SingleClosing
from pcsos.proofs.role import Closing

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
