"""The blocks of a proof: what each is bounded by and the prices in them, their figure, and the sections about them."""

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pcsos.base.tolerances import relative_gap
from pcsos.base.typing import Indices
from pcsos.evidence.kinds import Prices
from pcsos.evidence.node import NodeRecord
from pcsos.evidence.run_file import RunFile
from pcsos.evidence.run_file.proof import KnownPart
from pcsos.problem.cost import clusters_of, partition_cost
from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.report.markup import Figure, Figures, Markup, Section, counted, drawing, element, join, long_table, table
from pcsos.report.plane import colour
from pcsos.report.plot import plot
from pcsos.report.tree import Node, how_they_ended, tree


@dataclass(frozen=True)
class Block:
    """Some points of an instance, bounded like an instance of its own."""

    size: int  #: number of points
    cost: float | None  #: what the partition of the run costs within the block; None without a partition
    lower_bound: float  #: every partition of the instance costs at least this within the block
    nodes: tuple[Node, ...]  #: the tree of its proof


class PriceProof(NamedTuple):
    """How prices prove a bound of the whole: by one list, or by one for each of several cases."""

    nodes: tuple[Node, ...]
    prices: tuple[Prices, ...]
    lower_bound: float


def cover_of(file: RunFile, labels: Indices | None) -> tuple[Block, ...]:
    """Return the blocks that the bound of a run adds up, none where it was not bounded by blocks.

    The labels are its partition.
    """
    parts = file.cover()
    nodes: defaultdict[int, list[Node]] = defaultdict(list)
    for number, record in file.records_of_parts([part.number for part in parts]) if parts else ():
        nodes[number].append(Node.of(record))
    return tuple(
        Block(
            part.points.size,
            None if labels is None else _cost(file.instance, part, labels),
            float(part.lower_bound),
            tuple(nodes[part.number]),
        )
        for part in parts
    )


def prices_of(records: Sequence[NodeRecord]) -> PriceProof | None:
    """Return the prices that prove a bound of the whole, among what is proved beside the tree; None without any."""
    last = max((at for at, record in enumerate(records) if not record.node), default=0)
    closing = [each for record in records[last + 1 :] or records for each in record.evidence]
    listed = [each for each in closing if isinstance(each, Prices)]
    if not listed:
        return None
    cases = [Node.of(record) for record in records[last:]]
    if len(cases) == 1:
        listed = [max(listed, key=lambda prices: prices.bound)]
    return PriceProof(tuple(cases), tuple(listed), float(min(prices.bound for prices in listed)))


def _cost(instance: Instance, part: KnownPart, labels: Indices) -> float:
    """Return what a partition costs within a part."""
    return partition_cost(instance.points[part.points], part.weights, clusters_of(labels[part.points]))


def blocks_figure(blocks: Sequence[Block], whole: float) -> Figure:
    """Return the blocks side by side, in per cent of the whole: of the cost of the partition, or of the bound."""
    sizes = np.array([block.size for block in blocks], np.float64)
    bounds = np.array([block.lower_bound for block in blocks])
    costs = np.array([block.lower_bound if block.cost is None else block.cost for block in blocks])
    ends = np.cumsum(sizes)
    texts = [_described(number, block) for number, block in enumerate(blocks, 1)]
    unit, line = 100.0 / whole, {"width": 0.5, "color": "rgba(255, 255, 255, 0.8)"}
    bars = {
        "type": "bar", "x": ends - sizes / 2.0, "width": sizes, "customdata": texts,
        "hovertemplate": "%{customdata}<extra></extra>",
    }  # fmt: skip
    hatched = {"color": colour(1), "pattern": {"shape": "/"}, "line": line}
    traces = [
        bars | {"name": "proved", "y": bounds * unit, "marker": {"color": colour(0), "line": line}},
        bars | {"name": "not proved", "y": np.maximum(costs - bounds, 0.0) * unit, "marker": hatched},
    ]
    figure = plot(traces, "points, block by block", "per cent of the sum of squares", 340)
    return figure.update_layout(barmode="stack", bargap=0.0, legend_traceorder="normal")


def _described(number: int, block: Block) -> str:
    cost = "" if block.cost is None else f"<br>the division costs {block.cost:.6g} in it"
    return f"block {number}: {block.size:,} points{cost}<br>at least {block.lower_bound:.6g} is proved"


WHY_PRICES = (
    "Each point has a price. Wherever the centre of a cluster is, the prices of its points, less their squared "
    "distances to the centre, come to no more than a certain profit. So every division costs at least all prices "
    "together, less that profit for each of its clusters."
)
LEFT_OUT = " The greatest prices that may be left out are taken off, too."
NOT_LAST = " Here that was a beginning; the tree below proves more."
WITH_CASES = (
    " As one list of prices was not enough, divisions were parted by whether two points are together, and each "
    "case has prices of its own; the bound is the least of theirs."
)


def prices_section(proof: PriceProof, instance: Instance, figures: Figures, *, is_last: bool) -> Section:
    """Return what proves the bound in a few sentences, and its figures.

    A tree of cases is put into ``figures``; ``is_last`` says whether nothing else has proved more.
    """
    has_cases = len(proof.nodes) > 1
    parts = [
        element(
            "p",
            WHY_PRICES
            + (LEFT_OUT if instance.outliers else "")
            + (WITH_CASES if has_cases else "")
            + ("" if is_last else NOT_LAST),
        ),
        table("The prices", (), _price_rows(proof, instance)),
    ]
    if has_cases:
        parts += [how_they_ended(proof.nodes), tree(proof.nodes, figures, "prices-figure")]
    return Section("prices", "The proof by prices" if is_last else "A first bound by prices", join(parts))


def _price_rows(proof: PriceProof, instance: Instance) -> list[tuple[str, str]]:
    axes = proof.prices[0].axes
    rows = [("cases", f"{len(proof.prices):,}")] if len(proof.prices) > 1 else _single_list(proof, instance)
    if axes is not None:
        rows.append(("distances", f"along {counted(len(axes), 'direction')}, which lengthens none of them"))
    return [*rows, ("bound", f"{proof.lower_bound:.10g}")]


def _single_list(proof: PriceProof, instance: Instance) -> list[tuple[str, str]]:
    """Return the sum of which the bound of the only list of prices is made."""
    (own,) = proof.prices
    total = float(own.prices.sum())
    inside = reduce_instance(instance.without_conditions().with_(cannot_link=())).offset
    taken = max(inside + total - own.bound, 0.0)
    profit = ("profit of a cluster, at most", f"{taken / instance.n_clusters:.6g}")
    if instance.outliers:
        profit = ("profit of all clusters and prices left out, at most", f"{taken:.6g}")
    joined = ", one for all points that must-links join" if len(instance.must_link) else ""
    return [
        ("prices", f"{own.prices.size:,}{joined}"),
        ("all prices together", f"{total:.10g}"),
        *([("cost between points that must-links join", f"{inside:.10g}")] if inside else []),
        profit,
        ("clusters", str(instance.n_clusters)),
    ]


WHY_BLOCKS = (
    "The points are divided into blocks, each a small likeness of the whole. A division of all points divides each "
    "block, too, and costs there at least what is proved of the block. So no division of all points costs less than "
    "the bounds of the blocks together."
)
NOTE_ON_BARS = (
    "Each bar is a block, as wide as it has points; its height is what the division costs in the block, as a share of "
    "what it costs in all. What is hatched is not proved."
)


def blocks_section(blocks: Sequence[Block], objective: float | None, figures: Figures, *, is_last: bool) -> Section:
    """Return the blocks in figures, in a picture (put into ``figures``), and one by one.

    The objective is what the partition of the run costs; ``is_last`` says whether nothing else has proved more.
    """
    sizes, bound = [block.size for block in blocks], math.fsum(block.lower_bound for block in blocks)
    whole = objective or bound
    span = f"{min(sizes):,}" if min(sizes) == max(sizes) else f"{min(sizes):,} to {max(sizes):,}"
    rows = [
        ("blocks", f"{len(blocks):,}"),
        ("points of a block", span),
        ("bounds of the blocks together", f"{bound:.10g}{_share(bound, objective)}"),
        *_lost(blocks, objective),
    ]
    parts = [element("p", WHY_BLOCKS + ("" if is_last else NOT_LAST)), table("The blocks", (), rows)]
    if whole > 0.0:
        figures["blocks-figure"] = blocks_figure(blocks, whole)
        parts.append(drawing("blocks-figure", f"The {counted(len(blocks), 'block')}", NOTE_ON_BARS))
    nodes = [node for block in blocks for node in block.nodes]
    parts += [how_they_ended(nodes)] if nodes else []
    title = "The blocks of the proof" if is_last else "A first bound by blocks"
    return Section("blocks", title, join([*parts, _one_by_one(blocks)]))


def _share(value: float, objective: float | None) -> str:
    return f", {100.0 * value / objective:.4g} % of what the division costs" if objective else ""


def _lost(blocks: Sequence[Block], objective: float | None) -> list[tuple[str, str]]:
    """Return what the bound lacks, by where it is lost."""
    costs = [block.cost for block in blocks if block.cost is not None]
    if not objective or len(costs) < len(blocks):
        return []
    total, bound = math.fsum(costs), math.fsum(block.lower_bound for block in blocks)
    lost = 100.0 * max(objective - total, 0.0) / objective
    unproved = 100.0 * max(total - bound, 0.0) / objective
    return [
        ("lost as points are divided into blocks", f"{lost:.2g} %"),
        ("not proved within blocks", f"{unproved:.2g} %"),
    ]


def _one_by_one(blocks: Sequence[Block]) -> Markup:
    rows = [
        (
            str(number),
            f"{block.size:,}",
            "-" if block.cost is None else f"{block.cost:.6g}",
            f"{block.lower_bound:.6g}",
            "-" if block.cost is None else f"{100.0 * relative_gap(block.cost, block.lower_bound):.3g} %",
            f"{len(block.nodes):,}",
        )
        for number, block in enumerate(blocks, 1)
    ]
    header = ("block", "points", "the division costs in it", "bound", "gap", "nodes")
    return long_table("Block by block", header, rows)
