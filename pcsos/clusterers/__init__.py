"""Semi-supervised clusterers of the literature behind the interface of scikit-learn, which they need."""

from pcsos import estimators as _estimators  # noqa: F401 - which says so where scikit-learn is missing

# isort: split
from pcsos.clusterers.connected.connected_k_means import ConnectedKMeans
from pcsos.clusterers.graph import MCSSDBS, MCSSGC, SSGC
from pcsos.clusterers.soft.k_means import KMeans, PCKMeans
from pcsos.clusterers.soft.mpck_means import MPCKMeans
from pcsos.clusterers.soft.sparse_k_means import PCSKMeans, SparseKMeans

__all__ = [
    "MCSSDBS",
    "MCSSGC",
    "SSGC",
    "ConnectedKMeans",
    "KMeans",
    "MPCKMeans",
    "PCKMeans",
    "PCSKMeans",
    "SparseKMeans",
]
