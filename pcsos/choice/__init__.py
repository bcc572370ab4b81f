"""Choice: the costs of many numbers of clusters, or of many diameters or splits, each certified, to choose from."""

from pcsos.choice.corners import Corner, Front
from pcsos.choice.curve import Path
from pcsos.choice.solve_front import front
from pcsos.choice.solve_path import path

__all__ = ["Corner", "Front", "Path", "front", "path"]
