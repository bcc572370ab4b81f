"""Choice: the costs of many numbers of clusters, or of many diameters or splits, each certified, to choose from.

What searches is loaded when it is first asked for.
"""

from typing import TYPE_CHECKING

from pcsos.choice.corner import Corner
from pcsos.choice.corners import Front
from pcsos.choice.curve import Path
from pcsos.loading import loader

if TYPE_CHECKING:
    from pcsos.choice.solve_front import front
    from pcsos.choice.solve_path import path
    from pcsos.choice.solve_path import path_of as path_of
else:
    __getattr__ = loader(
        __name__, {"pcsos.choice.solve_front": ("front",), "pcsos.choice.solve_path": ("path", "path_of")}
    )

__all__ = ["Corner", "Front", "Path", "front", "path"]
