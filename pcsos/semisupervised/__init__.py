"""Semi-supervised clusterers of other kinds than constrained k-means, behind the interface of scikit-learn."""

from pcsos.semisupervised.graph import MCSSDBS, MCSSGC, SSGC

__all__ = ["MCSSDBS", "MCSSGC", "SSGC"]
