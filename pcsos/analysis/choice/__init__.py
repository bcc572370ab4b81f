"""Choice: the costs of many numbers of clusters, or of many diameters or splits, each certified, to choose from.

What searches is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from pcsos.analysis.choice.corners import Corner, Front
from pcsos.analysis.choice.curve import Path
from pcsos.base.loading import loader

if TYPE_CHECKING:
    from pcsos.analysis.choice.solve_front import front
    from pcsos.analysis.choice.solve_path import path
    from pcsos.analysis.choice.solve_path import path_of as path_of
else:
    __getattr__ = loader(
        __name__,
        {"pcsos.analysis.choice.solve_front": ("front",), "pcsos.analysis.choice.solve_path": ("path", "path_of")},
    )

__all__ = ["Corner", "Front", "Path", "front", "path"]
