"""Node record: what a processed node proves, as it is produced, stored and checked."""

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from pcsos.evidence.decision import Decision
from pcsos.evidence.role import Closing, Step


def bound_of_what_was_cut_off(steps: Iterable[Step]) -> float:
    """Return the least bound of the opposites of all pairs that were fixed; infinity where none were."""
    return min((step.lower_bound for step in steps if step.decisions), default=math.inf)


@dataclass(frozen=True, eq=False)
class NodeRecord:
    """A processed node: how its state came about and how it was closed.

    Parameters
    ----------
    node, parent : int, int or None
        Identifiers; the root is 0 and has no parent.
    decision : Decision or None
        What the node adds to the state in which its parent branched; None at the root.
    steps : tuple of Step
        What was deduced at the node, in order.
    closing : Closing
        Why it needs no more work, or how it was branched on.
    lower_bound : float
        The best bound proved for the node's own subtree when it was closed.
    """

    node: int
    parent: int | None
    decision: Decision | None
    steps: tuple[Step, ...]
    closing: Closing
    lower_bound: float
    seconds: float = field(default=0.0, compare=False)
