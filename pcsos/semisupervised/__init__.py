"""Semi-supervised clusterers of the literature behind the interface of scikit-learn, which they need."""

from pcsos import estimators as _estimators  # noqa: F401 - which says so where scikit-learn is missing

# isort: split
from pcsos.semisupervised.graph import MCSSDBS, MCSSGC, SSGC

__all__ = ["MCSSDBS", "MCSSGC", "SSGC"]
