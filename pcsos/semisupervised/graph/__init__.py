"""Graphs: clusterers that grow clusters of any shape from labelled samples and pairs."""

from pcsos.semisupervised.graph.mcssdbs import MCSSDBS
from pcsos.semisupervised.graph.mcssgc import MCSSGC
from pcsos.semisupervised.graph.ssgc import SSGC

__all__ = ["MCSSDBS", "MCSSGC", "SSGC"]
