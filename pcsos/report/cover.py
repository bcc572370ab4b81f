"""The cover of a run: blocks that together are the points, what each is bounded by, and the prices in them."""

from collections import defaultdict
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pcsos.base.typing import Indices
from pcsos.evidence.closings import PriceClosing
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.journal import KnownPart
from pcsos.problem.cost import partition_cost
from pcsos.problem.instance import Instance
from pcsos.report.tree import Node


class Prices(NamedTuple):
    """The prices that close a node."""

    number: int
    total: float
    lower_bound: float  #: what they prove
    num_axes: int | None  #: directions along which distances are measured; None: those of the features


@dataclass(frozen=True)
class Block:
    """Some points of an instance, bounded like an instance of its own.

    Parameters
    ----------
    size : int
        Number of points.
    cost : float or None
        What the partition of the run costs within the block; None without a partition.
    lower_bound : float
        Every partition of the instance costs at least this within the block.
    nodes : tuple of Node
        The tree of its proof.
    prices : tuple of Prices
        Those of the nodes that prices close.
    """

    size: int
    cost: float | None
    lower_bound: float
    nodes: tuple[Node, ...]
    prices: tuple[Prices, ...]


def cover_of(file: RunFile, labels: Indices | None) -> tuple[Block, ...]:
    """Return the blocks that the bound of a run adds up, none where it was not bounded by blocks.

    Parameters
    ----------
    file : RunFile
        The file of the run.
    labels : ndarray of int, shape (n,), or None
        Its partition.
    """
    parts = file.cover()
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    prices: defaultdict[int, list[Prices]] = defaultdict(list)
    for number, record in file.nodes() if parts else ():
        nodes[number].append(Node.of(record))
        if isinstance(record.closing, PriceClosing):
            prices[number].append(_prices(record.closing))
    return tuple(
        Block(
            part.points.size,
            None if labels is None else _cost(file.instance, part, labels),
            float(part.lower_bound),
            tuple(nodes[part.number]),
            tuple(prices[part.number]),
        )
        for part in parts
    )


def _prices(closing: PriceClosing) -> Prices:
    num_axes = None if closing.axes is None else len(closing.axes)
    return Prices(closing.prices.size, float(closing.prices.sum()), float(closing.lower_bound), num_axes)


def _cost(instance: Instance, part: KnownPart, labels: Indices) -> float:
    """Return what a partition costs within a part."""
    own = labels[part.points]
    clusters = [np.flatnonzero(own == cluster) for cluster in np.unique(own).tolist()]
    return partition_cost(instance.points[part.points], part.weights, clusters)
