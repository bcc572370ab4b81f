"""Views: what shows a result, and what can be asked of it later.

The rooms that do it stand above this one and import results; the package hands them in, as an attribute of
:class:`pcsos.result.Result` and of :class:`pcsos.result.CertainPairs`.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Protocol

from pcsos.result.certain_pairs import CertainPairs
from pcsos.result.pages import Pages
from pcsos.typing import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class Views(Pages, Protocol):
    """Whoever has the functions behind methods of a result."""

    @property
    def certain_pairs(self) -> Callable[..., CertainPairs]:
        """Decides what all good partitions have in common; see :func:`pcsos.certainty.certain_pairs.certain_pairs`."""

    @property
    def membership(self) -> Callable[..., Floats]:
        """Tells how far pairs are together in the relaxation; see :func:`pcsos.certainty.certain_pairs.membership`."""

    @property
    def draw(self) -> "Callable[..., Axes]":
        """Draws a picture; see :func:`pcsos.report.draw`."""
