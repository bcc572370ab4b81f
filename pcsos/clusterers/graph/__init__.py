"""Graphs: clusterers that grow clusters of any shape from labelled samples and pairs."""

from pcsos.clusterers.graph.mcssdbs import MCSSDBS
from pcsos.clusterers.graph.mcssgc import MCSSGC, SSGC

__all__ = ["MCSSDBS", "MCSSGC", "SSGC"]
