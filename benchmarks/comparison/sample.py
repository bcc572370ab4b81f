"""The sample: cases of every kind, as data. Each takes a few seconds, so that one round is half a minute a side."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

INSTANCES = Path(__file__).parents[2] / "instances"
ONE_WORKER = {"workers": 1}


@dataclass(frozen=True)
class Sampled:
    """One case of the sample.

    Parameters
    ----------
    name : str
        Its name on the command line.
    kind : str
        One of :data:`benchmarks.comparison.child.KINDS`.
    arguments : dict
        What that takes, as JSON values.
    """

    name: str
    kind: str
    arguments: dict[str, Any]


def kept(name: str, n_clusters: int, constraints: str = "", **conditions: Any) -> dict[str, Any]:
    """Return an instance whose points, and pairs, are in the files of this repository."""
    pairs = {"constraints": str(INSTANCES / "constraints" / constraints)} if constraints else {}
    return {"points": str(INSTANCES / "points" / name), "n_clusters": n_clusters} | pairs | conditions


def drawn(n_points: int, n_features: int, n_clusters: int, separation: float, seed: int) -> dict[str, Any]:
    """Return an instance whose points are drawn from as many Gaussians as there are clusters."""
    mixture = {"n_points": n_points, "n_features": n_features, "n_clusters": n_clusters}
    return {"drawn": mixture | {"separation": separation, "seed": seed}, "n_clusters": n_clusters}


def published(data: Path, name: str, constraints: str, n_clusters: int) -> dict[str, Any]:
    """Return an instance of the PC-SOS-SDP paper."""
    folder = data / "pc-sos-sdp"
    return {
        "points": str(folder / "datasets" / f"{name}.txt.gz"),
        "constraints": str(folder / "constraints" / name / f"{constraints}.txt"),
        "n_clusters": n_clusters,
    }


def solving(name: str, *instances: dict[str, Any], **options: Any) -> Sampled:
    """Return a case that solves instances, one after the other."""
    return Sampled(name, "solve", {"instances": instances} | ONE_WORKER | options)


BRANCHING = [drawn(40, 4, 5, 1.0, seed) for seed in range(6)]
PAIRS = [
    kept("iris.csv", 3, "iris-both.txt"),
    kept("wine.txt", 3, "wine-both.txt"),
    kept("digits.csv", 4, "digits-both.txt"),
    kept("breast_cancer.txt", 2, "breast_cancer-both.txt"),
    kept("overlap.txt", 4, "overlap-both.txt"),
]
PUBLISHED = (("seeds", "ml_0_cl_50_0", 3), ("glass", "ml_25_cl_25_0", 6), ("ecoli", "ml_0_cl_100_0", 8))
SIZES = [kept("iris.csv", 3, size_min=least, size_max=100 - least) for least in (50, 48, 45)]

SAMPLE = (
    solving("pairs", *PAIRS),
    solving("branching", *BRANCHING),
    solving("plane", *(drawn(2000, 2, 5, 9.0, seed) for seed in range(3)), gap=1e-3),
    solving("sizes", *SIZES),
    Sampled("blocks", "certify", {"instances": [drawn(3000, 4, 10, 12.0, 0)], "gap": 1e-2} | ONE_WORKER),
    Sampled("heuristic", "heuristic", {"instances": [drawn(3000, 5, 10, 4.0, 1)], "method": "s-mdeclust"}),
    Sampled("verification", "verify", {"instances": BRANCHING, "times": 10} | ONE_WORKER),
    Sampled("start", "start", {"arguments": ["--version"], "times": 10}),
)


def sample(data: Path | None = None) -> tuple[Sampled, ...]:
    """Return all cases, with a folder of all data those, too, that need it."""
    if data is None:
        return SAMPLE
    return (*SAMPLE, solving("published", *(published(data, *which) for which in PUBLISHED)))
