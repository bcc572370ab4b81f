"""The blocks whose bounds add up to that of the whole."""

import math
from collections.abc import Sequence

from pcsos.base.tolerances import relative_gap
from pcsos.report.cover import Block
from pcsos.report.figures.blocks import blocks_figure
from pcsos.report.markup import Markup, element, join, table
from pcsos.report.section import Figures, Section, counted, drawing, long_table
from pcsos.report.sections.prices import NOT_LAST
from pcsos.report.sections.tree import how_they_ended

WHY = (
    "The points are divided into blocks, each a small likeness of the whole. A division of all points divides each "
    "block, too, and costs there at least what is proved of the block. So no division of all points costs less than "
    "the bounds of the blocks together."
)
NOTE = (
    "Each bar is a block, as wide as it has points; its height is what the division costs in the block, as a share of "
    "what it costs in all. What is hatched is not proved."
)


def blocks_section(blocks: Sequence[Block], objective: float | None, figures: Figures, *, is_last: bool) -> Section:
    """Return the blocks in figures, in a picture, and one by one.

    Parameters
    ----------
    blocks : sequence of Block
        The blocks.
    objective : float or None
        What the partition of the run costs.
    figures : dict
        Where their picture is put.
    is_last : bool
        Whether nothing else has proved more.
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
    parts = [element("p", WHY + ("" if is_last else NOT_LAST)), table("The blocks", (), rows)]
    if whole > 0.0:
        figures["blocks-figure"] = blocks_figure(blocks, whole)
        parts.append(drawing("blocks-figure", f"The {counted(len(blocks), 'block')}", NOTE))
    nodes = [node for block in blocks for node in block.nodes]
    parts += [how_they_ended(nodes)] if nodes else []
    return Section(
        "blocks",
        "The blocks of the proof" if is_last else "A first bound by blocks",
        join([*parts, _one_by_one(blocks)]),
    )


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
