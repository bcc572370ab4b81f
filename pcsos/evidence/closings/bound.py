"""Closed by its bound: every partition of the state costs too much."""

from typing import ClassVar

from pcsos.evidence.multiplied import MultipliedClosing


class BoundClosing(MultipliedClosing):
    """Every partition of the state costs at least ``lower_bound``."""

    how: ClassVar[str] = "bound"
    words: ClassVar[str] = "closed by its bound"
