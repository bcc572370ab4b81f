"""The proof by prices."""

from pcsos.problem.instance import Instance
from pcsos.problem.reduction import reduce_instance
from pcsos.report.cover import Block
from pcsos.report.markup import element, join, table
from pcsos.report.section import Figures, Section, counted
from pcsos.report.sections.tree import how_they_ended, tree

WHY = (
    "Each point has a price. Wherever the centre of a cluster is, the prices of its points, less their squared "
    "distances to the centre, come to no more than a certain profit. So every division costs at least all prices "
    "together, less that profit for each of its clusters."
)
NOT_LAST = " Here that was a beginning; the tree below proves more."
CASES = (
    " As one list of prices was not enough, divisions were told apart by whether two points are together, and each "
    "case has prices of its own; the bound is the least of theirs."
)


def is_by_prices(cover: tuple[Block, ...], instance: Instance) -> bool:
    """Tell whether a cover is the whole instance, bounded by prices."""
    return len(cover) == 1 and cover[0].size == instance.n_points and bool(cover[0].prices)


def prices_section(block: Block, instance: Instance, figures: Figures, *, is_last: bool) -> Section:
    """Return what proves the bound in a few sentences, and its figures.

    Parameters
    ----------
    block : Block
        The whole instance.
    instance : Instance
        What that is.
    figures : dict
        Where a tree is put.
    is_last : bool
        Whether nothing else has proved more.
    """
    has_cases = len(block.nodes) > 1
    parts = [
        element("p", WHY + (CASES if has_cases else "") + ("" if is_last else NOT_LAST)),
        table("The prices", (), _figures(block, instance)),
    ]
    if has_cases:
        parts += [how_they_ended(block.nodes), tree(block.nodes, figures, "prices-figure")]
    return Section("prices", "The proof by prices" if is_last else "A first bound by prices", join(parts))


def _figures(block: Block, instance: Instance) -> list[tuple[str, str]]:
    first = block.prices[0]
    rows = [("cases", f"{len(block.prices):,}")] if len(block.prices) > 1 else _only(block, instance)
    if first.num_axes is not None:
        rows.append(("distances", f"along {counted(first.num_axes, 'direction')}, which lengthens none of them"))
    return [*rows, ("bound", f"{block.lower_bound:.10g}")]


def _only(block: Block, instance: Instance) -> list[tuple[str, str]]:
    """Return the sum of which the bound of the only list of prices is made."""
    (prices,) = block.prices
    inside = reduce_instance(instance.without_conditions().with_(cannot_link=())).offset
    profit = max((inside + prices.total - prices.lower_bound) / instance.n_clusters, 0.0)
    joined = ", one for all points that must-links join" if len(instance.must_link) else ""
    return [
        ("prices", f"{prices.number:,}{joined}"),
        ("all prices together", f"{prices.total:.10g}"),
        *([("cost between points that must-links join", f"{inside:.10g}")] if inside else []),
        ("profit of a cluster, at most", f"{profit:.6g}"),
        ("clusters", str(instance.n_clusters)),
    ]
