"""Left open: the run ended before the node was closed."""

from typing import ClassVar

from pcsos.evidence.multiplied import MultipliedClosing


class OpenClosing(MultipliedClosing):
    """The run ended before the node was closed; so far every partition of the state costs at least ``lower_bound``."""

    how: ClassVar[str] = "open"
    words: ClassVar[str] = "left open"
