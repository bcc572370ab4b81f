"""Semi-supervised clusterers of the literature behind the interface of scikit-learn, which they need."""

from pcsos import estimators as _estimators  # noqa: F401 - which says so where scikit-learn is missing

# isort: split
from pcsos.semisupervised.connected.connected_k_means import ConnectedKMeans
from pcsos.semisupervised.graph import MCSSDBS, MCSSGC, SSGC
from pcsos.semisupervised.soft.k_means import KMeans
from pcsos.semisupervised.soft.mpck_means import MPCKMeans
from pcsos.semisupervised.soft.pck_means import PCKMeans
from pcsos.semisupervised.soft.pcsk_means import PCSKMeans
from pcsos.semisupervised.soft.sparse_k_means import SparseKMeans

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
