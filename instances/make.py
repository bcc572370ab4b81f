"""Regenerate the instances: ``python instances/make.py`` (needs scikit-learn); ``certify.py`` solves them.

The same versions of NumPy and scikit-learn write the same bytes.
"""

import json
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn import datasets

from pcsos.problem.generate import constraints_from_labels, gaussian_mixture

FOLDER = Path(__file__).parent

Points = NDArray[np.float64]
Labels = NDArray[np.intp]
Pairs = Iterable[tuple[int, int]]


def main() -> None:
    """Write points, constraints and the list of instances."""
    for name in ("points", "constraints"):
        FOLDER.joinpath(name).mkdir(exist_ok=True)
        for old in FOLDER.joinpath(name).iterdir():
            old.unlink()
    instances = [*from_scikit_learn(), *synthetic(), *special(), *infeasible()]
    text = ",\n".join(" " + json.dumps(instance) for instance in instances)
    FOLDER.joinpath("instances.json").write_text(f"[\n{text}\n]\n")


def from_scikit_learn() -> list[dict[str, object]]:
    """Write datasets that ship with scikit-learn; wine and breast cancer are standardised."""
    iris, wine = datasets.load_iris(), datasets.load_wine()
    cancer, digits = datasets.load_breast_cancer(), datasets.load_digits(n_class=4)
    rng = np.random.default_rng(7)
    some = np.sort(rng.choice(len(cancer.data), 150, replace=False))
    few = np.sort(rng.choice(len(digits.data), 120, replace=False))
    thirty = np.sort(rng.choice(150, 30, replace=False))
    names = [name.replace(" (cm)", "").replace(" ", "_") for name in iris.feature_names]
    write_csv("iris.csv", iris.data, names, digits=1)
    write_txt("iris30.txt", iris.data[thirty], digits=1)
    write_txt("wine.txt", standardised(wine.data), digits=4)
    write_csv("digits.csv", digits.data[few], None, digits=0)
    write_txt("breast_cancer.txt", standardised(cancer.data), digits=3)
    write_txt("breast_cancer150.txt", standardised(cancer.data)[some], digits=3)
    return [
        *(instance(f"iris-k{k}", "iris.csv", k) for k in (2, 4, 5, 6)),
        *four("iris", "iris.csv", iris.target, 3, 50),
        instance("iris30", "iris30.txt", 3, write_pairs("iris30", iris.target[thirty], 5, 5)),
        *four("wine", "wine.txt", wine.target, 3, 60),
        *four("digits", "digits.csv", digits.target[few], 4, 40),
        *four("breast_cancer150", "breast_cancer150.txt", cancer.target[some], 2, 50),
        instance(
            "breast_cancer-both",
            "breast_cancer.txt",
            2,
            write_pairs("breast_cancer-both", cancer.target, 150, 150),
        ),
        instance("breast_cancer-none", "breast_cancer.txt", 2, slow=True),
    ]


def synthetic() -> list[dict[str, object]]:
    """Write mixtures of Gaussians: overlapping, many clusters, one feature, more features than points."""
    shapes = {
        "overlap": (50, 2, 4, 3.0, 20),
        "many": (80, 3, 10, 8.0, 40),
        "line": (60, 1, 5, 6.0, 30),
        "wide": (40, 300, 4, 6.0, 20),
        "two": (90, 4, 2, 3.0, 40),
    }
    written = []
    for seed, (name, (n, d, k, separation, pairs)) in enumerate(shapes.items()):
        points, labels = gaussian_mixture(n, d, k, separation=separation, seed=seed)
        write_txt(f"{name}.txt", points, digits=3 if d < 100 else 2)
        written += four(name, f"{name}.txt", labels, k, pairs)
    return written


def special() -> list[dict[str, object]]:
    """Write instances that exercise one feature of the formats or one corner of the problem."""
    points, labels = gaussian_mixture(36, 2, 3, separation=5.0, seed=11)
    points = np.round(points)
    write_csv("grid.csv", points, ["x", "y"], digits=0)
    must_link, cannot_link = constraints_from_labels(labels, n_must_link=10, n_cannot_link=10, seed=11)
    pairs = {"ml": must_link.tolist(), "cl": cannot_link.tolist()}
    FOLDER.joinpath("constraints/grid-json.json").write_text(json.dumps(pairs) + "\n")
    write_txt("tiny.txt", np.array([[0.0], [2.0], [3.0], [9.0], [11.0]]), digits=0)
    return [
        instance("grid-json", "grid.csv", 3, "grid-json.json"),
        instance("grid-distances", "grid.csv", 4, write_lines("grid-distances", ["DELTA 0.5", "GAMMA 7.5"])),
        instance("tiny", "tiny.txt", 2, write_lines("tiny", links([(0, 1)], [(1, 2)]))),
    ]


def infeasible() -> list[dict[str, object]]:
    """Write constraints that no partition satisfies, one for each kind of proof."""
    wheel = [(i, (i + 1) % 5) for i in range(5)] + [(i, 5) for i in range(5)]
    clique = [(i, j) for j in range(4) for i in range(j)]
    cycle = [(i, (i + 1) % 7) for i in range(7)]
    proofs = {
        "infeasible-path": (3, [(0, 8), (8, 3), (3, 12)], [(0, 12)]),
        "infeasible-cycle": (2, [], cycle),
        "infeasible-clique": (3, [], clique),
        "infeasible-wheel": (3, [], wheel),
        "infeasible-few": (20, [(i, i + 1) for i in range(11)], []),
    }
    return [
        instance(name, "iris30.txt", k, write_lines(name, links(must_link, cannot_link)))
        for name, (k, must_link, cannot_link) in proofs.items()
    ]


def four(name: str, points: str, labels: Labels, k: int, pairs: int) -> list[dict[str, object]]:
    """Return the instances without constraints, with must-links only, cannot-links only, and half of each."""
    half = pairs // 2
    return [
        instance(f"{name}-none", points, k),
        instance(f"{name}-ml", points, k, write_pairs(f"{name}-ml", labels, pairs, 0)),
        instance(f"{name}-cl", points, k, write_pairs(f"{name}-cl", labels, 0, pairs)),
        instance(f"{name}-both", points, k, write_pairs(f"{name}-both", labels, half, half)),
    ]


def instance(
    name: str, points: str, k: int, constraints: str | None = None, *, slow: bool = False
) -> dict[str, object]:
    """Return one line of the list of instances; ``slow`` ones take more than about ten seconds."""
    return {
        "name": name,
        "points": f"points/{points}",
        "constraints": constraints and f"constraints/{constraints}",
        "n_clusters": k,
        "slow": slow,
    }


def standardised(points: Points) -> Points:
    """Return the points with every feature scaled to mean 0 and variance 1."""
    scaled: Points = (points - points.mean(axis=0)) / points.std(axis=0)
    return scaled


def write_txt(name: str, points: Points, *, digits: int) -> None:
    """Write the benchmark format: a line ``n d``, then a row a point."""
    rows = [f"{points.shape[0]} {points.shape[1]}", *formatted(points, " ", digits)]
    FOLDER.joinpath("points", name).write_text("\n".join(rows) + "\n")


def write_csv(name: str, points: Points, names: list[str] | None, *, digits: int) -> None:
    """Write a CSV file, with a header where names are given."""
    rows = [*([",".join(names)] if names else []), *formatted(points, ",", digits)]
    FOLDER.joinpath("points", name).write_text("\n".join(rows) + "\n")


def formatted(points: Points, separator: str, digits: int) -> list[str]:
    """Return the rows as text with a fixed number of digits after the point, never ``-0``."""
    return [separator.join(f"{value:.{digits}f}" for value in row) for row in np.round(points, digits) + 0.0]


def write_pairs(name: str, labels: Labels, n_must_link: int, n_cannot_link: int) -> str:
    """Write constraints drawn from labels; the name is the seed."""
    seed = np.random.default_rng(list(name.encode()))
    drawn = constraints_from_labels(labels, n_must_link=n_must_link, n_cannot_link=n_cannot_link, seed=seed)
    return write_lines(name, links(*(pairs.tolist() for pairs in drawn)))


def links(must_link: Pairs, cannot_link: Pairs) -> list[str]:
    """Return the lines ``ML i j`` and ``CL i j``."""
    return [f"ML {i} {j}" for i, j in must_link] + [f"CL {i} {j}" for i, j in cannot_link]


def write_lines(name: str, lines: list[str]) -> str:
    """Write a constraint file and return its name."""
    FOLDER.joinpath("constraints", f"{name}.txt").write_text("\n".join(lines) + "\n")
    return f"{name}.txt"


if __name__ == "__main__":
    main()
