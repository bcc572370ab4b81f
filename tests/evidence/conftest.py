"""Run files to write and to read: a tree with every kind of node, and its instance."""

from pathlib import Path

import numpy as np
import pytest

from pcsos.evidence.kinds import Bound, Branching, Clique, Fixed, Forced, Infeasible, Prices, Single
from pcsos.evidence.multipliers import Cuts, Multipliers, quantise
from pcsos.evidence.node import Decision, NodeRecord
from pcsos.evidence.run_file import RunFile
from pcsos.problem.instance import Instance
from pcsos.problem.options import Options


def some_multipliers(seed: int, size: int = 7) -> Multipliers:
    rng = np.random.default_rng(seed)
    box = rng.standard_normal((size, size))
    members = np.minimum(np.array([2, 1, 4, 0, 2, 5, 0, 6], np.int32), size - 1)
    cuts = Cuts(np.array([3, 0, -1, 3], np.int32), np.array([0, 2, 3, 6, 8]), members)
    return Multipliers(box + box.T, cuts, np.array([0.3, 1e-3, 2.0, 0.7]))


def rounded(seed: int, tolerance: float) -> Multipliers:
    return quantise(some_multipliers(seed, 5), tolerance=tolerance)


def records() -> list[NodeRecord]:
    """A tree with every kind of node; the problems of its nodes are the first that are written."""
    forced = Forced((Clique(Decision("ML", 0, 2), (1,)), Clique(Decision("CL", 1, 3), (0, 4))))
    fixed = Fixed((Decision("CL", 0, 1), Decision("ML", 2, 4)), rounded(0, 1e-6), 1.25)
    first, second = Branching(Decision("ML", 0, 1), 0.25, (1, 2)), Branching(Decision("ML", 2, 3), 0.0, (3, 4))
    return [
        NodeRecord(0, None, None, (forced, fixed, Bound(rounded(2, 0.1), 0.5), first), 1.5),
        NodeRecord(1, 0, Decision("ML", 0, 1), (Bound(rounded(1, 0.1), 2.5),)),
        NodeRecord(2, 0, Decision("CL", 0, 1), (forced, Bound(rounded(2, 1e-6), -0.0), second)),
        NodeRecord(4, 2, Decision("CL", 2, 3), (Infeasible(np.array([0, 1, 2])),), 0.5),
        NodeRecord(3, 2, Decision("ML", 2, 3), (Single(3.75),)),
    ]


def finished() -> list[NodeRecord]:
    """A tree beside the other one, which is not gone on with; its problems are the next."""
    prices = Prices(np.array([0.5, -1.25, 3e300]), 0.3)
    with_knots = Prices(np.array([1.0, 2.0, 3.0, 4.0]), 0.4, ((0, 1), (3, 2)))
    return [
        NodeRecord(0, None, None, (Branching(Decision("ML", 3, 4), None, (5, 6)),), 0.25),
        NodeRecord(1, 0, Decision("ML", 3, 4), (prices,), 0.25),
        NodeRecord(2, 0, Decision("CL", 3, 4), (with_knots,)),
    ]


def plain(value: object) -> object:
    """A value that can be compared: arrays as lists, proof objects as their fields."""
    if isinstance(value, np.ndarray):
        return (str(value.dtype), value.tolist())
    if isinstance(value, tuple):
        return tuple(plain(item) for item in value)
    return (
        {"kind": type(value).__name__} | {k: plain(v) for k, v in vars(value).items()}
        if hasattr(value, "__dict__")
        else value
    )


@pytest.fixture
def instance() -> Instance:
    return Instance(
        [[0.0, 1e-300], [2.0, 1.0 / 3.0], [10.0, -0.0], [12.0, 5.0], [11.0, 1e10]], 2, [(2, 3)], [(1, 0), (1, 4)]
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "some.run"


@pytest.fixture
def written(path: Path, instance: Instance) -> Path:
    with RunFile.create(path, instance, Options(gap=1e-3, seed=7)) as file:
        for record in records():
            file.add_node(record)
    return path
