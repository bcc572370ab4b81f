"""Pairs fixed by multipliers."""

from typing import ClassVar

from pcsos.evidence.multiplied import MultipliedStep


class FixedStep(MultipliedStep):
    """Pairs fixed by multipliers: each opposite decision, added to the state before, is closed by the bound.

    With the bound L of ``multipliers`` in that state, N = box and M_i the largest weight of a cluster with i:
    ``ML i j`` costs at least ``L + 2 max(N_ij, 0) sqrt(e_i e_j) / min(M_i, M_j)``; ``CL i j`` at least
    ``L + 2 max(-N_ij, 0) hi_ij + sum of mu_t / M_c over the pair cuts t on {i, j} with centre c``.
    """

    kind: ClassVar[str] = "fixed"
