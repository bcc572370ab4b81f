"""Soft pairs that become hard."""

from typing import ClassVar

from pcsos.evidence.multiplied import MultipliedStep


class SoftStep(MultipliedStep):
    """Soft pairs that become hard: breaking one costs its penalty and what everything costs without penalties.

    With L the bound of ``multipliers`` in the state before, the undecided soft pairs left out, every partition that has
    a pair apart (``ML i j``) or together (``CL i j``) costs at least L and what that pair then pays.
    """

    kind: ClassVar[str] = "soft"
