"""The command ``compare``: labels side by side, their costs, the pairs they break, and how far they agree."""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from pcsos.base.rand_index import adjusted_rand_index
from pcsos.base.typing import Indices
from pcsos.cli.inputs import read_inputs
from pcsos.cli.messages import ExitStatus
from pcsos.cli.outputs import check_files, deliver
from pcsos.evidence.result.words import aligned
from pcsos.io.labels import read_labels
from pcsos.io.source import name_of
from pcsos.problem.conditions.pairs import broken_pairs
from pcsos.problem.conditions.penalised_pairs import BrokenPair
from pcsos.problem.instance import Instance
from pcsos.problem.partition import canonical_labels
from pcsos.problem.validation.names import PointNames


@dataclass(frozen=True, eq=False)
class Clustering:
    """Labels from a file, what they cost, and the pairs that they break."""

    name: str  #: the file
    labels: Indices  #: shape (n,): clusters, numbered by first appearance
    objective: float  #: their sum of squares, and the penalties of soft pairs that they break
    #: shape (m, 2): pairs that are apart though they must be linked, and together though they cannot
    must_link: Indices
    cannot_link: Indices
    soft: list[BrokenPair]  #: soft pairs that they break, the dearest first

    @classmethod
    def of(cls, path: str, labels: Indices, pairs: Instance) -> Self:
        """Return what labels of a file cost and break in an instance with these pairs."""
        objective = pairs.geometry.cost(labels) + pairs.soft.cost(labels)
        is_apart, is_together = broken_pairs(pairs.must_link, pairs.cannot_link, labels)
        must_link, cannot_link = pairs.must_link[is_apart], pairs.cannot_link[is_together]
        return cls(str(name_of(path)), labels, objective, must_link, cannot_link, pairs.soft.broken(labels))

    @property
    def penalty(self) -> float:
        """What the soft pairs cost."""
        return math.fsum(pair.penalty for pair in self.soft)

    @property
    def n_clusters(self) -> int:
        """Number of clusters."""
        return int(self.labels.max()) + 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, for JSON."""
        return {
            "labels": self.name,
            "n_clusters": self.n_clusters,
            "objective": self.objective,
            "penalty": self.penalty,
            "violated_must_link": self.must_link.tolist(),
            "violated_cannot_link": self.cannot_link.tolist(),
            "violated": [pair._asdict() for pair in self.soft],
        }


def compare(arguments: argparse.Namespace) -> int:
    """Compare labels of the same points."""
    check_files(arguments)
    inputs = read_inputs(arguments)
    labels = [_numbered(path, inputs.names) for path in arguments.labels_in]
    instance = inputs.instance(int(labels[0].max()) + 1)
    found = [Clustering.of(path, own, instance) for path, own in zip(arguments.labels_in, labels, strict=True)]
    indices = [[adjusted_rand_index(one.labels, other.labels) for other in found] for one in found]
    values = {"clusterings": [one.to_dict() for one in found], "adjusted_rand_index": indices}
    limits = (arguments.constraints, arguments.max_diameter, arguments.min_split)
    has_pairs, has_soft = any(limit is not None for limit in limits), len(instance.soft) > 0
    text = _costs(found, has_pairs=has_pairs, has_soft=has_soft)
    text += _agreement(found, indices) if len(found) > 1 else ""
    return ExitStatus.OPTIMAL if deliver(values, text, arguments.json) else ExitStatus.FAILURE


def _numbered(path: str, names: PointNames) -> Indices:
    """Return the clusters in a file of labels, numbered by first appearance."""
    numbers = np.unique(read_labels(path, names.n_points, names), return_inverse=True)[1]
    return canonical_labels(numbers.astype(np.intp))


def _costs(found: list[Clustering], *, has_pairs: bool, has_soft: bool) -> str:
    """Return a table of what the labels cost, and how many pairs they break."""
    header = ["labels", "clusters", "objective"] + ["broken ML", "broken CL"] * has_pairs
    rows = [header + ["broken soft", "penalties"] * has_soft]
    for own in found:
        broken = [str(len(own.must_link)), str(len(own.cannot_link))] * has_pairs
        broken += [str(len(own.soft)), f"{own.penalty:.10g}"] * has_soft
        rows.append([own.name, str(own.n_clusters), f"{own.objective:.10g}", *broken])
    return aligned(rows)


def _agreement(found: list[Clustering], indices: list[list[float]]) -> str:
    """Return a table of how far the labels agree."""
    names = [Path(own.name).name for own in found]
    rows = [[own.name, *(f"{value:.4f}" for value in row)] for own, row in zip(found, indices, strict=True)]
    return "\nadjusted Rand index: 1 is the same clustering, 0 what chance would give\n" + aligned(
        [["", *names], *rows]
    )
