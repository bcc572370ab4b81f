"""Stored instance: what a run is about and how it was started, read back from its file."""

import sqlite3

from pcsos.base.exceptions import FormatError
from pcsos.base.tolerances import LARGEST_COORDINATE
from pcsos.base.typing import Floats, Indices
from pcsos.evidence.run_file.rows import instance_digest
from pcsos.problem.conditions.conditions import stated
from pcsos.problem.gram import FactoredGram
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options
from pcsos.problem.params import Params
from pcsos.problem.validation.names import PointNames
from pcsos.problem.validation.rounding import Rounded
from pcsos.verify.reading.arrays import doubles, integers
from pcsos.verify.reading.memory import Memory
from pcsos.verify.reading.rows import Row, only_row
from pcsos.verify.reading.structures import NULL, Shape, items, members, structure

NUMBER, OPTIONAL = (int, float), (int, float, NULL)
OPTIONS: Shape = {
    "gap": NUMBER,
    **dict.fromkeys(("time_limit", "node_limit", "workers"), OPTIONAL),
    "seed": (int,),
    **dict.fromkeys(("engine", "ilp"), (str,)),
    "params": (dict,),
}
NAMES: Shape = {"first": (int,), "ids": (list, NULL), "features": (list, NULL), "off": (float,)}
#: Bytes that an instance takes for each number of a point, for each point besides, and for each pair.
OF_A_NUMBER, OF_A_POINT, OF_A_PAIR = 16, 100, 64


def read_instance(connection: sqlite3.Connection, memory: Memory) -> tuple[Instance, Options]:
    """Return what the run is about, and how it was started."""
    row = only_row(connection, "instance", "the instance")
    points = doubles(row["points"], "points", memory, ndim=2)
    n = len(points)
    memory.need(points.size * OF_A_NUMBER + n * OF_A_POINT, "points")
    weights = doubles(row["weights"], "weights", memory, ndim=1, size=n)
    names, features, off = _names(structure(row["names"], "names"), n)
    gram = None if row.get("gram") is None else _gram(row["gram"], points, weights, memory)
    instance = Instance(
        Rounded(points, off) if gram is None else gram,
        row["n_clusters"],
        _pairs(row["must_link"], "must-links", n, memory),
        _pairs(row["cannot_link"], "cannot-links", n, memory),
        weights,
        names=names,
        feature_names=features,
        conditions=stated(structure(row.get("conditions", "{}"), "conditions")),
    )
    if instance_digest(instance) != row["digest"]:
        raise FormatError("the instance has another digest")
    return instance, _options(row["options"])


def _pairs(blob: object, name: str, n: int, memory: Memory) -> Indices:
    """Return pairs of points, shape (m, 2)."""
    pairs = integers(blob, name, memory, ndim=2, most=n * (n + 1))
    memory.need(len(pairs) * OF_A_PAIR, name)
    return pairs


def _names(value: object, n: int) -> tuple[PointNames, list[str] | None, float]:
    """Return the names of points and of features that a file holds, and how far points are off what was given."""
    row = members(value, "names", NAMES)
    first, ids, features = row["first"], row["ids"], row["features"]
    if first not in (0, 1) or (ids is not None and len(items(ids, "names", (int, str))) != n):
        raise FormatError("names: not one for each point")
    off = row.get("off", 0.0)
    if not 0.0 <= off < LARGEST_COORDINATE:
        raise FormatError("names: points are off by no distance")
    return PointNames(n, first=first, ids=ids), features and items(features, "features", (str,)), off


def _gram(blob: object, points: Floats, weights: Floats, memory: Memory) -> FactoredGram:
    """Return the Gram matrix of a file, whose points are its factor."""
    n = len(points)
    matrix = doubles(blob, "the Gram matrix", memory, ndim=2, size=n * n)
    if matrix.shape != (n, n) or not (matrix == matrix.T).all():
        raise FormatError("the Gram matrix is not symmetric, with a row for each point")
    return FactoredGram.with_factor(matrix, points, weights)


def _options(text: object) -> Options:
    """Return how a run was started."""
    values: Row = members(structure(text, "the options"), "the options", OPTIONS)
    params = values.get("params", {})
    if not all(isinstance(part, dict) for part in params.values()):
        raise FormatError("the options: params are of another kind than expected")
    return Options(**values | {"params": Params.from_dict(params)})
