"""The methods as pages show them: under which name, and whose program each is."""

from typing import NamedTuple


class Shown(NamedTuple):
    """A method in a table.

    Parameters
    ----------
    name : str
        Its name, different for each.
    program : str
        Whose program it is, and from how many starts the best counts where it has starts.
    """

    name: str
    program: str


ACTIVE = "active-semi-supervised-clustering, 1 start"

#: By the names that the suites ``comparators`` and ``rivals`` give them.
METHODS = {
    "SG-MDE": Shown("S-MDEClust, SG-MDE", "ours, after its paper"),
    "pcsos": Shown("S-MDEClust (pcsos)", "pcsos"),
    "S-HG-MEANS": Shown("S-HG-MEANS", "ours, after its paper"),
    "LCVQE": Shown("LCVQE", "ours, its criterion from memory, 10 starts"),
    "MDEClust": Shown("MDEClust", "ours, S-MDEClust without the pairs"),
    "pcsos PCKMeans": Shown("PCKMeans (pcsos)", "pcsos, 10 starts"),
    "pcsos MPCKMeans": Shown("MPCKMeans (pcsos)", "pcsos, 10 starts"),
    "pcsos PCSKMeans": Shown("PCSKMeans (pcsos)", "pcsos, 10 starts"),
    "KMeans": Shown("KMeans", "scikit-learn, 10 starts"),
    "BisectingKMeans": Shown("BisectingKMeans", "scikit-learn, 10 starts"),
    "KMeansConstrained": Shown("KMeansConstrained", "k-means-constrained, 10 starts"),
    "PCKMeans": Shown("PCKMeans (others)", ACTIVE),
    "MPCKMeans": Shown("MPCKMeans (others)", ACTIVE),
    "S-MDEClust": Shown("S-MDEClust (pcsos)", "pcsos"),
    "pcsos.solve": Shown("pcsos.solve", "pcsos, with a proof"),
    "cop-kmeans": Shown("COP-k-means (pcsos)", "pcsos, 100 starts"),
    "COPKMeans-1": Shown("COPKMeans (others)", ACTIVE),
    "PCKMeans-1": Shown("PCKMeans (others)", ACTIVE),
    "MPCKMeans-1": Shown("MPCKMeans (others)", ACTIVE),
    "KMeans-1": Shown("KMeans", "scikit-learn, 1 start"),
    "KMeans-10": Shown("KMeans", "scikit-learn, 10 starts"),
    "KMeans-100": Shown("KMeans", "scikit-learn, 100 starts"),
    "KMeansConstrained-1": Shown("KMeansConstrained", "k-means-constrained, 1 start"),
    "KMeansConstrained-10": Shown("KMeansConstrained", "k-means-constrained, 10 starts"),
    "SCIP": Shown("SCIP", "PySCIPOpt, on our big-M model"),
}
