"""The instances on which the suite ``rivals`` runs methods side by side, as data that its processes can be given."""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from benchmarks.case import Row, Settings
from benchmarks.solving import load
from benchmarks.suites.instances import cases as repository_cases
from benchmarks.suites.published import cases as published_cases
from pcsos.problem.generate import constraints_from_labels, gaussian_mixture
from pcsos.problem.instance import Instance

#: Instances of the repository, by their names there.
UNCONSTRAINED = {"iris": "iris-none", "wine": "wine-none"}
PAIRS = {name: name for name in ("iris-both", "wine-cl", "digits-both", "overlap-both", "many-both")}
EXACT = {"iris30": "iris30"}
#: Drawn mixtures: points, features, clusters, separation of the centres, must-links and cannot-links together.
MIXTURES = {"n200-k5": (200, 2, 5, 4.0, 0), "n500-k10": (500, 2, 10, 6.0, 0), "n1000-k20": (1000, 4, 20, 8.0, 0)}
BLOBS = {"n60-k3": (60, 5, 3, 4.0, 0), "n200-k4": (200, 5, 4, 4.0, 0), "n1000-k10": (1000, 5, 10, 8.0, 0)}
SMALL = {
    f"n{n}-d{d}-k{k}-{pairs}": (n, d, k, 4.0, pairs)
    for n, d, k, pairs in (
        *((10, 2, 3, 0), (10, 4, 2, 4), (15, 2, 3, 0), (15, 4, 4, 6), (20, 2, 2, 0), (20, 2, 3, 0), (20, 4, 3, 0)),
        *((20, 2, 4, 10), (30, 2, 2, 0), (30, 2, 3, 0), (30, 4, 3, 10), (30, 2, 4, 16), (50, 2, 2, 0), (50, 4, 2, 20)),
        *((50, 2, 3, 30),),
    )
}
#: Least and greatest sizes of clusters.
SIZES = {"n60-k3": (20, 20), "n200-k4": (40, 60), "n1000-k10": (75, 125)}
#: Files of the data folder and numbers of clusters.
FILES = {
    "ruspini": ("sos-sdp/ruspini", 4), "hungarian": ("sos-sdp/hungarian", 2), "wdbc": ("sos-sdp/wdbc", 5),
    "fl417": ("tsplib/fl417", 10), "gr666": ("tsplib/gr666", 8), "u1060": ("tsplib/u1060", 20),
}  # fmt: skip
#: Folder of the published instances there, and which of them.
PUBLISHED = "pc-sos-sdp"
PUBLISHED_PAIRS = ("wine/ml_25_cl_25_0", "seeds/ml_50_cl_0_0", "glass/ml_50_cl_50_0", "ecoli/ml_0_cl_100_0")
#: Digits of scikit-learn: the first of its images, and clusters.
DIGITS = (500, 10)


def instances(settings: Settings) -> dict[str, dict[str, Row]]:
    """Return what :func:`build` takes for each instance, by group and name; those of files only where they are."""
    return {
        "unconstrained": _repository(UNCONSTRAINED) | _digits() | _drawn(MIXTURES) | _files(settings.data),
        "pairs": _repository(PAIRS) | _published(settings),
        "sizes": _sized(_repository({"iris": "iris-none"}), {"iris": (50, 50)}) | _sized(_drawn(BLOBS), SIZES),
        "exact": _drawn(SMALL) | _repository(EXACT),
    }


def build(
    *,
    files: list[Any] | None = None,
    drawn: list[Any] | None = None,
    digits: list[int] | None = None,
    sizes: list[int] | None = None,
) -> Instance:
    """Return an instance from one of its descriptions, with bounds of its sizes where there are any."""
    if files is not None:
        instance = load(*files)
    elif digits is not None:
        instance = _first_digits(*digits)
    else:
        instance = draw(*(drawn or []))
    return instance if sizes is None else instance.with_(size_min=sizes[0], size_max=sizes[1])


def draw(n: int, d: int, k: int, separation: float, pairs: int) -> Instance:
    """Return a mixture with as many must-links as cannot-links, true to its components."""
    points, labels = gaussian_mixture(n, d, k, separation=separation, seed=n)
    must_link, cannot_link = constraints_from_labels(labels, n_must_link=pairs // 2, n_cannot_link=pairs // 2, seed=n)
    return Instance(points, k, must_link, cannot_link)


def _first_digits(n: int, k: int) -> Instance:
    from sklearn.datasets import load_digits

    return Instance(load_digits().data[:n], k)


@cache
def _of_repository() -> dict[str, Row]:
    return {case.name: case.arguments for case in repository_cases(Settings())}


def _repository(names: dict[str, str]) -> dict[str, Row]:
    return {short: {"files": list(_of_repository()[name].values())} for short, name in names.items()}


def _digits() -> dict[str, Row]:
    if find_spec("sklearn") is None:
        return {}
    return {f"digits{DIGITS[0]}": {"digits": list(DIGITS)}}


def _drawn(shapes: dict[str, tuple[Any, ...]]) -> dict[str, Row]:
    return {name: {"drawn": list(shape)} for name, shape in shapes.items()}


def _sized(found: dict[str, Row], sizes: dict[str, tuple[int, int]]) -> dict[str, Row]:
    return {name: description | {"sizes": list(sizes[name])} for name, description in found.items()}


def _files(folder: Path | None) -> dict[str, Row]:
    if folder is None:
        return {}
    paths = {name: (folder / f"{file}.txt.gz", k) for name, (file, k) in FILES.items()}
    return {name: {"files": [str(path), None, k]} for name, (path, k) in paths.items() if path.exists()}


def _published(settings: Settings) -> dict[str, Row]:
    if settings.data is None:
        return {}
    cases = published_cases(Settings(data=settings.data / PUBLISHED))
    chosen = [case for case in cases if case.name in PUBLISHED_PAIRS]
    return {case.name.replace("/", "-"): {"files": list(case.arguments.values())} for case in chosen}
